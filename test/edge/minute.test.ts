import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Figures } from "../../edge/room/messages.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { joinAs, type Stand, startStand, type TestFan, until } from "./stand.ts";

const EVENT = "minute";
const RATE = 300;
const FANS = 1_400;
const WINDOW_MS = 60_000;
const SETTLE_MS = 6_000;
const POLL_MS = 2_000;
const JOINS_AT_ONCE = 20;

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

const key = (name: string) => `room:{${EVENT}}:1:${name}`;

async function joinAll(): Promise<TestFan[]> {
  const fans: TestFan[] = [];
  const join = async () => {
    while (fans.length < FANS) fans.push(await joinAs(stand, EVENT));
  };
  await Promise.all(Array.from({ length: JOINS_AT_ONCE }, join));
  return fans.sort((a, b) => (a.joined.place.number ?? 0) - (b.joined.place.number ?? 0));
}

/** When each claim was made, by the record that the script wrote; ms. */
async function claimTimes(admin: Redis): Promise<number[]> {
  const slots = await admin.hvals(key("slot"));
  return slots
    .map((text) => Number(text.split(":")[2]))
    .filter((at) => at > 0)
    .sort((a, b) => a - b);
}

function worstWindow(times: readonly number[]): number {
  let first = 0;
  let worst = 0;
  for (const [last, at] of times.entries()) {
    while (at - (times[first] ?? 0) >= WINDOW_MS) first += 1;
    worst = Math.max(worst, last - first + 1);
  }
  return worst;
}

type Sample = { issued: number; waiting: number; inside: number; over: number };

const sampleFigures = async (): Promise<Sample> => {
  const { body } = await stand.call<Figures>("GET", `/api/rooms/${EVENT}/figures`);
  const { issued, waiting, inside, finished, gone, unreturned } = body;
  expect(issued).toBe(waiting + inside + finished + gone + unreturned);
  expect(unreturned).toBe(0);
  return { issued, waiting, inside, over: finished + gone };
};

async function sampleRedis(admin: Redis): Promise<Sample> {
  const names = ["line", "inside", "gone"];
  const replies = await names
    .reduce((multi, name) => multi.zcard(key(name)), admin.multi())
    .hmget(key("meta"), "last", "leaving")
    .exec();
  const [waiting, inside, gone] = (replies ?? []).slice(0, 3).map(([, value]) => Number(value));
  const meta = replies?.[3]?.[1] as [string, string];
  // Whoever left from inside is in `gone`, and holds the slot until its end.
  const sample = {
    issued: Number(meta[0]),
    waiting: waiting ?? 0,
    inside: inside ?? 0,
    over: (gone ?? 0) - Number(meta[1]),
  };
  expect(sample.issued).toBe(sample.waiting + sample.inside + sample.over);
  return sample;
}

/** Turns as the page does once it is near, claims, and now and then leaves or ends the slot. */
async function waitAndShop(
  fan: TestFan,
  more: { at: number; calling: () => number; isOver: () => boolean },
): Promise<boolean> {
  const number = fan.joined.place.number ?? 0;
  let pauseMs = POLL_MS;
  while (!more.isOver()) {
    await sleep(pauseMs * (1 + Math.random() * 0.2));
    if (number > more.calling()) continue;
    const { status, body } = await fan.turn();
    if (status === 200 && body.state === "admitted") {
      if (more.at % 7 === 0) {
        await sleep(1_000);
        await fan.ask("DELETE", "/place");
      }
      return true;
    }
    // Whoever is told "ready" hears when there will be room in the minute.
    pauseMs = status === 200 && body.state === "ready" ? body.retryAfterMs : POLL_MS;
    if (status !== 200 && status !== 503) throw new Error(`turn: ${status}`);
  }
  return false;
}

test("in a minute at 300 a minute with half of the heads gone 300 claim, never more in any minute, and the figures are what Redis counts in every second", {
  timeout: 150_000,
}, async () => {
  await stand.room(EVENT, {
    ratePerMinute: RATE,
    activeMax: 5_000,
    opensAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const fans = await joinAll();
  const admin = new Redis(redis.url);
  let calling = 0;
  let over = false;
  const startedAt = Date.now();
  await stand.call("POST", `/api/rooms/${EVENT}/actions`, { action: "open", reason: "now" });
  const watching = (async () => {
    let seconds = 0;
    let equal = 0;
    while (!over) {
      calling = (await stand.status(EVENT)).calling;
      seconds += 1;
      // Two looks at two places are not at one instant: what a leave has just changed, the figures know
      // from the next tick on.
      const since = Date.now();
      while (Date.now() - since < 3_000) {
        const [told, counted] = await Promise.all([sampleFigures(), sampleRedis(admin)]);
        if (JSON.stringify(told) === JSON.stringify(counted)) {
          equal += 1;
          break;
        }
        await sleep(50);
      }
      await sleep(1_000);
    }
    return { seconds, equal };
  })();
  // Every second one has closed the tab: joined, and never heard of again.
  const present = fans.filter((_, at) => at % 2 === 0);
  const shopping = present.map((fan, at) =>
    waitAndShop(fan, { at, calling: () => calling, isOver: () => over }),
  );
  const firstClaim = await until(async () => (await claimTimes(admin))[0], 500);
  await sleep(firstClaim + SETTLE_MS + WINDOW_MS + 1_000 - Date.now());
  const figures = await stand.call<Figures>("GET", `/api/rooms/${EVENT}/figures`);
  over = true;
  await Promise.all(shopping);
  const watched = await watching;

  const times = await claimTimes(admin);
  const from = firstClaim + SETTLE_MS;
  const inWindow = times.filter((at) => at >= from && at < from + WINDOW_MS).length;
  const worst = worstWindow(times);
  const beats = figures.body.history.perSecond.map(({ at }) => at);
  const gaps = beats.slice(1).map((at, i) => at - (beats[i] ?? at));
  console.log(
    `${times.length} claims, ${inWindow} in the minute, at most ${worst} in any; first after ${firstClaim - startedAt} ms;`,
    `the longest time between two beats was ${Math.max(...gaps)} ms; figures said ${figures.body.measuredPerMinute}; equal to Redis in ${watched.equal} of ${watched.seconds} seconds`,
  );
  expect(worst).toBeLessThanOrEqual(RATE);
  expect(Math.abs(inWindow - RATE)).toBeLessThanOrEqual(3);
  expect(Math.abs(figures.body.measuredPerMinute - RATE)).toBeLessThanOrEqual(3);
  expect(figures.body.admitted).toBeGreaterThan(RATE);
  expect(watched.equal).toBe(watched.seconds);
  admin.disconnect();
});
