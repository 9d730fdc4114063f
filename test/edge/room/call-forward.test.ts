import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideAdvance,
  LOOK_AHEAD_MAX_MS,
  LOOK_AHEAD_MIN_MS,
  lookAheadMs,
  NO_CALLS,
  onTheirWay,
  PEOPLE_MIN,
  SHARE_MIN,
  seeTick,
  showUpShare,
} from "../../../edge/room/call-forward.ts";

const NOW = 1_800_000_000_000;
const plenty = { freeSlots: 100_000, freedPerMinute: 0 };

/** Calls ten a second; of each ten so many come after a lag. */
function seen(options: { come: number; lagMs: number; seconds: number }) {
  let state = NO_CALLS;
  for (let s = 0; s < options.seconds; s += 1) {
    const now = NOW + s * 1_000;
    const called = s - Math.ceil(options.lagMs / 1_000);
    const arrivals =
      called < 0
        ? []
        : Array.from({ length: options.come }, (_, i) => ({
            number: called * 10 + i + 1,
            at: NOW + called * 1_000 + options.lagMs,
          }));
    const tick = {
      now,
      calledFrom: s * 10,
      calledTo: s * 10 + 10,
      called: 10,
      arrivals,
      byNumbers: false,
    };
    state = seeTick(state, tick);
  }
  return { state, now: NOW + options.seconds * 1_000 };
}

describe("calling forward", () => {
  it("learns the share that comes", () => {
    for (const come of [1, 5, 9]) {
      const { state, now } = seen({ come, lagMs: 4_000, seconds: 120 });
      expect(showUpShare(state, now)).toBeCloseTo(come / 10, 1);
    }
  });

  it("learns the time to the door, within its bounds", () => {
    expect(lookAheadMs(seen({ come: 5, lagMs: 4_000, seconds: 60 }).state)).toBe(LOOK_AHEAD_MIN_MS);
    expect(lookAheadMs(seen({ come: 5, lagMs: 55_000, seconds: 120 }).state)).toBe(55_000);
    expect(lookAheadMs(seen({ come: 5, lagMs: 300_000, seconds: 400 }).state)).toBeLessThanOrEqual(
      LOOK_AHEAD_MAX_MS,
    );
  });

  it("calls at least ten people, however slow the room", () => {
    expect(
      decideAdvance(NO_CALLS, { ratePerMinute: 1, door: 0, ...plenty }, NOW),
    ).toBeGreaterThanOrEqual(PEOPLE_MIN);
  });

  it("calls nobody while enough are at the door", () => {
    expect(decideAdvance(NO_CALLS, { ratePerMinute: 60, door: 30, ...plenty }, NOW)).toBe(0);
  });

  it("does not wait for absentees for ever", () => {
    const { state, now } = seen({ come: 0, lagMs: 0, seconds: 20 });
    expect(onTheirWay(state, now)).toBe(200);
    expect(onTheirWay(state, now + LOOK_AHEAD_MIN_MS)).toBe(0);
  });

  it("calls only as many as there will be slots for", () => {
    const facts = { ratePerMinute: 6_000, door: 0, freeSlots: 20, freedPerMinute: 0 };
    expect(decideAdvance(NO_CALLS, facts, NOW)).toBe(40);
    expect(decideAdvance(NO_CALLS, { ...facts, freedPerMinute: 120 }, NOW)).toBe(160);
  });

  it("counts called numbers, not people, while a restored line is still coming back", () => {
    const tick = { now: NOW, calledFrom: 0, calledTo: 500, called: 3, arrivals: [] };
    expect(onTheirWay(seeTick(NO_CALLS, { ...tick, byNumbers: true }), NOW)).toBe(500);
    expect(onTheirWay(seeTick(NO_CALLS, { ...tick, byNumbers: false }), NOW)).toBe(3);
  });

  it("never calls a negative, endless or unbounded number of people", () => {
    const facts = fc.record({
      ratePerMinute: fc.integer({ min: 1, max: 100_000 }),
      door: fc.nat(5_000),
      freeSlots: fc.integer({ min: -100, max: 1_000_000 }),
      freedPerMinute: fc.nat(100_000),
    });
    fc.assert(
      fc.property(facts, fc.nat(10), fc.integer({ min: 1, max: 90 }), (some, come, seconds) => {
        const { state, now } = seen({ come, lagMs: 3_000, seconds });
        const advance = decideAdvance(state, some, now);
        expect(Number.isInteger(advance)).toBe(true);
        expect(advance).toBeGreaterThanOrEqual(0);
        expect(advance).toBeLessThanOrEqual(
          Math.ceil(Math.max(PEOPLE_MIN, some.ratePerMinute * 2) / SHARE_MIN),
        );
      }),
    );
  });
});
