import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { request } from "../support/fan.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

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

const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code;

/** Turns until the place has its number; the outage's own refusals are waited out. */
const numberOf = (fan: Awaited<ReturnType<typeof joinAs>>) =>
  until(async () => {
    const { status, body } = await fan.turn();
    return status === 200 && "number" in body && body.number;
  }, 300);

test("with Redis gone joins are journalled, turns are told to wait, nobody new enters; an empty Redis is filled again", async () => {
  await stand.room("outage");
  const inside = await joinAs(stand, "outage");
  const { admission } = await inside.admit();
  const left = await joinAs(stand, "outage");
  await left.ask("DELETE", "/place");
  const waiting = await joinAs(stand, "outage", {});
  await stand.call("PATCH", "/api/rooms/outage", { ratePerMinute: 60 });

  await redis.kill();
  const stale = await until(async () => {
    const status = await stand.status("outage");
    return status.stale && status;
  });
  expect(stale.issued).toBe(3);
  const turn = await waiting.turn();
  expect([turn.status, codeOf(turn)]).toEqual([503, "not_ready"]);
  expect(Number(turn.headers.get("retry-after"))).toBeGreaterThanOrEqual(2);
  expect((await request("GET", `${stand.gate.origin}/readyz`)).status).toBe(503);
  const late = [];
  for (let at = 0; at < 6; at += 1) late.push(await joinAs(stand, "outage"));
  for (const fan of late) expect(fan.joined.place.number).toBeUndefined();
  const again = await joinAs(stand, "outage", { key: late[0]?.key ?? inside.key });
  expect(again.joined.place.id).toBe(late[0]?.joined.place.id);
  const goer = late.at(-1);
  expect((await goer?.ask("DELETE", "/place"))?.status).toBe(204);

  redis = await startRedis({ port: redis.port, args: ["--maxmemory-policy", "noeviction"] });
  await until(async () => !(await stand.status("outage")).stale);
  // Whoever was inside still is, with the same admission; whoever had left stays gone.
  const back = await inside.admit();
  expect(back.admission.expiresAt).toBe(admission.expiresAt);
  expect((await left.turn()).status).toBe(410);
  expect((await goer?.turn())?.status).toBe(410);
  expect(await numberOf(waiting)).toBe(waiting.joined.place.number);
  const numbers = [];
  for (const fan of late.slice(0, -1)) numbers.push(await numberOf(fan));
  expect(numbers).toEqual([...numbers].sort((a, b) => Number(a) - Number(b)));
  expect(new Set(numbers).size).toBe(5);
  expect(Math.min(...numbers.map(Number))).toBeGreaterThan(3);
  const status = await stand.status("outage");
  expect(status.restored?.spreadMs).toBeGreaterThan(0);
  const next = await joinAs(stand, "outage");
  expect(await numberOf(next)).toBeGreaterThan(Math.max(...numbers.map(Number)));

  // Lost once more, before anybody fetched a receipt with the number: what a turn told stays true.
  await redis.kill();
  await until(async () => (await stand.status("outage")).stale);
  redis = await startRedis({ port: redis.port, args: ["--maxmemory-policy", "noeviction"] });
  await until(async () => !(await stand.status("outage")).stale);
  const after = [];
  // The other way round: the order of coming back decides nothing.
  for (const fan of late.slice(0, -1).reverse()) after.unshift(await numberOf(fan));
  expect(after).toEqual(numbers);
});

test("a Redis that refuses writes or hangs is away, and is the same line when it is well again", async () => {
  await stand.room("sick");
  const fan = await joinAs(stand, "sick");
  const admin = new Redis(redis.url);
  await admin.config("SET", "maxmemory", "1");
  const journalled = await joinAs(stand, "sick");
  expect(journalled.joined.place.number).toBeUndefined();
  await admin.config("SET", "maxmemory", "0");
  await until(async () => !(await stand.status("sick")).stale);
  expect(await numberOf(journalled)).toBeGreaterThan(fan.joined.place.number ?? 0);

  process.kill(redis.pid, "SIGSTOP");
  const answer = await fan.turn();
  expect([answer.status, codeOf(answer)]).toEqual([503, "not_ready"]);
  process.kill(redis.pid, "SIGCONT");
  await until(async () => !(await stand.status("sick")).stale);
  expect(await numberOf(fan)).toBe(fan.joined.place.number);
  admin.disconnect();
});

test("a drawn room that loses Redis before the opening keeps every index and opens once", async () => {
  await stand.room("lot-lost", {
    early: "draw",
    opensAt: new Date(Date.now() + 6_000).toISOString(),
  });
  const before = await Promise.all(Array.from({ length: 4 }, () => joinAs(stand, "lot-lost")));
  await redis.kill();
  await sleep(1_500);
  const during = await joinAs(stand, "lot-lost");
  expect(during.joined.place.index).toBeUndefined();
  redis = await startRedis({ port: redis.port, args: ["--maxmemory-policy", "noeviction"] });
  const opened = await until(async () => {
    const status = await stand.status("lot-lost");
    return status.phase === "open" && status.pool.seed !== undefined && status;
  });
  expect(opened.pool.size).toBeGreaterThan(4);
  const numbers = await Promise.all([...before, during].map(numberOf));
  expect(new Set(numbers).size).toBe(5);
});

test("somebody taken out of the door by hand is not admitted", async () => {
  await stand.room("by-hand", { ratePerMinute: 600, activeMax: 1 });
  const first = await joinAs(stand, "by-hand");
  await first.admit();
  const second = await joinAs(stand, "by-hand");
  const admin = new Redis(redis.url);
  await until(async () => {
    await second.turn();
    return (await admin.zcard("room:{by-hand}:1:door")) === 1;
  });
  await admin.zrem("room:{by-hand}:1:door", second.joined.place.id);
  await admin.zrem("room:{by-hand}:1:line", second.joined.place.id);
  await first.ask("DELETE", "/place");
  await sleep(2_500);
  expect(await admin.zscore("room:{by-hand}:1:inside", second.joined.place.id)).toBeNull();
  admin.disconnect();
});
