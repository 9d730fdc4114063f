// The whole system for one test file: own database, own Redis databases, own ports and keys.
import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildPages } from "../../tools/build.ts";
import { ASSETS_DIR } from "../../tools/gate/start-gate.ts";
import { createProcesses } from "../../tools/services/processes.ts";
import { STATE_DIR } from "../../tools/services/root.ts";
import { makeKeys } from "../../tools/stack/keys.ts";
import { type Stack, type StackOptions, startStack } from "../../tools/stack.ts";
import { createDatabase } from "./postgres.ts";
import { claimRedis } from "./redis.ts";

export interface Sira extends Stack {
  stop(): Promise<void>;
}

export async function startSira(
  options: Pick<StackOptions, "gateEnv" | "coreEnv" | "pspEnv"> & {
    readonly redisUrl?: string;
  } = {},
): Promise<Sira> {
  const run = `test-${process.pid}-${randomBytes(4).toString("hex")}`;
  const processes = createProcesses(join(STATE_DIR, run));
  if (!existsSync(ASSETS_DIR)) await buildPages();
  const [database, line, locks, cache, keys] = await Promise.all([
    createDatabase(),
    claimRedis(),
    claimRedis(),
    claimRedis(),
    makeKeys(new Date()),
  ]);
  const stop = async (): Promise<void> => {
    await processes.stopAll();
    await database.drop();
    rmSync(processes.dir, { recursive: true, force: true });
  };
  try {
    const stack = await startStack({
      processes,
      keys,
      nodeEnv: "test",
      services: {
        databaseUrl: database.url,
        redisUrl: options.redisUrl ?? line.url,
        redisLocksUrl: locks.url,
        redisCacheUrl: cache.url,
      },
      ...options,
    });
    return { ...stack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
