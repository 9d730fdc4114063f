// `npm run deploy:edge`: builds and deploys the gate, but not with an example's address or without
// its secrets, which would look deployed and let nobody in.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET_VARIABLES } from "../edge/env.ts";
import { buildPages } from "./build.ts";
import { DEPLOYED_CONFIG, deploymentOf } from "./gate/deployment.ts";
import { ROOT_DIR } from "./services/root.ts";

const HOW: Readonly<Record<string, string>> = {
  GATE_KEYS: "npm run keys prints it",
  ROOM_SECRET: "npm run keys prints it; keep it as long as a sale lasts",
  REDIS_URL: "rediss://user:password@host:6379, of the line's Redis",
};
/** Only where a room asks for it. */
const OPTIONAL = new Set(["TURNSTILE_SECRET", "PUSH_KEY"]);

const problems = [...findExamples(), ...findProxyFault(), ...findMissingSecrets()];
if (problems.length > 0) {
  console.error(`The gate is not deployed yet:\n${problems.map((line) => `  ${line}`).join("\n")}`);
  process.exit(1);
}
await buildPages();
const config = join(ROOT_DIR, DEPLOYED_CONFIG);
writeFileSync(config, deploymentOf(readFileSync(join(ROOT_DIR, "wrangler.toml"), "utf8")));
process.exit(wrangler(["deploy", "--config", config], "inherit").status ?? 1);

function findExamples(): string[] {
  const lines = readFileSync(join(ROOT_DIR, "wrangler.toml"), "utf8").split("\n");
  return lines
    .filter((line) => /^\w+ = .*example\.com/.test(line))
    .map((line) => `wrangler.toml: ${line.split(" ")[0]} still names example.com`);
}

/** On a proxied host nothing of ours may answer: the Worker must see every request first. */
function findProxyFault(): string[] {
  const text = readFileSync(join(ROOT_DIR, "wrangler.toml"), "utf8");
  const hasProxy = /^PROXY_HOSTS = "[^"]/m.test(text);
  if (!hasProxy || /^run_worker_first = true$/m.test(text)) return [];
  return ["wrangler.toml: PROXY_HOSTS is set, so run_worker_first must be true (it is a list)"];
}

function findMissingSecrets(): string[] {
  const listed = wrangler(["secret", "list", "--format", "json"], "pipe");
  // Before the first deployment there is no Worker to ask, or nobody has signed in: wrangler says so.
  if (listed.status !== 0)
    return [`wrangler secret list: ${errorLine(listed.stderr + listed.stdout)}`];
  const known: { name: string }[] = JSON.parse(listed.stdout);
  return SECRET_VARIABLES.filter(
    (name) => !OPTIONAL.has(name) && !known.some((secret) => secret.name === name),
  ).map((name) => `wrangler secret put ${name}   (${HOW[name] ?? "see ops/production.md"})`);
}

function errorLine(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.find((line) => /error/i.test(line)) ?? "it did not answer";
}

function wrangler(args: readonly string[], stdio: "inherit" | "pipe") {
  return spawnSync(join(ROOT_DIR, "node_modules/.bin/wrangler"), args, {
    cwd: ROOT_DIR,
    encoding: "utf8",
    stdio: ["inherit", stdio, stdio],
  });
}
