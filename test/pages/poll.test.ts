// When a waiting page asks again: the plan of the status document, and nothing faster.
import { describe, expect, test } from "vitest";
import { type Facts, freshFacts } from "../../edge/pages/queue/facts.ts";
import { HIDDEN_MS, isNear, nextPollMs } from "../../edge/pages/queue/poll.ts";
import { describeStatus, NOW } from "./facts.ts";

const far: Facts = { ...freshFacts("e"), status: describeStatus(), number: 5_000 };
const near: Facts = { ...freshFacts("e"), status: describeStatus(), number: 110 };
const ask = (facts: Facts, more: Partial<Parameters<typeof nextPollMs>[0]> = {}) =>
  nextPollMs({ facts, hidden: false, now: NOW, random: 0.5, ...more });

describe("the poll plan", () => {
  test("is followed near and far, spread by a fifth", () => {
    expect(ask(far)).toBe(30_000);
    expect(ask(near)).toBe(2_000);
    expect(ask(far, { random: 0 })).toBe(24_000);
    expect(ask(far, { random: 0.9999 })).toBeLessThanOrEqual(36_000);
    expect(isNear(near)).toBe(true);
    expect(isNear(far)).toBe(false);
  });

  test("is once a minute while nobody looks, whatever the plan says", () => {
    expect(ask(near, { hidden: true })).toBe(HIDDEN_MS);
    expect(ask(far, { hidden: true })).toBe(HIDDEN_MS);
  });

  test("never comes before the time that the server named", () => {
    for (const random of [0, 0.5, 0.99])
      expect(ask(near, { retryAfterMs: 4_000, random })).toBeGreaterThanOrEqual(4_000);
    expect(ask(near, { retryAfterMs: 90_000, hidden: true })).toBeGreaterThanOrEqual(90_000);
  });

  test("backs off on errors, near the front to five seconds at most", () => {
    const waits = [1, 2, 3, 10].map((failures) => ask({ ...near, failures }));
    expect(waits).toEqual([2_000, 4_000, 5_000, 5_000]);
    expect(ask({ ...far, failures: 20 })).toBe(60_000);
  });

  test("does not bring everybody at the opening's second", () => {
    const status = describeStatus({
      phase: "upcoming",
      opensAt: new Date(NOW + 10_000).toISOString(),
    });
    const early: Facts = { ...freshFacts("e"), status };
    const times = [0, 0.25, 0.5, 0.75].map((random) => ask(early, { random }));
    expect(times).toEqual([10_000, 11_000, 12_000, 13_000]);
  });
});
