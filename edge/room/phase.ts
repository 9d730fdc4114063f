// Phases of a room: what the clock does to them, what an organizer may do in which, and who may join. Pure.
//
//   upcoming ─(opensAt, open)─▶ drawing ─(N, beacon, journals there)─▶ open ⇄ paused
//        └────────(opensAt, open; fifo)──────────────────────────────▶ open ⇄ sold_out
//   any ─(closesAt, close)─▶ closed ─(reopen)─▶ open, or upcoming if it had never opened
//   any ─(reset)─▶ upcoming of the next epoch

import type { Phase } from "../../shared/contract/queue.ts";
import type { RoomActionName } from "../../shared/contract/rooms.ts";

/** `opensAt` cannot be moved when it is nearer than this: the beacon's round is fixed by it. */
export const OPENS_AT_FROZEN_MS = 60_000;

export interface RoomFacts {
  readonly phase: Phase;
  readonly early: "draw" | "fifo";
  readonly beacon: "none" | "drand";
  /** ms since 1970; null: no such time. */
  readonly opensAt: number | null;
  readonly closesAt: number | null;
  /** Has ever been `open` in this epoch. */
  readonly opened: boolean;
  /** Every Door's journal of the last outage is in. */
  readonly journalsIn: boolean;
  /** The line is being refilled: nothing opens meanwhile. */
  readonly restoring: boolean;
  /** N is durable, and the draw's key can be computed (seed, and beacon where one is awaited). */
  readonly poolFixed: boolean;
  readonly drawReady: boolean;
  /** The core's readings say that nothing is left (`pace.ts`). */
  readonly nothingLeft: boolean;
}

export interface PhaseChange {
  readonly phase: Phase;
  /** End everybody who is inside. */
  readonly endInside: boolean;
  /** New values of times that the change moves. */
  readonly opensAt?: number;
  readonly closesAt?: null;
  readonly newEpoch: boolean;
  readonly by: "schedule" | "draw" | "capacity" | "organizer";
}

export type ActionVerdict =
  | { readonly ok: true; readonly change: PhaseChange | null }
  | { readonly ok: false; readonly code: "action_not_possible"; readonly why: string };

/** The next change that is due by itself, or null. Ask again after each one until it is null. */
export function dueChange(facts: RoomFacts, now: number): PhaseChange | null {
  const to = (phase: Phase, by: PhaseChange["by"]): PhaseChange => ({
    phase,
    endInside: false,
    newEpoch: false,
    by,
  });
  if (facts.phase === "closed") return null;
  if (facts.closesAt !== null && facts.closesAt <= now) return to("closed", "schedule");
  switch (facts.phase) {
    case "upcoming":
      if (facts.opensAt === null || facts.opensAt > now) return null;
      // The pool is shut even while the line is being restored; only the opening itself waits.
      if (facts.early === "draw") return to("drawing", "schedule");
      return facts.restoring ? null : to("open", "schedule");
    case "drawing":
      if (facts.restoring || !facts.journalsIn || !facts.poolFixed || !facts.drawReady) return null;
      return to("open", "draw");
    case "open":
      return facts.nothingLeft ? to("sold_out", "capacity") : null;
    case "paused":
    case "sold_out":
      return null;
  }
}

const POSSIBLE: Record<RoomActionName, readonly Phase[]> = {
  open: ["upcoming"],
  pause: ["open"],
  stop: ["open", "paused", "sold_out", "closed"],
  resume: ["paused"],
  sold_out: ["open", "paused"],
  reopen: ["sold_out", "closed"],
  close: ["upcoming", "drawing", "open", "paused", "sold_out"],
  reset: ["upcoming", "drawing", "open", "paused", "sold_out", "closed"],
  admit: ["open"],
  draw_without_beacon: ["drawing"],
};

/** May this be done now, and what does it make of the room? `change: null`: the phase stays as it is. */
export function decideAction(facts: RoomFacts, action: RoomActionName, now: number): ActionVerdict {
  const no = (why: string): ActionVerdict => ({ ok: false, code: "action_not_possible", why });
  const to = (phase: Phase, more: Partial<PhaseChange> = {}): ActionVerdict => ({
    ok: true,
    change: { phase, endInside: false, newEpoch: false, by: "organizer", ...more },
  });
  if (!POSSIBLE[action].includes(facts.phase)) {
    return no(`${action} is possible only while the room is ${POSSIBLE[action].join(" or ")}`);
  }
  switch (action) {
    case "open":
      if (facts.early === "draw") return to("drawing", { opensAt: now });
      return facts.restoring ? no("the line is being restored") : to("open", { opensAt: now });
    case "pause":
      return to("paused");
    case "stop":
      return to(facts.phase === "closed" ? "closed" : "paused", { endInside: true });
    case "resume":
      return to("open");
    case "sold_out":
      return to("sold_out");
    case "reopen": {
      const over = facts.closesAt !== null && facts.closesAt <= now;
      const next = facts.opened ? "open" : "upcoming";
      return to(next, over ? { closesAt: null } : {});
    }
    case "close":
      return to("closed");
    case "reset":
      return to("upcoming", { newEpoch: true });
    case "admit":
      return facts.restoring ? no("the line is being restored") : { ok: true, change: null };
    case "draw_without_beacon":
      if (facts.beacon === "none") return no("the draw of this room waits for no beacon");
      if (!facts.poolFixed) return no("the size of the pool is not fixed yet");
      return facts.drawReady ? no("the beacon has come") : { ok: true, change: null };
  }
}

/** A new `opensAt`: only before the pool is shut, and not in the last minute before it. */
export function mayMoveOpening(facts: RoomFacts, opensAt: number, now: number): ActionVerdict {
  const no = (why: string): ActionVerdict => ({ ok: false, code: "action_not_possible", why });
  if (facts.phase !== "upcoming") return no("opensAt is fixed once the room has begun to open");
  const frozen = facts.opensAt !== null && facts.opensAt - now < OPENS_AT_FROZEN_MS;
  if (frozen && opensAt !== facts.opensAt) return no("opensAt is fixed in its last minute");
  if (facts.closesAt !== null && opensAt >= facts.closesAt) {
    return no("opensAt must lie before closesAt");
  }
  return { ok: true, change: null };
}

/** May a browser that has no place yet get one? Known places are answered in every phase. */
export function mayJoin(phase: Phase): null | "sold_out" | "room_closed" {
  if (phase === "closed") return "room_closed";
  return phase === "sold_out" ? "sold_out" : null;
}
