import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StatusDocument } from "../../shared/contract/queue.ts";
import { request } from "../support/fan.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

const MEASURED_MS = 6_000;
const BATCH = 5_000;
let redis: RunningRedis;
let admin: Redis;
let stand: Stand;
beforeAll(async () => {
  redis = await startRedis({ args: ["--maxmemory-policy", "noeviction"] });
  admin = new Redis(redis.url);
  stand = await startStand({ redisUrl: redis.url });
});
afterAll(async () => {
  await stand.stop();
  admin.disconnect();
  await redis.stop();
});

/** As if so many had joined: places in the line under their numbers. */
async function fillLine(event: string, people: number): Promise<void> {
  const key = (name: string) => `room:{${event}}:1:${name}`;
  const last = Number(await admin.hget(key("meta"), "last"));
  for (let from = last + 1; from <= last + people; from += BATCH) {
    const members: (string | number)[] = [];
    for (let number = from; number < Math.min(from + BATCH, last + people + 1); number += 1)
      members.push(number, `plc_00_${String(number).padStart(22, "0")}`);
    await admin.zadd(key("line"), ...members);
  }
  await admin.hset(key("meta"), "last", last + people);
}

/** Scripts that ran and every other command, but for our own looks. */
async function commands(): Promise<number> {
  const info = await admin.info("commandstats");
  const counts = [...info.matchAll(/cmdstat_([a-z|]+):calls=(\d+)/g)];
  return counts
    .filter(([, name]) => name === "evalsha")
    .reduce((sum, [, , calls]) => sum + Number(calls), 0);
}

/** What those who wait do by the published plan: far from the front they read the document. */
async function wait(event: string, people: number): Promise<{ asked: number; ran: number }> {
  const url = `${stand.gate.origin}/api/queue/${event}/status`;
  const { body } = await request<StatusDocument>("GET", url);
  expect(body.waiting).toBeGreaterThanOrEqual(people);
  const before = await commands();
  const startedAt = Date.now();
  // As many readers as the plan's pace would bring in this time, cut to what one machine can send.
  const perSecond = Math.min(200, people / (body.poll.farMs / 1_000));
  let asked = 0;
  while (Date.now() - startedAt < MEASURED_MS) {
    const answers = await Promise.all(
      Array.from({ length: Math.ceil(perSecond / 4) }, () => request("GET", url)),
    );
    asked += answers.length;
    await sleep(250);
  }
  return { asked, ran: (await commands()) - before };
}

test("a hundred thousand who wait cost Redis no more commands than a thousand do", {
  timeout: 120_000,
}, async () => {
  await stand.room("few", { ratePerMinute: 60, activeMax: 10 });
  await joinAs(stand, "few");
  const fill = async (people: number) => {
    await fillLine("few", people);
    await until(async () => (await stand.status("few")).waiting >= people);
  };
  await fill(1_000);
  const few = await wait("few", 1_000);
  await fill(99_000);
  const many = await wait("few", 100_000);
  console.log(
    `1,000 waiting: ${few.asked} reads, ${few.ran} scripts in ${MEASURED_MS / 1_000} s; 100,000 waiting: ${many.asked} reads, ${many.ran} scripts`,
  );
  expect(many.asked).toBeGreaterThan(few.asked / 2);
  // Only the beat: about one script a second, however many wait.
  const beats = MEASURED_MS / 1_000;
  expect(few.ran).toBeLessThanOrEqual(2 * beats + 2);
  expect(many.ran).toBeLessThanOrEqual(2 * beats + 2);
});

test("nothing that is one fan's may be cached by anybody, whatever the answer is", async () => {
  await stand.room("private", { binding: "none", challenge: "none" });
  await stand.room("private-work", { challenge: "pow" });
  const fan = await joinAs(stand, "private", { bound: false });
  const base = `${stand.gate.origin}/api/queue/private`;
  const headers = { authorization: `Place ${fan.token}` };
  const answers = [
    await request("POST", `${base}/places`, { body: {} }),
    await request("POST", `${base}/places`, { body: {}, headers }),
    await request("POST", `${base}/turn`, { headers }),
    await request("POST", `${base}/turn`, { headers: { authorization: "Place x" } }),
    await request("GET", `${base}/place`, { headers }),
    await request("GET", `${base}/line`, { headers }),
    await request("POST", `${base}/line`),
    await request("POST", `${stand.gate.origin}/api/queue/private-work/places`, {
      body: { key: fan.key.publicJwk },
    }),
    await request("DELETE", `${base}/place`, { headers }),
    await request("GET", `${base}/place`, { headers }),
    await stand.call("GET", "/api/rooms/private"),
    await stand.call("GET", "/api/rooms/private/figures"),
    await stand.call("GET", "/api/rooms/private/log"),
  ];
  for (const [at, { status, headers: said }] of answers.entries())
    expect(said.get("cache-control"), `answer ${at}, ${status}`).toBe("no-store");
});

test("query, fragment and headers make no second document, and invented events no object", async () => {
  await stand.room("one-key");
  const url = `${stand.gate.origin}/api/queue/one-key/status`;
  const answers = await Promise.all([
    ...Array.from({ length: 40 }, (_, at) => request<StatusDocument>("GET", `${url}?x=${at}`)),
    ...Array.from({ length: 10 }, (_, at) =>
      request<StatusDocument>("GET", url, {
        headers: { "cache-control": "no-cache", pragma: "no-cache", cookie: `a=${at}` },
      }),
    ),
  ]);
  // One document, or two where the second changed meanwhile.
  expect(new Set(answers.map(({ body }) => body.now)).size).toBeLessThanOrEqual(2);
  const keys = await admin.dbsize();
  const floods = await Promise.all(
    Array.from({ length: 300 }, (_, at) => {
      const event = `invented-${at}`;
      const path = ["status", "places", "turn", "draw", "line"][at % 5];
      const method = path === "places" || path === "turn" ? "POST" : "GET";
      return request(method, `${stand.gate.origin}/api/queue/${event}/${path}`);
    }),
  );
  expect(new Set(floods.map(({ status }) => status))).toEqual(new Set([404]));
  expect(await admin.dbsize()).toBe(keys);
  expect((await request("GET", `${stand.gate.origin}/readyz`)).body["rooms"]).toBeLessThan(10);
});
