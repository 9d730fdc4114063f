import type { Ticked } from "../line/types.ts";
import { rateOf } from "./core.ts";
import { NO_COUNTS, type RoomState } from "./state.ts";

/** What the Room has seen of calls and comings, for deciding how many to call next. In memory alone. */
const LOOK_AHEAD_MS = 30_000;
const PEOPLE_MIN = 10;

export class CallBook {
  #calls: { at: number; called: number; arrived: number }[] = [];

  advance(state: RoomState, now: number): number {
    if (state.phase !== "open") return 0;
    const counts = state.counts ?? NO_COUNTS;
    const wanted = Math.max(PEOPLE_MIN, Math.ceil((rateOf(state) * LOOK_AHEAD_MS) / 60_000));
    const free = Math.max(0, state.settings.activeMax - counts.inside);
    const onTheWay = this.#calls
      .filter(({ at }) => at > now - LOOK_AHEAD_MS)
      .reduce((sum, { called, arrived }) => sum + called - arrived, 0);
    return Math.max(0, Math.min(wanted, free + PEOPLE_MIN) - counts.door - Math.max(0, onTheWay));
  }

  see(result: Ticked, _state: RoomState): void {
    const now = Date.now();
    this.#calls = this.#calls.filter(({ at }) => at > now - LOOK_AHEAD_MS);
    this.#calls.push({ at: now, called: result.called, arrived: result.arrivals.length });
  }
}
