// The fail points stop nobody who serves people.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const FAIL_POINTS = new URL("fail-points.ts", import.meta.url).href;
const MAIN = fileURLToPath(new URL("../../core/main.ts", import.meta.url));

async function run(env: Record<string, string>, args: string[]) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      said += bytes.toString();
    });
  const [code] = await once(child, "exit");
  return { code, said };
}

it.each([
  ["npm start, whatever the environment says", { NODE_ENV: "test", npm_lifecycle_event: "start" }],
  ["a process in production", { NODE_ENV: "production" }],
  ["a process in development", {}],
])("%s does not run with fail points", async (_who, env: Record<string, string>) => {
  const { code, said } = await run(env, ["--import", FAIL_POINTS, MAIN]);
  expect([code, said]).toEqual([1, expect.stringContaining("fail points")]);
});

it("npm start runs the core's own entry, which is the file that the tests break", async () => {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(text).scripts.start).toBe("exec node core/start.ts");
  const start = await readFile(new URL("../../core/start.ts", import.meta.url), "utf8");
  expect(start).toContain('new URL("main.ts", import.meta.url)');
});
