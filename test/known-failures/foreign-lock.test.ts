// Known failure 20: a lock released by somebody who no longer owned it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { lockSeats, SEAT_LOCK_MS, unlockSeats } from "../../core/holds/seat-locks.ts";
import { type House, openHouse } from "../core/house.ts";
import { waitFor } from "../support/wait-for.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
  await waitFor(() => house.deps.redis.locks.available());
});
afterAll(() => house.close());

const seats = ["A-1-1", "A-1-2"];
const wanted = (subject: string) => ({ event: "lock-show", seats, subject });
const keyOf = (seat: string) => `${house.deps.redis.locks.prefix}seat:{lock-show}:${seat}`;

it("a seat lock that ran out and passed to somebody else stays theirs", async () => {
  const { locks } = house.deps.redis;
  expect(await lockSeats(locks, wanted("slow"))).toEqual({ kind: "go", taken: true });
  // What the end of its life does, without waiting for it.
  await locks.client.del(...seats.map(keyOf));
  expect(await lockSeats(locks, wanted("next"))).toEqual({ kind: "go", taken: true });
  unlockSeats(locks, wanted("slow"));
  await locks.client.ping();
  expect(await locks.client.mget(seats.map(keyOf))).toEqual(["next", "next"]);
  for (const seat of seats)
    expect(await locks.client.pttl(keyOf(seat))).toBeLessThanOrEqual(SEAT_LOCK_MS);
  unlockSeats(locks, wanted("next"));
  await waitFor(async () => (await locks.client.exists(seats.map(keyOf))) === 0);
});

it("a person refused because of one lock takes and leaves none, and keeps the others apart", async () => {
  const { locks } = house.deps.redis;
  await locks.client.set(keyOf("A-1-2"), "somebody", "PX", SEAT_LOCK_MS);
  expect(await lockSeats(locks, wanted("me"))).toEqual({ kind: "busy", seats: ["A-1-2"] });
  expect(await locks.client.mget(seats.map(keyOf))).toEqual([null, "somebody"]);
});
