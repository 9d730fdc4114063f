import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CapacityFacts,
  decidePace,
  FIRST_PACE,
  type PaceState,
} from "../../../edge/room/pace.ts";

const NOW = 1_800_000_000_000;
const SET = 600;

const report = (second: number, more: Partial<CapacityFacts> = {}): CapacityFacts => ({
  inFlight: 3,
  p95Ms: 100,
  limitPerMinute: 10_000,
  available: 500,
  held: 10,
  paying: 2,
  sold: 0,
  at: NOW + second * 1_000,
  heardAt: NOW + second * 1_000,
  ...more,
});

/** A second each with the given p95 and other readings. */
function run(seconds: readonly Partial<CapacityFacts>[], pace: "fixed" | "measured" = "measured") {
  let state: PaceState = FIRST_PACE;
  return seconds.map((more, i) => {
    const input = { pace, ratePerMinute: SET, report: report(i, more), now: NOW + i * 1_000 };
    const verdict = decidePace(state, input);
    state = verdict.state;
    return verdict;
  });
}

describe("the pace", () => {
  it("is the set rate when fixed, whatever the core reports", () => {
    for (const verdict of run([{ p95Ms: 5_000 }, { p95Ms: 9_000 }], "fixed")) {
      expect(verdict.ratePerMinute).toBe(SET);
    }
  });

  it("falls well within 10 s of a slow core and comes back when it has recovered", () => {
    const slow = run([
      ...Array(3).fill({}),
      ...Array(10).fill({ p95Ms: 3_000 }),
      ...Array(30).fill({}),
    ]);
    expect(slow[2]?.ratePerMinute).toBe(SET);
    expect(slow[12]?.ratePerMinute).toBeLessThan(SET / 3);
    expect(slow.at(-1)?.ratePerMinute).toBe(SET);
  });

  it("stays where it is between healthy and sick", () => {
    const rates = run([{ p95Ms: 3_000 }, ...Array(5).fill({ p95Ms: 700 })]).map(
      (one) => one.ratePerMinute,
    );
    expect(new Set(rates.slice(1)).size).toBe(1);
  });

  it("stays between 1 and the set rate, and under the core's own limit, for any reports", () => {
    const anything = fc.record({
      p95Ms: fc.integer({ min: 0, max: 60_000 }),
      limitPerMinute: fc.nat(20_000),
      available: fc.nat(3),
      held: fc.nat(3),
      paying: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 60 }), (seconds) => {
        run(seconds).forEach((verdict, i) => {
          expect(verdict.ratePerMinute).toBeGreaterThanOrEqual(1);
          expect(verdict.ratePerMinute).toBeLessThanOrEqual(
            Math.max(1, Math.min(SET, seconds[i]?.limitPerMinute ?? 0)),
          );
        });
      }),
    );
  });

  it("ignores a report that comes late or twice", () => {
    const [, second] = run([{}, { p95Ms: 3_000 }]);
    if (!second) throw new Error("no verdict");
    const again = decidePace(second.state, {
      pace: "measured",
      ratePerMinute: SET,
      report: report(0),
      now: NOW + 2_000,
    });
    expect(again.state).toEqual(second.state);
  });

  it("admits nobody when a room that has had a report has none for 10 s, in either pace", () => {
    for (const pace of ["fixed", "measured"] as const) {
      const [first] = run([{}], pace);
      const holdAfter = (ms: number) =>
        decidePace(first?.state ?? FIRST_PACE, {
          pace,
          ratePerMinute: SET,
          report: report(0),
          now: NOW + ms,
        }).hold;
      expect(holdAfter(10_000)).toBeNull();
      expect(holdAfter(10_001)).toBe("no_capacity_report");
    }
    const never = decidePace(FIRST_PACE, {
      pace: "measured",
      ratePerMinute: SET,
      report: null,
      now: NOW,
    });
    expect(never).toMatchObject({ hold: null, ratePerMinute: SET });
  });

  it("says that all is in baskets while some may come back", () => {
    expect(run([{ available: 0, held: 4, paying: 0 }])[0]).toMatchObject({
      hold: "all_in_baskets",
      nothingLeft: false,
    });
    expect(run([{ available: 0, held: 0, paying: 1 }])[0]).toMatchObject({
      hold: "all_in_baskets",
    });
  });

  it("says that nothing is left only after two readings 10 s apart without anything in between", () => {
    const empty = { available: 0, held: 0, paying: 0 };
    const verdicts = run(Array(12).fill(empty));
    expect(verdicts.map((one) => one.nothingLeft)).toEqual([...Array(10).fill(false), true, true]);
    const broken = run([
      ...Array(6).fill(empty),
      { available: 0, held: 1, paying: 0 },
      ...Array(6).fill(empty),
    ]);
    expect(broken.some((one) => one.nothingLeft)).toBe(false);
  });

  it("says when seats are back", () => {
    const [, back] = run([{ available: 0, held: 0, paying: 0 }, { available: 1 }]);
    expect(back?.seatsAreBack).toBe(true);
  });
});
