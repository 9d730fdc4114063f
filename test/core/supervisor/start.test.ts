// `npm start` itself: several processes on one port that outlives each of them.
import { type ChildProcess, spawn } from "node:child_process";
import { get } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../../tools/services/ports.ts";
import { makeKeys } from "../../../tools/stack/keys.ts";
import { createDatabase, type TestDatabase } from "../../support/postgres.ts";
import { claimRedis } from "../../support/redis.ts";
import { waitFor } from "../../support/wait-for.ts";

const START = fileURLToPath(new URL("../../../core/start.ts", import.meta.url));

let database: TestDatabase;
let env: Record<string, string>;
let origin: string;
let child: ChildProcess | undefined;
let output = "";

beforeAll(async () => {
  const [made, keys, { url: redisUrl }, port] = await Promise.all([
    createDatabase(),
    makeKeys(new Date()),
    claimRedis(),
    findFreePort(),
  ]);
  database = made;
  origin = `http://127.0.0.1:${port}`;
  env = {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "test",
    CORE_PROCESSES: "2",
    CORE_PORT: String(port),
    CORE_ORIGIN: origin,
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
  };
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await database?.drop();
});

function start(more: Record<string, string> = {}): Promise<number | null> {
  output = "";
  const started = spawn(process.execPath, [START], {
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
  return new Promise((resolve) => started.on("exit", resolve));
}

const pids = (): number[] =>
  [...output.matchAll(/"worker":\d+,"pid":(\d+),"msg":"worker listens"/g)].map(([, pid]) =>
    Number(pid),
  );

/** Each time on a connection of its own: a kept one may be closed by either side at any time. */
const answers = () =>
  new Promise<boolean>((resolve) => {
    const asked = get(`${origin}/healthz`, { agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200));
    });
    asked.on("error", () => resolve(false));
  });

test("a worker that dies is replaced, SIGHUP replaces all without a gap, SIGTERM ends all", async () => {
  const exit = start();
  await waitFor(() => pids().length === 2);
  expect(await answers()).toBe(true);

  // Each process counts its own requests; the figures behind the port are of both.
  await Promise.all(Array.from({ length: 20 }, answers));
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const counted = /sira_http_seconds_count\{[^}]*route="\/healthz"[^}]*\} (\d+)/.exec(metrics);
  expect(Number(counted?.[1])).toBe(21);

  const [first = 0] = pids();
  process.kill(first, "SIGKILL");
  await waitFor(() => pids().length === 3);
  expect(await answers()).toBe(true);

  let refused = 0;
  let asked = 0;
  let asking = true;
  const asker = (async () => {
    while (asking) {
      asked += 1;
      if (!(await answers())) refused += 1;
    }
  })();
  child?.kill("SIGHUP");
  await waitFor(() => output.includes("all workers are new"));
  asking = false;
  await asker;
  expect(asked).toBeGreaterThan(20);
  expect(refused).toBe(0);
  expect(pids()).toHaveLength(5);

  child?.kill("SIGTERM");
  expect(await exit).toBe(0);
  expect(await answers()).toBe(false);
  for (const pid of pids()) expect(() => process.kill(pid, 0)).toThrow();
  // Five processes start here, one after the other.
}, 180_000);

test("a setting that no worker can start with ends it with the worker's own words", async () => {
  const production = { NODE_ENV: "production" };
  expect(await start(production)).not.toBe(0);
  for (const name of ["PAYMENT_PROVIDER", "CORE_ORIGIN", "SMTP_URL"])
    expect(output).toContain(name);
  expect(await start({ CORE_PROCESSES: "none" })).not.toBe(0);
  expect(output).toContain("CORE_PROCESSES");
});
