import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StatusDocument } from "../../shared/contract/queue.ts";
import { request } from "../support/fan.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { joinAs, type Stand, startStand } from "./stand.ts";

let redis: RunningRedis;
let stand: Stand;
beforeAll(async () => {
  redis = await startRedis({ args: ["--maxmemory-policy", "noeviction"] });
  stand = await startStand({ redisUrl: redis.url });
});
afterAll(async () => {
  await stand.stop();
  await redis.stop();
});

/** Scripts that Redis has run. */
async function scriptCalls(admin: Redis): Promise<number> {
  const info = await admin.info("commandstats");
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
}

test("reading the status costs no Redis command, and the Room is asked at most once a second", async () => {
  await stand.room("cheap");
  for (let count = 0; count < 5; count += 1) await joinAs(stand, "cheap");
  const admin = new Redis(redis.url);
  const url = `${stand.gate.origin}/api/queue/cheap/status`;
  const before = await scriptCalls(admin);
  const startedAt = Date.now();
  const seen = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        request<StatusDocument>("GET", at % 2 === 0 ? url : `${url}?x=${round * 20 + at}`),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      seen.add(body.now);
    }
  }
  const seconds = Math.ceil((Date.now() - startedAt) / 1_000);
  expect(seen.size).toBeLessThanOrEqual(seconds + 1);
  // Only the beat itself: one tick a second, and one more where work was left over.
  expect((await scriptCalls(admin)) - before).toBeLessThanOrEqual(2 * (seconds + 1));
  admin.disconnect();
});

test("the shared document may be cached by anybody for a second, and nothing personal may", async () => {
  await stand.room("headers");
  const { origin } = stand.gate;
  const fan = await joinAs(stand, "headers");
  const shared = await request("GET", `${origin}/api/queue/headers/status`, {
    headers: { cookie: fan.cookie, "x-request-id": "my-own-request-id" },
  });
  expect(shared.headers.get("cache-control")).toBe("public, max-age=1");
  expect(shared.headers.get("set-cookie")).toBeNull();
  expect(shared.headers.get("x-request-id")).toBe("my-own-request-id");
  expect(shared.headers.get("dpop-nonce")).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect(shared.text).not.toContain(fan.joined.place.id);
  expect((await fan.turn()).headers.get("cache-control")).toBe("no-store");
  expect((await fan.ask("GET", "/place")).headers.get("cache-control")).toBe("no-store");
  const wrong = await request("GET", `${origin}/api/queue/nobody/status`);
  expect(wrong.headers.get("cache-control")).toBe("no-store");
  const head = await fetch(`${origin}/api/queue/headers/status`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("v never goes back, and the core's public answers are fetched once in two seconds", async () => {
  await stand.room("grows");
  const first = await stand.status("grows");
  await stand.call("PATCH", "/api/rooms/grows", { notice: "Doors at seven." });
  const second = await stand.status("grows");
  expect(second.v).toBeGreaterThan(first.v);
  expect(second.notice).toBe("Doors at seven.");
  const url = `${stand.gate.origin}/v1/events/grows/seats`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => request("GET", url)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(stand.core.calls.filter(({ path }) => path.endsWith("/seats"))).toHaveLength(1);
  expect(answers[0]?.headers.get("cache-control")).toBe("public, max-age=2");
  const unchanged = await request("GET", url, { headers: { "if-none-match": '"one"' } });
  expect(unchanged.status).toBe(304);
});

test("a flood of invented events makes no object and no key", async () => {
  const admin = new Redis(redis.url);
  const before = await admin.dbsize();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      request("POST", `${stand.gate.origin}/api/queue/invented-${at}/places`, { body: {} }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect(await admin.dbsize()).toBe(before);
  admin.disconnect();
});
