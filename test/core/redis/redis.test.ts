import pino from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import {
  BREAKER_FAILURES_MAX,
  BREAKER_OPEN_MS,
  createBreaker,
} from "../../../core/redis/breaker.ts";
import { infoField, readLocksFacts, requireNoEviction } from "../../../core/redis/check.ts";
import { connectRedis } from "../../../core/redis/connect.ts";
import type { Redis } from "../../../core/redis/redis.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";

const log = pino({ level: "silent" });
const servers: RunningRedis[] = [];
const opened: Redis[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((redis) => redis.close()));
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(args: string[] = []): Promise<RunningRedis> {
  const server = await startRedis({ args });
  servers.push(server);
  return server;
}

async function open(url: string): Promise<Redis> {
  const redis = connectRedis(
    { locksUrl: url, cacheUrl: url, prefix: "" },
    { log, metrics: createMetrics() },
  );
  opened.push(redis);
  return redis;
}

const ready = (redis: Redis) =>
  expect.poll(() => redis.locks.client.status, { timeout: 8_000 }).toBe("ready");

describe("one use of Redis", () => {
  test("gives what Redis says", async () => {
    const redis = await open((await start()).url);
    await ready(redis);
    expect(await redis.locks.attempt((client) => client.set("a", "1"))).toEqual({
      ok: true,
      value: "OK",
    });
  });

  test("never throws: a wrong command is an error as a value", async () => {
    const redis = await open((await start()).url);
    await ready(redis);
    await redis.locks.client.set("a", "text");
    const answer = await redis.locks.attempt((client) => client.incr("a"));
    expect(answer).toMatchObject({ ok: false, error: { reason: "error" } });
  });

  test("a stopped server costs no time, and is used again when it is back", async () => {
    const server = await start();
    const redis = await open(server.url);
    await ready(redis);
    await server.stop();
    await expect.poll(() => redis.locks.client.status).not.toBe("ready");
    expect(await redis.locks.attempt((client) => client.get("a"))).toMatchObject({
      ok: false,
      error: { reason: "away" },
    });
    const again = await startRedis({ port: server.port });
    servers.push(again);
    await ready(redis);
    expect((await redis.locks.attempt((client) => client.get("a"))).ok).toBe(true);
  });

  test("a server that answers nothing costs its time limit a few times, then nothing", async () => {
    const server = await start();
    const redis = await open(server.url);
    await ready(redis);
    process.kill(server.pid, "SIGSTOP");
    try {
      const reasons: string[] = [];
      for (let tries = 0; tries < BREAKER_FAILURES_MAX + 3; tries += 1) {
        const answer = await redis.locks.attempt((client) => client.get("a"), 30);
        reasons.push(answer.ok ? "ok" : answer.error.reason);
      }
      expect(reasons.slice(0, 3)).toEqual(["timeout", "timeout", "timeout"]);
      expect(reasons.at(-1)).toBe("away");
      expect(redis.locks.available()).toBe(false);
    } finally {
      process.kill(server.pid, "SIGCONT");
    }
    await expect
      .poll(async () => (await redis.locks.attempt((client) => client.get("a"))).ok, {
        timeout: 8_000,
      })
      .toBe(true);
  });

  test("a lost connection repeats nothing by itself", async () => {
    const server = await start();
    const redis = await open(server.url);
    await ready(redis);
    const paused = await open(server.url);
    await ready(paused);
    await paused.locks.client.client("PAUSE", 400, "ALL");
    const lost = redis.locks.attempt((client) => client.incr("counter"), 2_000);
    redis.locks.client.disconnect(true);
    expect((await lost).ok).toBe(false);
    const count = async () => {
      const answer = await redis.locks.attempt((client) => client.get("counter"), 1_000);
      return answer.ok ? Number(answer.value) : undefined;
    };
    await expect.poll(count, { timeout: 8_000 }).toBeDefined();
    expect(await count()).toBeLessThanOrEqual(1);
  });
});

describe("the locks' server", () => {
  test("must not evict", async () => {
    const evicting = await open((await start(["--maxmemory-policy", "allkeys-lru"])).url);
    const facts = await readLocksFacts(evicting.locks);
    expect(facts.policy).toBe("allkeys-lru");
    expect(() => requireNoEviction(facts)).toThrow("noeviction");
    const keeping = await open((await start(["--appendonly", "yes"])).url);
    const good = await readLocksFacts(keeping.locks);
    expect(good).toEqual({ policy: "noeviction", persistence: { aof: true, snapshots: true } });
    requireNoEviction(good);
  });

  test("that is away at start is no reason not to sell", async () => {
    const redis = await open("redis://127.0.0.1:9");
    const facts = await readLocksFacts(redis.locks);
    expect(facts.policy).toBeUndefined();
    requireNoEviction(facts);
  });

  test("INFO is read field by field", () => {
    const info = "# Memory\r\nused_memory:1\r\nmaxmemory_policy:noeviction\r\n";
    expect(infoField(info, "maxmemory_policy")).toBe("noeviction");
    expect(infoField(info, "memory")).toBeUndefined();
  });
});

describe("the breaker", () => {
  test("opens after failures in a row, lets one through now and then, closes with a success", () => {
    const breaker = createBreaker();
    for (let i = 0; i < BREAKER_FAILURES_MAX; i += 1) {
      expect(breaker.allows(1_000)).toBe(true);
      breaker.failed(1_000);
    }
    expect(breaker.allows(1_001)).toBe(false);
    const later = 1_000 + BREAKER_OPEN_MS;
    expect([breaker.allows(later), breaker.allows(later), breaker.allows(later)]).toEqual([
      true,
      false,
      false,
    ]);
    breaker.succeeded();
    expect(breaker.allows(later)).toBe(true);
    expect(breaker.isOpen(later)).toBe(false);
  });

  test("a success in between starts the count anew", () => {
    const breaker = createBreaker();
    for (let i = 0; i < 20; i += 1) {
      breaker.failed(0);
      if (i % 3 === 0) breaker.succeeded();
    }
    expect(breaker.allows(0)).toBe(true);
  });
});
