// A private Redis for a test: a real redis-server (or valkey-server) on a free port of 127.0.0.1, without
// any file, stopped by its own process handle.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_WAIT_MS = 10_000;

export interface RunningRedis {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export interface RedisOptions {
  /** Further arguments, e.g. ["--appendonly", "yes"]. */
  readonly args?: readonly string[];
  /** To start again on the same port; otherwise a free one. */
  readonly port?: number;
  /** To start again on the same files; otherwise a private folder, removed by `stop`. */
  readonly dir?: string;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    socket.write("PING\r\n");
    const [data] = await once(socket, "data");
    return !String(data).startsWith("-LOADING");
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const port = options.port ?? (await freePort());
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), "sira-redis-"));
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", ""];
  const child = spawn("redis-server", [...args, ...(options.args ?? [])], { stdio: "ignore" });
  const failed = once(child, "error").then(([error]) => {
    throw new Error(`redis-server did not start: ${String(error)}`);
  });
  failed.catch(() => {});
  const deadline = Date.now() + START_WAIT_MS;
  while (!(await Promise.race([answers(port), failed]))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error("redis-server did not answer in time");
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    process: child,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      if (!options.dir) rmSync(dir, { recursive: true, force: true });
    },
  };
}
