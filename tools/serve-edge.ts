// `npm run serve:edge`: the gate on bare workerd, for self-hosting and benchmarks. It listens on
// EDGE_HOST (127.0.0.1) and is meant to stand behind a TLS proxy, which must
// overwrite `cf-connecting-ip`; only peers in TRUSTED_PEERS (this machine, unless set) are believed it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseVariables, variablesSchema } from "../edge/env.ts";
import { buildPages } from "./build.ts";
import { ASSETS_DIR, startGate } from "./gate/start-gate.ts";
import { createProcesses, endLeftovers, findOwner, logTail } from "./services/processes.ts";
import { STATE_DIR } from "./services/root.ts";

const DEFAULT_PORT = 8787;
/** A file of authorities (PEM) that sign Redis's certificate, for `rediss://` without a public one. */
const REDIS_CA_FILE = process.env["REDIS_CA_FILE"];

const names = Object.keys(variablesSchema.shape);
const env = Object.fromEntries(names.map((name) => [name, process.env[name]]));
try {
  // Here, and not only in the Worker: a bad variable is named before anything starts.
  await parseVariables(env);
} catch (error) {
  console.error(`serve:edge: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
const dir = process.env["EDGE_DATA_DIR"] ?? join(STATE_DIR, "serve-edge");
const owner = findOwner(dir);
if (owner !== undefined) {
  console.error(`serve:edge: already running from ${dir} (process ${owner}); set EDGE_DATA_DIR`);
  process.exit(1);
}
await endLeftovers(dir);
if (!existsSync(ASSETS_DIR)) await buildPages();

const processes = createProcesses(dir);
const gate = await startGate({
  processes,
  port: Number(process.env["EDGE_PORT"] ?? DEFAULT_PORT),
  host: process.env["EDGE_HOST"] ?? "127.0.0.1",
  env: { ...env, CORE_ORIGIN: env["CORE_ORIGIN"] ?? "" },
  ...(REDIS_CA_FILE === undefined
    ? {}
    : { trustedCertificates: [readFileSync(REDIS_CA_FILE, "utf8")] }),
});
console.log(`gate: ${gate.origin}, listening on port ${gate.port} (process ${gate.pid})`);

let stopping = false;
const stop = async (code: number): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await processes.stopAll();
  process.exit(code);
};
process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
const how = await gate.program.exited;
if (!stopping) {
  console.error(`gate: workerd ended (${how}):\n${logTail(gate.program.logFile)}`);
  await stop(1);
}
