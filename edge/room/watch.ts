import type { Ticked } from "../line/types.ts";
import { type CallState, decideAdvance, NO_CALLS, seeTick } from "./call-forward.ts";
import { rateOf } from "./core.ts";
import { type EstimateState, NO_ESTIMATE, observeLine } from "./estimate.ts";
import { NO_COUNTS, type RoomState } from "./state.ts";

/**
 * What the Room learns by watching its own ticks: who comes when called, how fast the line moves. It
 * may be lost with the process; the estimate is kept in the ledger now and then, since it is the
 * account of what was promised.
 */
const BY_NUMBERS_MS = 120_000;
const FREED_WINDOW_MS = 60_000;

const callsByNumbers = (state: RoomState, now: number): boolean =>
  state.refills > 1 && now - state.refilledAt < BY_NUMBERS_MS;

/** Nobody has the numbers of a gap: calling them would only keep those behind it waiting. Pure. */
export function overGaps(
  gaps: readonly (readonly [number, number])[],
  calling: number,
  advance: number,
): number {
  let reach = advance;
  for (const [first, last] of gaps)
    if (advance > 0 && first <= calling + reach && calling < last)
      reach += last - Math.max(first - 1, calling);
  return reach;
}

/** How many of the numbers (from, to] nobody has. Pure. */
export const vacantIn = (
  gaps: readonly (readonly [number, number])[],
  called: { from: number; to: number },
): number =>
  gaps.reduce(
    (sum, [first, last]) =>
      sum + Math.max(0, Math.min(last, called.to) - Math.max(first - 1, called.from)),
    0,
  );

export class Watch {
  estimate: EstimateState;
  #calls: CallState = NO_CALLS;
  #freed: { at: number; freed: number }[] = [];

  constructor(estimate: EstimateState | undefined) {
    this.estimate = estimate?.form === NO_ESTIMATE.form ? estimate : NO_ESTIMATE;
  }

  /** How many more to call with the next tick. */
  advance(state: RoomState, now: number): number {
    if (state.phase !== "open" || state.pace.hold !== null) return 0;
    const counts = state.counts ?? NO_COUNTS;
    const [first] = this.#freed;
    const facts = {
      ratePerMinute: rateOf(state),
      door: counts.door,
      freeSlots: state.settings.activeMax - counts.inside,
      freedPerMinute: first ? Math.max(0, counts.freed - first.freed) : 0,
    };
    const advance = decideAdvance(this.#calls, facts, now);
    return callsByNumbers(state, now) ? overGaps(state.gaps, counts.calling, advance) : advance;
  }

  see(result: Ticked, state: RoomState, now: number): void {
    const byNumbers = callsByNumbers(state, now);
    this.#calls = seeTick(this.#calls, {
      ...result,
      now,
      byNumbers,
      vacant: vacantIn(state.gaps, { from: result.calledFrom, to: result.calledTo }),
    });
    const { freed } = result.counts;
    this.#freed = this.#freed.filter(({ at }) => at > now - FREED_WINDOW_MS);
    this.#freed.push({ at: now, freed });
    this.estimate = observeLine(this.estimate, {
      now,
      front: state.front,
      admitted: result.counts.admitted,
      last: result.counts.last,
      ratePerMinute: rateOf(state),
      setPerMinute: state.settings.ratePerMinute,
      moving: state.phase === "open" && state.pace.hold === null,
      queued: result.counts.door > 0 || result.counts.calling < result.counts.last,
    });
  }

  /** An epoch begins: nothing that was learned about the last one holds. */
  forget(): void {
    this.estimate = NO_ESTIMATE;
    this.#calls = NO_CALLS;
    this.#freed = [];
  }
}
