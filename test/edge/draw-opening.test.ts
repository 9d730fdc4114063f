import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JoinReply } from "../../shared/contract/queue.ts";
import { fromHex } from "../../shared/draw/hex.ts";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { type Draw, drawOf } from "../../shared/draw/numbers.ts";
import { makeSessionKey } from "../../tools/crowd/session-key.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const HOUR_MS = 3_600_000;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Waits until the numbers are out, and does the draw for itself. */
async function drawn(event: string): Promise<Draw> {
  const status = await until(async () => {
    const seen = await stand.status(event);
    return seen.pool.seed !== undefined && seen;
  });
  return drawOf({
    seed: fromHex(status.pool.seed ?? ""),
    beacon: NO_BEACON,
    event,
    epoch: status.epoch,
    count: status.pool.size ?? 0,
  });
}

test("1,000 joins race the opening: each is in the pool or behind it, and stays so", async () => {
  const RACERS = 1_000;
  const SPREAD_MS = 2_000;
  await stand.room("race", { early: "draw", opensAt: inMs(HOUR_MS) });
  const keys = Array.from({ length: RACERS }, makeSessionKey);
  const path = `${stand.gate.origin}/api/queue/race/places`;
  const join = async (at: number): Promise<JoinReply["place"]> => {
    const { status, body } = await request<JoinReply>("POST", path, {
      body: { key: keys[at]?.publicJwk },
    });
    if (status === 200 || status === 201) return body.place;
    await sleep(300);
    return await join(at);
  };
  const opensAt = Date.now() + 4_000;
  await stand.call("PATCH", "/api/rooms/race", { opensAt: new Date(opensAt).toISOString() });
  const first = await Promise.all(
    keys.map(async (_, at) => {
      await sleep(Math.max(0, opensAt - SPREAD_MS / 2 - Date.now() + (at * SPREAD_MS) / RACERS));
      // The same fan twice at once, now and then: a hurry gives nothing.
      const [place, again] = await Promise.all([join(at), at % 10 === 0 ? join(at) : undefined]);
      if (again?.index !== undefined && place.index !== undefined)
        expect(again.index).toBe(place.index);
      return place;
    }),
  );
  const draw = await drawn("race");
  const pooled = first.flatMap(({ index }) => (index === undefined ? [] : [index]));
  const late = first.filter(({ index }) => index === undefined);
  expect(pooled.length).toBeGreaterThan(0);
  expect(late.length).toBeGreaterThan(0);
  expect([...pooled].sort((a, b) => a - b)).toEqual(
    Array.from({ length: draw.count }, (_, i) => i),
  );

  const again = await Promise.all(
    keys.map((_, at) =>
      until(async () => {
        const place = await join(at);
        return place.number !== undefined && place;
      }, 300),
    ),
  );
  expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  for (const [at, { index }] of first.entries()) {
    const number = again[at]?.number ?? 0;
    if (index === undefined) expect(number).toBeGreaterThan(draw.count);
    else expect(number).toBe(draw.numberOf(index));
  }
  expect(again.map(({ number }) => number).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: RACERS }, (_, i) => i + 1),
  );
  const last = await joinAs(stand, "race");
  expect(last.joined.place).toMatchObject({ number: RACERS + 1 });
});

test("who joins again before the opening has the same index, and its number after it", async () => {
  await stand.room("again", { early: "draw", opensAt: inMs(HOUR_MS) });
  const fans = await Promise.all(Array.from({ length: 5 }, () => joinAs(stand, "again")));
  const again = await Promise.all(fans.map(({ key }) => joinAs(stand, "again", { key })));
  expect(again.map(({ joined }) => joined.place.index)).toEqual(
    fans.map(({ joined }) => joined.place.index),
  );
  await stand.call("POST", "/api/rooms/again/actions", { action: "open", reason: "all are here" });
  const draw = await drawn("again");
  for (const { key, joined } of fans) {
    const { place } = (await joinAs(stand, "again", { key })).joined;
    expect(place.number).toBe(draw.numberOf(joined.place.index ?? -1));
  }
});

test("who has left, or never comes back, holds nobody up", async () => {
  await stand.room("absent", { early: "draw", opensAt: inMs(HOUR_MS), ratePerMinute: 6_000 });
  const fans = await Promise.all(Array.from({ length: 30 }, () => joinAs(stand, "absent")));
  // A third leaves, a third just goes away, a third comes.
  await Promise.all(
    fans.slice(0, 10).map(async (fan) => {
      expect((await fan.ask("DELETE", "/place")).status).toBe(204);
    }),
  );
  await stand.call("POST", "/api/rooms/absent/actions", { action: "open", reason: "it is time" });
  const draw = await drawn("absent");
  expect(draw.count).toBe(30);
  const admitted = await Promise.all(fans.slice(20).map((fan) => fan.admit()));
  expect(admitted.map(({ number }) => number)).toEqual(
    fans.slice(20).map(({ joined }) => draw.numberOf(joined.place.index ?? -1)),
  );
  expect((await fans[0]?.turn())?.status).toBe(410);
  const after = await stand.status("absent");
  expect([after.inside, after.waiting]).toEqual([10, 10]);
});

test("a pause or a close in the moment of the opening is not undone by the draw", async () => {
  await stand.room("hurry", { early: "draw", opensAt: inMs(HOUR_MS) });
  const fan = await joinAs(stand, "hurry");
  const act = (action: string) =>
    stand.call("POST", "/api/rooms/hurry/actions", { action, reason: "on second thought" });
  await act("open");
  await until(async () => (await stand.status("hurry")).phase === "open");
  await act("pause");
  await sleep(2_500);
  const paused = await stand.status("hurry");
  expect([paused.phase, paused.pool.seed === undefined]).toEqual(["paused", false]);
  await act("resume");
  await fan.admit();
});
