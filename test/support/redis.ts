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

export interface RunningRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisOptions {
  /** redis-server's own, e.g. `["--appendonly", "yes"]`. */
  readonly args?: readonly string[];
  /** To start again on the same port; otherwise a free one. */
  readonly port?: number;
  /** To start again on the same files; otherwise a private folder, removed by `stop`. */
  readonly dir?: string;
}

/** A private server. */
export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const run = `test-${process.pid}-${randomBytes(4).toString("hex")}`;
  const processes = createProcesses(join(STATE_DIR, run));
  const { dir, ...rest } = options;
  // Of an option given twice, Redis takes the last.
  const args = [...(options.args ?? []), ...(dir === undefined ? [] : ["--dir", dir])];
  const server = await startServer(processes, { name: "redis", ...rest, args });
  return {
    url: server.url,
    port: server.port,
    pid: server.pid,
    kill: () => server.kill(),
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
