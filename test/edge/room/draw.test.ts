import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  announceRound,
  type BeaconFacts,
  type DrawFacts,
  type DrawStep,
  FILL_AHEAD,
  FILL_BATCH,
  JOURNALS_WAIT_MS_MAX,
  LEAVES_PER_STEP_MAX,
  leavesDue,
  nextDrawStep,
  OPENING_FROZEN_MS,
  openingMayMove,
} from "../../../edge/room/draw.ts";
import { QUICKNET, roundTimeMs } from "../../../shared/draw/beacon.ts";

const OPENS_AT = 1_800_000_000_000;
const DUE_AT = OPENS_AT + 15_000;

const drand = (more: Partial<Extract<BeaconFacts, { kind: "drand" }>> = {}): BeaconFacts => ({
  ...{ kind: "drand", round: 77, dueAt: DUE_AT },
  ...{ signature: undefined, without: false, tries: 0, lastTryAt: undefined },
  ...more,
});

const facts = (more: Partial<DrawFacts> = {}): DrawFacts => ({
  now: OPENS_AT,
  opensAt: OPENS_AT,
  lineReady: true,
  shutAt: undefined,
  shutInLine: false,
  journalsPending: false,
  nextIndex: 0,
  leaves: 0,
  count: undefined,
  beacon: { kind: "none" },
  closed: false,
  opened: false,
  openInLine: false,
  revealed: false,
  filled: 0,
  calling: 0,
  ...more,
});

describe("opening a drawn room", () => {
  test("waits for the opening, to the millisecond", () => {
    const early = facts({ now: OPENS_AT - 1 });
    expect(nextDrawStep(early)).toEqual({ step: "wait", for: "opening", untilMs: OPENS_AT });
    expect(nextDrawStep(facts())).toEqual({ step: "shut_pool" });
  });

  test("shuts the pool durably first, then in the line, even while the line is away", () => {
    expect(nextDrawStep(facts({ lineReady: false }))).toEqual({ step: "shut_pool" });
    const shut = { shutAt: OPENS_AT, nextIndex: 3 };
    expect(nextDrawStep(facts({ ...shut, lineReady: false }))).toMatchObject({ for: "line" });
    expect(nextDrawStep(facts(shut))).toEqual({ step: "shut_line" });
  });

  test("adds the missing leaves a bounded part at a time before it fixes N", () => {
    const shut = { shutAt: OPENS_AT, shutInLine: true, nextIndex: 10_000 };
    expect(nextDrawStep(facts({ ...shut, leaves: 9_990 }))).toEqual({
      step: "add_leaves",
      from: 9_990,
      count: 10,
    });
    expect(nextDrawStep(facts({ ...shut, leaves: 0 }))).toEqual({
      step: "add_leaves",
      from: 0,
      count: LEAVES_PER_STEP_MAX,
    });
    expect(nextDrawStep(facts({ ...shut, leaves: 10_000 }))).toEqual({
      step: "fix_count",
      count: 10_000,
    });
    expect(leavesDue({ nextIndex: 7, leaves: 7 }).count).toBe(0);
  });

  test("waits for what the Doors took down during an outage, but a minute at most", () => {
    const pending = { shutAt: OPENS_AT, shutInLine: true, journalsPending: true };
    const wait = nextDrawStep(facts({ ...pending, now: OPENS_AT + 5_000 }));
    expect(wait).toMatchObject({ step: "wait", for: "journals" });
    const over = facts({ ...pending, now: OPENS_AT + JOURNALS_WAIT_MS_MAX });
    expect(nextDrawStep(over)).toEqual({ step: "fix_count", count: 0 });
  });

  test("with no beacon opens the line behind N, then shows the seed", () => {
    const fixed = { shutAt: OPENS_AT, shutInLine: true, nextIndex: 9, leaves: 9, count: 9 };
    expect(nextDrawStep(facts(fixed))).toEqual({ step: "open_room", count: 9 });
    const opened = { ...fixed, opened: true };
    expect(nextDrawStep(facts(opened))).toEqual({ step: "open_line" });
    expect(nextDrawStep(facts({ ...opened, openInLine: true }))).toEqual({ step: "reveal" });
  });

  test("does not open a room that somebody has closed meanwhile, and goes on when it is reopened", () => {
    const fixed = { shutAt: OPENS_AT, shutInLine: true, nextIndex: 9, leaves: 9 };
    const closed = { ...fixed, closed: true };
    for (const count of [undefined, 9])
      expect(nextDrawStep(facts({ ...closed, count }))).toMatchObject({ for: "reopening" });
    expect(nextDrawStep(facts({ ...fixed, count: 9 }))).toEqual({ step: "open_room", count: 9 });
    // Closed after it was opened: the seed comes all the same.
    const step = nextDrawStep(facts({ ...closed, count: 9, opened: true }));
    expect(step).toEqual({ step: "open_line" });
  });

  test("an empty pool opens all the same", () => {
    const fixed = { shutAt: OPENS_AT, shutInLine: true, count: 0 };
    expect(nextDrawStep(facts(fixed))).toEqual({ step: "open_room", count: 0 });
    expect(nextDrawStep(facts({ ...fixed, openInLine: true, revealed: true }))).toEqual({
      step: "done",
    });
  });

  test("never opens during a restore", () => {
    const fixed = { shutAt: OPENS_AT, shutInLine: true, count: 9, lineReady: false };
    for (const openInLine of [false, true])
      expect(nextDrawStep(facts({ ...fixed, openInLine }))).toMatchObject({ for: "line" });
  });
});

describe("the beacon of a draw", () => {
  const fixed = (now: number, beacon: BeaconFacts) =>
    nextDrawStep(facts({ shutAt: OPENS_AT, shutInLine: true, count: 9, now, beacon }));

  test("is waited for until its round is due, then asked for by its number alone", () => {
    expect(fixed(DUE_AT - 1, drand())).toEqual({ step: "wait", for: "round", untilMs: DUE_AT });
    expect(fixed(DUE_AT, drand())).toEqual({ step: "fetch_beacon", round: 77 });
  });

  test("is asked for again and again, ever more slowly, and nothing else is taken", () => {
    expect(fixed(DUE_AT + 400, drand({ tries: 1, lastTryAt: DUE_AT }))).toEqual({
      step: "wait",
      for: "beacon",
      untilMs: DUE_AT + 1_000,
    });
    const hour = DUE_AT + 3_600_000;
    expect(fixed(hour, drand({ tries: 900, lastTryAt: hour - 5_000 }))).toEqual({
      step: "fetch_beacon",
      round: 77,
    });
    expect(fixed(hour, drand({ tries: 900, lastTryAt: hour - 4_999 }))).toMatchObject({
      for: "beacon",
    });
  });

  test("is left out only by the audited act", () => {
    expect(fixed(DUE_AT + 3_600_000, drand({ without: true }))).toEqual({
      step: "open_room",
      count: 9,
    });
    expect(fixed(DUE_AT, drand({ signature: "ab" }))).toEqual({ step: "open_room", count: 9 });
  });

  test("freezes the opening for its last minute, in rooms that use it", () => {
    const at = (beforeMs: number, beacon: "none" | "drand") =>
      openingMayMove({ now: OPENS_AT - beforeMs, opensAt: OPENS_AT, beacon });
    expect(at(OPENING_FROZEN_MS + 1, "drand")).toBe(true);
    expect(at(OPENING_FROZEN_MS, "drand")).toBe(false);
    expect(at(-1, "drand")).toBe(false);
    expect(at(1, "none")).toBe(true);
  });

  test("is due fifteen to eighteen seconds after the opening", () => {
    const { round, dueAt } = announceRound(QUICKNET, OPENS_AT);
    expect(dueAt).toBe(roundTimeMs(QUICKNET, round));
    expect(dueAt - OPENS_AT).toBeGreaterThanOrEqual(15_000);
    expect(dueAt - OPENS_AT).toBeLessThan(18_000);
  });
});

describe("filling the line", () => {
  const open = (more: Partial<DrawFacts>) =>
    nextDrawStep(
      facts({
        shutAt: OPENS_AT,
        shutInLine: true,
        count: 2_000_000,
        openInLine: true,
        revealed: true,
        ...more,
      }),
    );

  test("goes on from where it was, keeps ahead of the calling, and then rests", () => {
    expect(open({})).toEqual({ step: "fill", start: 0, count: FILL_BATCH });
    expect(open({ filled: FILL_AHEAD - 1 })).toMatchObject({ step: "fill" });
    expect(open({ filled: FILL_AHEAD })).toEqual({ step: "rest" });
    expect(open({ filled: FILL_AHEAD, calling: 1 })).toMatchObject({ start: FILL_AHEAD });
  });

  test("ends exactly at N, and needs nothing when the pool was lost", () => {
    expect(open({ filled: 1_999_700, calling: 1_999_000 })).toEqual({
      step: "fill",
      start: 1_999_700,
      count: 300,
    });
    expect(open({ filled: 2_000_000 })).toEqual({ step: "done" });
    expect(open({ lineReady: false })).toMatchObject({ step: "wait", for: "line" });
  });
});

/** What a Room does with a step, as far as the facts go. */
function carryOut(step: DrawStep, before: DrawFacts): DrawFacts {
  switch (step.step) {
    case "wait":
      return {
        ...before,
        now: Math.max(before.now + 1, Math.min(step.untilMs, before.now + 60_000)),
      };
    case "shut_pool":
      return { ...before, shutAt: before.now };
    case "shut_line":
      return { ...before, shutInLine: true };
    case "add_leaves":
      return { ...before, leaves: step.from + step.count };
    case "fix_count":
      return { ...before, count: step.count };
    case "fetch_beacon": {
      if (before.beacon.kind === "none") throw new Error("no beacon was asked for");
      const tries = before.beacon.tries + 1;
      const signature = tries >= 3 ? "ab" : undefined;
      return { ...before, beacon: { ...before.beacon, tries, lastTryAt: before.now, signature } };
    }
    case "open_room":
      return { ...before, opened: true };
    case "open_line":
      return { ...before, openInLine: true };
    case "reveal":
      return { ...before, revealed: true };
    case "fill":
      return { ...before, filled: step.start + step.count };
    case "rest":
      return { ...before, calling: before.calling + 5_000 };
    case "done":
      return before;
  }
}

describe("whatever happens on the way", () => {
  test("the steps come in their order, each is bounded, and the draw gets done", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 30_000 }),
        fc.boolean(),
        fc.array(fc.constantFrom("crash", "away", "join", "journals"), { maxLength: 60 }),
        (people, withBeacon, events) => {
          let now = facts({
            now: OPENS_AT - 5_000,
            nextIndex: people,
            beacon: withBeacon ? drand() : { kind: "none" },
          });
          const trouble = [...events];
          const order: string[] = [];
          for (let turn = 0; turn < 400; turn++) {
            const event = trouble.shift();
            now = { ...now, lineReady: event !== "away", journalsPending: event === "journals" };
            // Nobody gets an index once the line has shut the pool.
            if (event === "join" && !now.shutInLine) now = { ...now, nextIndex: now.nextIndex + 1 };
            const step = nextDrawStep(now);
            if (step.step === "done") break;
            // A crash loses what was not written down: the same step comes again.
            if (event === "crash") {
              expect(nextDrawStep(now)).toEqual(step);
              continue;
            }
            if (step.step === "fill") expect(step.count).toBeLessThanOrEqual(FILL_BATCH);
            if (step.step === "reveal") {
              expect(now.count).toBe(now.nextIndex);
              expect(now.leaves).toBe(now.nextIndex);
              expect(now.openInLine).toBe(true);
              if (now.beacon.kind === "drand") expect(now.beacon.signature).toBe("ab");
            }
            if (step.step !== "wait" && step.step !== "rest") order.push(step.step);
            now = carryOut(step, now);
          }
          expect(nextDrawStep({ ...now, lineReady: true })).toEqual({ step: "done" });
          expect(now.filled).toBe(now.nextIndex);
          const first = [...new Set(order)];
          const ideal =
            "shut_pool shut_line add_leaves fix_count fetch_beacon open_room open_line reveal fill";
          expect(first).toEqual(ideal.split(" ").filter((name) => first.includes(name)));
        },
      ),
      { numRuns: 200 },
    );
  });
});
