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

export class Watch {
  estimate: EstimateState;
  #calls: CallState = NO_CALLS;
  #freed: { at: number; freed: number }[] = [];

  constructor(estimate: EstimateState | undefined) {
    this.estimate = estimate ?? NO_ESTIMATE;
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
    return decideAdvance(this.#calls, facts, now);
  }

  see(result: Ticked, state: RoomState, now: number): void {
    const byNumbers = state.refills > 1 && now - state.refilledAt < BY_NUMBERS_MS;
    this.#calls = seeTick(this.#calls, { ...result, now, byNumbers });
    const { freed } = result.counts;
    this.#freed = this.#freed.filter(({ at }) => at > now - FREED_WINDOW_MS);
    this.#freed.push({ at: now, freed });
    this.estimate = observeLine(this.estimate, {
      now,
      front: state.front,
      admitted: result.counts.admitted,
      last: result.counts.last,
      ratePerMinute: rateOf(state),
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
