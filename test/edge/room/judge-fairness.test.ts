// The fairness report's two counts, from calls, claims and rates.
import { describe, expect, test } from "vitest";
import {
  countInversions,
  countOverAdmissions,
  type FairnessFacts,
} from "../../../edge/room/judge-fairness.ts";

const call = (number: number, misses = 0) => ({ place: `p${number}`, number, misses });
const facts = (changes: Partial<FairnessFacts>): FairnessFacts => ({
  called: [],
  claims: new Map(),
  letIn: new Set(),
  rates: new Map(),
  ...changes,
});
const all = (calls: readonly { place: string }[]) =>
  new Map(calls.map(({ place }, i) => [place, 1_000 * (i + 1)]));

describe("inversions", () => {
  test("are people called after a higher number who came in", () => {
    const called = [1, 2, 5, 3, 6, 4].map((number) => call(number, number === 4 ? 1 : 0));
    expect(countInversions(facts({ called, claims: all(called) }))).toEqual({
      count: 2,
      afterMiss: 1,
      largest: 2,
    });
  });
  test("are not made by whoever was let in round the line, nor by who never came", () => {
    const called = [call(90), call(1), call(70), call(2)];
    const claims = all(called);
    claims.delete("p70");
    expect(countInversions(facts({ called, claims, letIn: new Set(["p90"]) })).count).toBe(0);
  });
});

describe("over-admissions", () => {
  const minute = 29_000_000;
  const at = (ms: number) => minute * 60_000 + ms;
  const claims = (times: readonly number[]) => new Map(times.map((ms, i) => [`p${i}`, at(ms)]));
  test("count any rolling minute, not the minutes of the clock", () => {
    const times = [50_000, 55_000, 59_000, 61_000, 65_000];
    const given = facts({ claims: claims(times), rates: new Map([[minute, 4]]) });
    expect(countOverAdmissions(given)).toEqual({ count: 1, busiestMinute: 5, rateThen: 4 });
  });
  test("end with the window, and go by the highest rate that it touches", () => {
    const exact = facts({ claims: claims([0, 1, 60_000, 60_001]), rates: new Map([[minute, 2]]) });
    expect(countOverAdmissions(exact)).toMatchObject({ count: 0, busiestMinute: 2 });
    const raised = new Map([
      [minute, 2],
      [minute + 1, 9],
    ]);
    const times = [59_000, 59_500, 60_500, 60_600, 60_700];
    expect(countOverAdmissions(facts({ claims: claims(times), rates: raised })).count).toBe(0);
  });
});
