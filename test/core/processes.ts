// Real core processes beside a house: same database, Redis and keys, each with its own port and
// memory, as a deployment has them.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { findFreePort } from "../../tools/services/ports.ts";
import { createProcesses, type Program, waitUntilReady } from "../../tools/services/processes.ts";
import { ROOT_DIR, STATE_DIR } from "../../tools/services/root.ts";
import { CORE_ORIGIN, type House, type Reply, type Shopper } from "./house.ts";

export type Core = { origin: string; program: Program };

export type Cores = {
  list: readonly Core[];
  /** One call of a shopper at the process of this number (taken modulo their count). */
  call(at: number, shopper: Shopper, sent: Sent): Promise<Reply>;
  stop(): Promise<void>;
};

export type Sent = { method: string; path: string; body?: unknown };

const envOf = (house: House, port: number): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  NODE_ENV: "test",
  LOG_LEVEL: "warn",
  CORE_PORT: String(port),
  // The same for all of them, as behind one load balancer; proofs name it.
  CORE_ORIGIN,
  EDGE_ORIGIN: house.gate.origin,
  DATABASE_URL: house.deps.config.database.url,
  DB_POOL_MAX: "6",
  REDIS_LOCKS_URL: house.deps.config.redis.locksUrl,
  REDIS_CACHE_URL: house.deps.config.redis.cacheUrl,
  CORE_KEYS: JSON.stringify(house.keys.coreKeys),
  CORE_SECRET: house.keys.coreSecret,
  ORGANIZER_KEY: house.keys.organizerKey,
  PSP_ORIGIN: "http://127.0.0.1:9",
  PSP_SECRET: house.keys.pspSecret,
  PSP_WEBHOOK_SECRET: house.keys.pspWebhookSecret,
});

/** @param envs what each process has of its own; one process for each. */
export async function startCores(
  house: House,
  envs: readonly Readonly<Record<string, string>>[],
): Promise<Cores> {
  const processes = createProcesses(
    join(STATE_DIR, `test-${process.pid}-${randomBytes(4).toString("hex")}`),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  const list = await Promise.all(
    envs.map(async (env, index): Promise<Core> => {
      const port = await findFreePort();
      const program = processes.start({
        name: `core-${index}`,
        command: process.execPath,
        args: [join(ROOT_DIR, "core/main.ts")],
        env: { ...envOf(house, port), ...env },
      });
      const origin = `http://127.0.0.1:${port}`;
      await waitUntilReady(program, async () => (await fetch(`${origin}/readyz`)).ok);
      return { origin, program };
    }),
  );
  return {
    list,
    call(at, shopper, { method, path, body }) {
      const core = list[at % list.length];
      if (!core) throw new Error("there is a process");
      const headers = shopper.headers(method, path);
      return send(agent, { url: core.origin + path, method, headers, body });
    },
    async stop() {
      agent.destroy();
      await processes.stopAll();
      rmSync(processes.dir, { recursive: true, force: true });
    },
  };
}

/** `fetch` would spend more of a small machine on the clients than the cores have for themselves. */
function send(
  agent: Agent,
  sent: { url: string; method: string; headers: Record<string, string>; body: unknown },
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const body = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const headers = {
    ...sent.headers,
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
  };
  const outgoing = request(sent.url, { method: sent.method, agent, headers }, (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", reject);
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const type = incoming.headers["content-type"] ?? "";
      const names = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      );
      resolve({
        status: incoming.statusCode ?? 0,
        headers: new Headers(names),
        text,
        body: type.includes("json") && text !== "" ? JSON.parse(text) : {},
      });
    });
  });
  outgoing.on("error", (error) => {
    // A kept connection may have been given up by the server at the moment it is used again.
    if (sent.method === "GET" && outgoing.reusedSocket) resolve(send(agent, sent));
    else reject(error);
  });
  outgoing.end(body);
  return promise;
}
