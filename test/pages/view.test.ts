// What the fan is shown, decided from what the page knows.
import { describe, expect, test } from "vitest";
import {
  aheadOf,
  type Facts,
  freshFacts,
  withNumber,
  withStatus,
} from "../../edge/pages/queue/facts.ts";
import { decideView } from "../../edge/pages/queue/view.ts";
import type { Phase } from "../../shared/contract/queue.ts";
import { describeStatus, NOW } from "./facts.ts";

const place = { id: "plc_1", event: "e", joinedAt: new Date(NOW).toISOString() };
const facts = (changes: Partial<Facts> = {}): Facts => ({
  ...freshFacts("e"),
  status: describeStatus(),
  place,
  token: "t",
  number: 900,
  ...changes,
});
const screen = (changes: Partial<Facts>) => decideView(facts(changes), NOW).screen;

describe("the facts of a waiting page", () => {
  test("are not turned back by a slower cache", () => {
    const old = facts();
    expect(withStatus(old, describeStatus({ v: 9, calling: 90 }))).toBe(old);
    expect(withStatus(old, describeStatus({ v: 11 })).status?.v).toBe(11);
    expect(withStatus(old, describeStatus({ epoch: 2, v: 1 })).status?.epoch).toBe(2);
  });

  test("never let a number rise", () => {
    expect(withNumber(facts(), 901).number).toBe(900);
    expect(withNumber(facts(), 12).number).toBe(12);
    expect(withNumber(facts(), undefined).number).toBe(900);
  });

  test("do not count numbers that nobody got", () => {
    const status = describeStatus({
      calling: 100,
      gaps: [
        [150, 199],
        [50, 120],
      ],
    });
    expect(aheadOf(301, status)).toBe(200 - 50 - 20);
    expect(aheadOf(100, status)).toBe(0);
  });
});

describe("the screen", () => {
  test("follows the room's phase", () => {
    const phases: [Phase, string][] = [
      ["open", "waiting"],
      ["paused", "paused"],
      ["sold_out", "sold_out"],
      ["closed", "closed"],
      ["drawing", "drawing"],
    ];
    for (const [phase, expected] of phases)
      expect(screen({ status: describeStatus({ phase }) })).toBe(expected);
  });

  test("tells the early ones what awaits them, and calls the opening a drawing", () => {
    const opensAt = new Date(NOW + 90_000).toISOString();
    const upcoming = { phase: "upcoming", opensAt } as const;
    const { number: _, ...early } = facts();
    const draw = { ...early, status: describeStatus({ ...upcoming, early: "draw" }) };
    expect(decideView(draw, NOW)).toMatchObject({ screen: "pool", countdownMs: 90_000 });
    expect(decideView(draw, NOW + 90_001).screen).toBe("drawing");
    expect(screen({ status: describeStatus({ ...upcoming, early: "fifo" }) })).toBe("early");
  });

  test("sends nobody to the shop whom the door has not admitted", () => {
    expect(screen({ number: 101 })).toBe("near");
    expect(screen({ number: 50 })).toBe("ready");
    expect(screen({ number: 50, status: describeStatus({ reason: "no_capacity_report" }) })).toBe(
      "near",
    );
    expect(screen({ number: 50, door: "ready" })).toBe("ready");
    expect(screen({ number: 50, door: "admitted" })).toBe("going");
    expect(screen({ number: 101, trouble: "offline" })).toBe("near");
  });

  test("says what happens after a missed call, and that all tickets are in baskets", () => {
    expect(screen({ number: 50, missed: true, door: "waiting" })).toBe("missed");
    expect(screen({ status: describeStatus({ reason: "all_in_baskets" }) })).toBe("baskets");
  });

  test("keeps a place without a number, and an end for good", () => {
    const { number: _, ...unnumbered } = facts();
    expect(decideView(unnumbered, NOW).screen).toBe("kept");
    for (const end of ["left", "gone", "moved", "unknown"] as const)
      expect(decideView(facts({ end }), NOW)).toMatchObject({ screen: end, canLeave: false });
  });

  test("promises a range only while the line moves", () => {
    const { wait } = decideView(facts(), NOW);
    expect(wait).toEqual({ lowMs: 799 * 500, highMs: 799 * 700, sure: true });
    const paused = describeStatus({ phase: "paused" });
    expect(decideView(facts({ status: paused }), NOW).wait).toBeUndefined();
    const { wait: __, ...unknown } = describeStatus();
    expect(decideView(facts({ status: unknown }), NOW).wait).toBeUndefined();
  });
});
