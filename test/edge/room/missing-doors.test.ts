import { expect, test } from "vitest";
import { DOORS_WAIT_MS, decideMissing, slotsOfMissing } from "../../../edge/room/missing-doors.ts";
import { overGaps, vacantIn } from "../../../edge/room/watch.ts";

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

test("a restore waits for a Door until its claims are out of the rate's window, and then counts its slots as taken", () => {
  const facts = {
    silent: [2],
    sessionMs: 10 * MINUTE,
    now: NOW,
    called: () => [NOW - 40 * MINUTE, NOW - 5 * MINUTE, NOW - MINUTE],
  };
  expect(DOORS_WAIT_MS).toBeGreaterThan(MINUTE);
  expect(decideMissing({ ...facts, silent: [], lostAt: NOW })).toEqual({ go: "on", missing: [] });
  expect(decideMissing({ ...facts, lostAt: NOW - DOORS_WAIT_MS + 1 })).toEqual({ go: "wait" });
  const verdict = decideMissing({ ...facts, lostAt: NOW - DOORS_WAIT_MS });
  if (verdict.go !== "on") throw new Error("waits for ever");
  // A slot may have been lengthened for paying; the one called 40 minutes ago has certainly ended.
  expect(verdict.missing).toEqual([{ door: 2, slots: 2, until: NOW + 14 * MINUTE }]);
  expect(slotsOfMissing(verdict.missing, NOW)).toBe(2);
  expect(slotsOfMissing(verdict.missing, NOW + 14 * MINUTE)).toBe(0);
});

test("after a loss nobody waits while numbers are called that nobody has", () => {
  expect(overGaps([[5, 2_000]], 3, 10)).toBe(10 + 1_996);
  expect(overGaps([[5, 2_000]], 3, 1)).toBe(1);
  expect(overGaps([[5, 2_000]], 1_000, 10)).toBe(1_010);
  expect(overGaps([[5, 2_000]], 2_000, 10)).toBe(10);
  expect(
    overGaps(
      [
        [5, 9],
        [12, 20],
      ],
      4,
      3,
    ),
  ).toBe(8 + 9);
  expect(overGaps([[5, 2_000]], 4, 0)).toBe(0);
  expect(vacantIn([[5, 2_000]], { from: 3, to: 2_009 })).toBe(1_996);
  expect(vacantIn([[5, 9]], { from: 9, to: 20 })).toBe(0);
});
