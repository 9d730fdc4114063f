import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideAction,
  dueChange,
  mayJoin,
  mayMoveOpening,
  type RoomFacts,
} from "../../../edge/room/phase.ts";
import { ROOM_ACTIONS } from "../../../shared/contract/rooms.ts";

const NOW = 1_800_000_000_000;
const PHASES = ["upcoming", "drawing", "open", "paused", "sold_out", "closed"] as const;

const facts = (more: Partial<RoomFacts> = {}): RoomFacts => ({
  phase: "upcoming",
  early: "draw",
  beacon: "none",
  opensAt: NOW + 3_600_000,
  closesAt: null,
  opened: false,
  journalsIn: true,
  restoring: false,
  poolFixed: false,
  drawReady: false,
  nothingLeft: false,
  ...more,
});

const factsArb: fc.Arbitrary<RoomFacts> = fc.record({
  phase: fc.constantFrom(...PHASES),
  early: fc.constantFrom("draw" as const, "fifo" as const),
  beacon: fc.constantFrom("none" as const, "drand" as const),
  opensAt: fc.option(fc.integer({ min: NOW - 100_000, max: NOW + 100_000 })),
  closesAt: fc.option(fc.integer({ min: NOW - 100_000, max: NOW + 200_000 })),
  opened: fc.boolean(),
  journalsIn: fc.boolean(),
  restoring: fc.boolean(),
  poolFixed: fc.boolean(),
  drawReady: fc.boolean(),
  nothingLeft: fc.boolean(),
});

describe("what the clock does to a room", () => {
  it("opens by itself at opensAt: a drawn room by way of its draw, the other at once", () => {
    const due = { opensAt: NOW };
    expect(dueChange(facts(due), NOW - 1)).toBeNull();
    expect(dueChange(facts(due), NOW)).toMatchObject({ phase: "drawing", by: "schedule" });
    expect(dueChange(facts({ ...due, early: "fifo" }), NOW)).toMatchObject({ phase: "open" });
  });

  it("opens a drawn room only when N, the draw and every journal are there", () => {
    const ready = { phase: "drawing", poolFixed: true, drawReady: true } as const;
    expect(dueChange(facts(ready), NOW)).toMatchObject({ phase: "open", by: "draw" });
    for (const missing of [
      { poolFixed: false },
      { drawReady: false },
      { journalsIn: false },
      { restoring: true },
    ]) {
      expect(dueChange(facts({ ...ready, ...missing }), NOW)).toBeNull();
    }
  });

  it("closes at closesAt whatever else is due", () => {
    for (const phase of PHASES.filter((one) => one !== "closed")) {
      expect(dueChange(facts({ phase, closesAt: NOW }), NOW)).toMatchObject({ phase: "closed" });
    }
  });

  it("is sold out when the core says that nothing is left", () => {
    expect(dueChange(facts({ phase: "open", nothingLeft: true }), NOW)).toMatchObject({
      phase: "sold_out",
    });
    expect(dueChange(facts({ phase: "paused", nothingLeft: true }), NOW)).toBeNull();
  });

  it("comes to rest after a few changes from anywhere", () => {
    fc.assert(
      fc.property(factsArb, (start) => {
        let at = start;
        for (let i = 0; i < 4; i += 1) {
          const change = dueChange(at, NOW);
          if (!change) return;
          expect(change.phase).not.toBe(at.phase);
          at = { ...at, phase: change.phase };
        }
        expect.unreachable("it goes round in circles");
      }),
    );
  });

  it("never opens while the line is being restored", () => {
    fc.assert(
      fc.property(factsArb, fc.constantFrom(...ROOM_ACTIONS), (some, action) => {
        const at = { ...some, restoring: true };
        expect(dueChange(at, NOW)?.phase).not.toBe("open");
        if (at.phase !== "upcoming") return;
        const verdict = decideAction(at, action, NOW);
        if (verdict.ok) expect(verdict.change?.phase).not.toBe("open");
      }),
    );
  });
});

describe("what an organizer may do", () => {
  it("has a way out of every phase but a reset is always one", () => {
    for (const phase of PHASES) {
      const possible = ROOM_ACTIONS.filter(
        (action) => decideAction(facts({ phase }), action, NOW).ok,
      );
      expect(possible).toContain("reset");
      expect(possible.length).toBeGreaterThan(1);
    }
  });

  it.each([
    ["pause", "open", "paused"],
    ["resume", "paused", "open"],
    ["sold_out", "open", "sold_out"],
    ["reopen", "sold_out", "open"],
    ["close", "sold_out", "closed"],
  ] as const)("%s takes a room from %s to %s", (action, from, to) => {
    const verdict = decideAction(facts({ phase: from, opened: true }), action, NOW);
    expect(verdict).toMatchObject({
      ok: true,
      change: { phase: to, endInside: false, newEpoch: false },
    });
  });

  it("refuses what the phase does not allow, saying when it would be possible", () => {
    const verdict = decideAction(facts({ phase: "upcoming" }), "pause", NOW);
    expect(verdict).toMatchObject({ ok: false, code: "action_not_possible" });
    expect("why" in verdict && verdict.why).toContain("open");
  });

  it("stop also ends everybody inside, also after the close", () => {
    expect(decideAction(facts({ phase: "open" }), "stop", NOW)).toMatchObject({
      change: { phase: "paused", endInside: true },
    });
    expect(decideAction(facts({ phase: "closed" }), "stop", NOW)).toMatchObject({
      change: { phase: "closed", endInside: true },
    });
  });

  it("reopens a closed room to where it was, and takes a close that has passed away", () => {
    const closed = facts({ phase: "closed", closesAt: NOW - 1 });
    expect(decideAction(closed, "reopen", NOW)).toMatchObject({
      change: { phase: "upcoming", closesAt: null },
    });
    expect(decideAction({ ...closed, opened: true }, "reopen", NOW)).toMatchObject({
      change: { phase: "open" },
    });
  });

  it("goes on without the beacon only while the draw waits for one", () => {
    const waits = facts({ phase: "drawing", beacon: "drand", poolFixed: true });
    expect(decideAction(waits, "draw_without_beacon", NOW)).toEqual({ ok: true, change: null });
    expect(decideAction({ ...waits, beacon: "none" }, "draw_without_beacon", NOW).ok).toBe(false);
    expect(decideAction({ ...waits, drawReady: true }, "draw_without_beacon", NOW).ok).toBe(false);
    expect(decideAction({ ...waits, poolFixed: false }, "draw_without_beacon", NOW).ok).toBe(false);
  });

  it("moves opensAt before the last minute, and not beyond closesAt", () => {
    const soon = facts({ opensAt: NOW + 59_999 });
    expect(mayMoveOpening(soon, NOW + 600_000, NOW).ok).toBe(false);
    expect(mayMoveOpening(soon, NOW + 59_999, NOW).ok).toBe(true);
    expect(mayMoveOpening(facts({ opensAt: NOW + 60_000 }), NOW + 600_000, NOW).ok).toBe(true);
    expect(mayMoveOpening(facts({ closesAt: NOW + 1 }), NOW + 1, NOW).ok).toBe(false);
    expect(mayMoveOpening(facts({ phase: "open" }), NOW + 600_000, NOW).ok).toBe(false);
  });

  it("lets newcomers in to every phase but the sold out and the closed one", () => {
    expect(PHASES.map((phase) => mayJoin(phase))).toEqual([
      null,
      null,
      null,
      null,
      "sold_out",
      "room_closed",
    ]);
  });
});
