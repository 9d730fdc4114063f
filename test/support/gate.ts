// A gate on bare workerd for one test file: its own keys, its own objects, its own Redis database.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startGate } from "../../tools/gate/start-gate.ts";
import { createProcesses, type Program } from "../../tools/services/processes.ts";
import { STATE_DIR } from "../../tools/services/root.ts";
import { type DeploymentKeys, makeKeys } from "../../tools/stack/keys.ts";
import { trustedIssuers } from "../../tools/stack.ts";
import { claimRedis } from "./redis.ts";

export interface TestGate {
  readonly origin: string;
  readonly keys: DeploymentKeys;
  readonly program: Program;
  readonly redisUrl: string;
  stop(): Promise<void>;
}

export async function startTestGate(
  options: {
    readonly redisUrl?: string;
    readonly coreOrigin?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly trustedCertificates?: readonly string[];
    readonly assetsDir?: string;
    readonly keys?: DeploymentKeys;
  } = {},
): Promise<TestGate> {
  const run = `test-${process.pid}-${randomBytes(4).toString("hex")}`;
  const processes = createProcesses(join(STATE_DIR, run));
  const keys = options.keys ?? (await makeKeys(new Date()));
  const redisUrl = options.redisUrl ?? (await claimRedis()).url;
  const coreOrigin = options.coreOrigin ?? "http://127.0.0.1:9";
  const gate = await startGate({
    processes,
    trustedCertificates: options.trustedCertificates ?? [],
    ...(options.assetsDir === undefined ? {} : { assetsDir: options.assetsDir }),
    env: {
      CORE_ORIGIN: coreOrigin,
      REDIS_URL: redisUrl,
      GATE_KEYS: JSON.stringify(keys.gateKeys),
      ROOM_SECRET: keys.roomSecret,
      PUSH_KEY: JSON.stringify(keys.pushKey),
      ISSUERS: JSON.stringify(trustedIssuers(coreOrigin)),
      ...options.env,
    },
  });
  return {
    origin: gate.origin,
    keys,
    program: gate.program,
    redisUrl,
    async stop() {
      await processes.stopAll();
      rmSync(processes.dir, { recursive: true, force: true });
    },
  };
}
