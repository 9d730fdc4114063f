// The process itself: how it starts, what it refuses, how it stops.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createStreamTickets } from "../../core/live/ticket.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { type DeploymentKeys, makeKeys } from "../../tools/stack/keys.ts";
import { describeSmallEvent } from "../support/events.ts";
import { createDatabase, type TestDatabase } from "../support/postgres.ts";
import { claimRedis, startRedis } from "../support/redis.ts";

const MAIN = fileURLToPath(new URL("../../core/main.ts", import.meta.url));

let database: TestDatabase;
let keys: DeploymentKeys;
let redisUrl: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [database, keys, { url: redisUrl }] = await Promise.all([
    createDatabase(),
    makeKeys(new Date()),
    claimRedis(),
  ]);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => database.drop());

type Running = { child: ChildProcess; output(): string; exit: Promise<number | null> };

function start(env: Record<string, string>): Running {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    output += bytes.toString();
  });
  child.stderr.on("data", (bytes: Buffer) => {
    output += bytes.toString();
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on("exit", resolve);
  return { child, output: () => output, exit: promise };
}

const environment = (port: number): Record<string, string> => ({
  NODE_ENV: "test",
  CORE_PORT: String(port),
  CORE_ORIGIN: `http://127.0.0.1:${port}`,
  EDGE_ORIGIN: "http://127.0.0.1:9",
  DATABASE_URL: database.url,
  REDIS_LOCKS_URL: redisUrl,
  REDIS_CACHE_URL: redisUrl,
  CORE_KEYS: JSON.stringify(keys.coreKeys),
  CORE_SECRET: keys.coreSecret,
  ORGANIZER_KEY: keys.organizerKey,
  PSP_ORIGIN: "http://127.0.0.1:9",
  PSP_SECRET: keys.pspSecret,
  PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
});

const status = (url: string) =>
  fetch(url).then(
    (response) => response.status,
    () => 0,
  );

test("starts, answers, and at SIGTERM finishes what it has begun", async () => {
  const port = await findFreePort();
  const core = start(environment(port));
  const origin = `http://127.0.0.1:${port}`;
  await expect.poll(() => status(`${origin}/readyz`), { timeout: 20_000 }).toBe(200);
  const session = await fetch(`${origin}/v1/organizer/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: keys.organizerKey }),
  });
  expect(session.status).toBe(200);
  const { token } = (await session.json()) as { token: string };
  const made = await fetch(`${origin}/v1/organizer/events/alpha`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(describeSmallEvent()),
  });
  expect(made.status).toBe(201);
  // An open stream would never end by itself.
  const secret = Uint8Array.from(Buffer.from(keys.coreSecret, "hex"));
  const tickets = await createStreamTickets(secret);
  const ticket = await tickets.issue({ event: "alpha", expiresAtMs: Date.now() + 60_000 });
  const stream = await fetch(`${origin}/v1/events/alpha/stream?ticket=${ticket}`);
  expect(stream.status).toBe(200);
  const streamed = stream.text();
  core.child.kill("SIGTERM");
  expect(await streamed).toContain("event: snapshot");
  expect(await core.exit).toBe(0);
  expect(await status(`${origin}/healthz`)).toBe(0);
  expect(core.output()).not.toContain(keys.organizerKey);
});

test("names every bad variable and ends", async () => {
  const core = start({ NODE_ENV: "production", ORGANIZER_KEY: "short" });
  expect(await core.exit).not.toBe(0);
  for (const name of ["DATABASE_URL", "CORE_SECRET", "CORE_KEYS", "ORGANIZER_KEY"])
    expect(core.output()).toContain(name);
});

test("does not start on a Redis for locks that would evict them", async () => {
  const evicting = await startRedis({ args: ["--maxmemory-policy", "allkeys-lru"] });
  try {
    const core = start({ ...environment(await findFreePort()), REDIS_LOCKS_URL: evicting.url });
    expect(await core.exit).not.toBe(0);
    expect(core.output()).toContain("noeviction");
  } finally {
    await evicting.stop();
  }
});

test("starts without database and Redis, and says that it is not ready", async () => {
  const port = await findFreePort();
  const core = start({
    ...environment(port),
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
    REDIS_LOCKS_URL: "redis://127.0.0.1:9",
    REDIS_CACHE_URL: "redis://127.0.0.1:9",
  });
  const origin = `http://127.0.0.1:${port}`;
  await expect.poll(() => status(`${origin}/healthz`), { timeout: 20_000 }).toBe(200);
  expect(await status(`${origin}/readyz`)).toBe(503);
  core.child.kill("SIGTERM");
  expect(await core.exit).toBe(0);
});
