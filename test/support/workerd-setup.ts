// Runs on Node: a private Redis and the gate's variables for tests inside workerd.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundleWorker } from "../../tools/gate/bundle.ts";
import { createProcesses } from "../../tools/services/processes.ts";
import { startRedis } from "../../tools/services/redis.ts";
import { STATE_DIR } from "../../tools/services/root.ts";
import { makeKeys } from "../../tools/stack/keys.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly gateVariables: Record<string, string>;
    readonly gateBundle: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = `test-${process.pid}-workerd-${randomBytes(4).toString("hex")}`;
  const processes = createProcesses(join(STATE_DIR, run));
  const redis = await startRedis(processes, {
    name: "redis",
    args: ["--maxmemory-policy", "noeviction"],
  });
  const bundle = join(processes.dir, "gate.js");
  await bundleWorker("edge/worker.ts", bundle);
  project.provide("gateBundle", bundle);
  const keys = await makeKeys(new Date());
  project.provide("gateVariables", {
    EDGE_ORIGIN: "http://gate.test",
    CORE_ORIGIN: "http://127.0.0.1:9",
    REDIS_URL: redis.url,
    GATE_KEYS: JSON.stringify(keys.gateKeys),
    ROOM_SECRET: keys.roomSecret,
    ISSUERS: "[]",
  });
  return async () => {
    await processes.stopAll();
    rmSync(processes.dir, { recursive: true, force: true });
  };
}
