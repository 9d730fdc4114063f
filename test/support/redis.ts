// Redis for tests: a logical database of the run's server for each file, or a private server for
// tests that stop, pause, wipe or restart it.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { inject } from "vitest";
import { createProcesses } from "../../tools/services/processes.ts";
import { startRedis as startServer } from "../../tools/services/redis.ts";
import { STATE_DIR } from "../../tools/services/root.ts";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A private server. `args` are redis-server's own, e.g. `["--maxmemory", "10mb"]`. */
export async function startRedis(
  options: { readonly args?: readonly string[]; readonly port?: number } = {},
): Promise<TestRedis> {
  const run = `test-${process.pid}-${randomBytes(4).toString("hex")}`;
  const processes = createProcesses(join(STATE_DIR, run));
  const server = await startServer(processes, { name: "redis", ...options });
  return {
    url: server.url,
    port: server.port,
    pid: server.pid,
    async stop() {
      await processes.stopAll();
      rmSync(processes.dir, { recursive: true, force: true });
    },
  };
}

export interface ClaimedRedis {
  /** Names an empty logical database that no other test file has. */
  readonly url: string;
  /** For clients that share one database, such as two gates in one test. */
  readonly prefix: string;
}

export async function claimRedis(): Promise<ClaimedRedis> {
  const server = inject("redisUrl");
  const client = new Redis(server, { db: 0 });
  try {
    const database = await client.incr("test:databases-handed-out");
    const prefix = `t${randomBytes(4).toString("hex")}:`;
    return { url: `${server}/${database}`, prefix };
  } finally {
    client.disconnect();
  }
}
