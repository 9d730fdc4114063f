// A private Redis on a free port of 127.0.0.1. The eviction policy belongs to a whole server, so
// the line, the seat locks and the cache each get one of their own.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { findFreePort } from "./ports.ts";
import { type Processes, waitUntilReady } from "./processes.ts";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

const BINARIES = ["redis-server", "valkey-server"];
const PACKAGES = ["redis-server", "valkey-server"];

export async function startRedis(
  processes: Processes,
  options: { readonly name: string; readonly args?: readonly string[]; readonly port?: number },
): Promise<RedisServer> {
  const command = findRedisBinary() ?? installRedis();
  const dir = join(processes.dir, options.name);
  mkdirSync(dir, { recursive: true });
  const port = options.port ?? (await findFreePort());
  const program = processes.start({
    name: options.name,
    command,
    cwd: dir,
    args: [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--daemonize", "no"],
      ...["--save", "", "--appendonly", "no", ...(options.args ?? [])],
    ],
  });
  await waitUntilReady(program, () => answersPing(port));
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: program.pid,
    stop: () => program.stop(),
    async kill() {
      program.kill("SIGKILL");
      await program.exited;
    },
  };
}

function findRedisBinary(): string | undefined {
  return BINARIES.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);
}

/** On Debian as root the package is installed, and its own service is not left running. */
function installRedis(): string {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
    throw new Error(
      "Redis is missing: install redis-server (or valkey-server) so that it is on PATH, " +
        "or set REDIS_URL to a server that is already running.",
    );
  }
  console.log("Redis is missing; installing Debian's package redis-server (apt-get) …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const wasRunning = spawnSync("pidof", ["redis-server"], { stdio: "ignore" }).status === 0;
  spawnSync("apt-get", ["update", "-qq"], { env, stdio: ["ignore", "ignore", "inherit"] });
  for (const name of PACKAGES) {
    const args = ["install", "-y", "-qq", "--no-install-recommends", name];
    const installed = spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"] });
    if (installed.status === 0) break;
  }
  if (!wasRunning) stopPackagedService();
  const binary = findRedisBinary();
  if (binary === undefined) throw new Error("apt-get could not install redis-server: see above");
  return binary;
}

function stopPackagedService(): void {
  for (const name of PACKAGES) {
    if (existsSync("/run/systemd/system")) {
      spawnSync("systemctl", ["disable", "--now", name], { stdio: "ignore" });
    } else {
      if (!existsSync(`/etc/init.d/${name}`)) continue;
      spawnSync(`/etc/init.d/${name}`, ["stop"], { stdio: "ignore" });
      spawnSync("update-rc.d", [name, "disable"], { stdio: "ignore" });
    }
  }
}

/** Any answer but "loading" is one: a server with a password says no, and is up. */
function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1_000 });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => finish(!data.toString().startsWith("-LOADING")));
    socket.once("error", () => finish(false));
    socket.once("timeout", () => finish(false));
  });
}
