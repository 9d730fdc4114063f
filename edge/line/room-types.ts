// What the Room asks of the line and what it hears. Use through `types.ts`.

import type { Away, Phase, Row, Stale } from "./words.ts";

/** What the scripts need of the room's settings. `version` grows with every change (also of the
 *  measured rate); within one `gen` an older version is ignored. */
export interface LineSettings {
  readonly version: number;
  readonly phase: Phase;
  /** Admit nobody for now although open (no capacity report, all in baskets, restore). */
  readonly hold: boolean;
  /** `stop`: end everybody who is inside, in batches. */
  readonly endInside: boolean;
  readonly opensAt: number | null;
  /** The rate in force: the set one, or what `pace` made of it. */
  readonly ratePerMinute: number;
  readonly activeMax: number;
  readonly sessionMs: number;
  readonly claimMs: number;
  readonly early: "draw" | "fifo";
  /** N, once fixed and durable in the Room; null before (and always for `fifo`). */
  readonly poolSize: number | null;
}

/** Highest number and number of indexes that may be handed out; durable in the Room *before* use. */
export interface Ceilings {
  readonly number: number;
  readonly index: number;
}

export interface TickInput {
  readonly gen: number;
  /** Beat of the last tick whose answer the Room has stored (0 at first). */
  readonly beat: number;
  /** Sequence of the last row the Room has stored (0 at first). */
  readonly ack: number;
  readonly settings: LineSettings;
  readonly reserved: Ceilings;
  /** People to call in addition, from `call-forward.ts`. Ignored when the beat has moved on. */
  readonly advance: number;
  /** Arrivals go to `late` (some Door's journal is not in yet). */
  readonly joinsLate: boolean;
  /** This tick may give numbers to `late`. */
  readonly numberLate: boolean;
}

/** Always: issued = waiting + inside + finished + gone + unreturned (0 unless Redis was lost). */
export interface Counts {
  readonly issued: number;
  readonly waiting: number;
  readonly door: number;
  readonly inside: number;
  readonly finished: number;
  readonly gone: number;
  readonly unreturned: number;
  readonly late: number;
  readonly pool: number;
  /** Next index to be given: N while the pool is shut and not yet fixed. */
  readonly nextIndex: number;
  readonly last: number;
  readonly filled: number;
  readonly calling: number;
  /** Claims, all told. */
  readonly admitted: number;
  /** Calls that were not claimed in time, all told. */
  readonly unclaimed: number;
  /** Slots that became free (ended, released, unclaimed), all told. */
  readonly freed: number;
  /** Claims in the last 60 s. */
  readonly minute: number;
  /** Places let in round the line by the organizer. */
  readonly roundTheLine: number;
}

export interface Ticked {
  readonly state: "ticked";
  readonly beat: number;
  readonly clock: number;
  readonly phase: Phase;
  readonly version: number;
  /** To be written to the ledger before `status` shows this beat; then pass `ack` with the next tick. */
  readonly rows: readonly Row[];
  readonly ack: number;
  /** Work is left over: tick again at once. */
  readonly again: boolean;
  /** Numbers called by this tick: (calledFrom, calledTo], `called` people among them. */
  readonly calledFrom: number;
  readonly calledTo: number;
  readonly called: number;
  /** First comings to the door since the last tick, for `call-forward.ts`. */
  readonly arrivals: readonly { readonly number: number; readonly at: number }[];
  readonly popped: number;
  readonly counts: Counts;
}

export type TickResult = Ticked | Stale | Away;

export interface FillInput {
  readonly gen: number;
  /** Acts only if `filled` equals it. */
  readonly start: number;
  /** Index of number start+1, start+2, … (from the inverse permutation), at most 1,000. */
  readonly indexes: readonly number[];
}

export type FillResult =
  | { readonly state: "filled"; readonly filled: number; readonly entered: number }
  | { readonly state: "not_here"; readonly filled: number }
  | Stale
  | Away;

/** One arrival from a Door's journal. */
export interface Arrival {
  readonly place: string;
  readonly at: number;
}

export interface ArrivalsInput {
  readonly gen: number;
  /** At most 1,000, in order of arrival. Before `opensAt` and before N: an index; otherwise `late`. */
  readonly arrivals: readonly Arrival[];
}

export type ArrivalsResult =
  | {
      readonly state: "entered";
      readonly pooled: number;
      readonly late: number;
      readonly known: number;
      /** Not taken because the ceiling is reached: send them again after the next tick. */
      readonly over: number;
    }
  | Stale
  | Away;

export type AdmitResult =
  | { readonly state: "called"; readonly number: number; readonly until: number }
  | { readonly state: "refused"; readonly why: "unknown" | "gone" | "inside" | "full" }
  | Stale
  | Away;

export interface RefillBegin {
  readonly gen: number;
  /** The very first start of an epoch: nothing has ever been handed out, counting begins at 1. */
  readonly fresh: boolean;
  /**
   * The room's clock when the Room last heard of it: the clock of the last tick it stored (at first its own
   * `Date.now()`), and how long ago that was by the Room's own clock (at first 0). The scripts go on from
   * their sum, whatever the new server's own clock says, so windows and slot ends stay exact.
   */
  readonly clock: number;
  readonly elapsedMs: number;
  readonly beat: number;
  readonly ack: number;
  readonly settings: LineSettings;
  readonly reserved: Ceilings;
  readonly calling: number;
  /** Totals the Room has stored, so that figures go on (claims are recounted from the rows). */
  readonly admitted: number;
  readonly unclaimed: number;
  readonly freed: number;
  readonly roundTheLine: number;
  /** The highest rate that was in force in the last 60 s. */
  readonly highestRate: number;
}

export type RefillResult =
  | { readonly state: "ok"; readonly clock: number; readonly counts: Counts }
  | Stale
  | Away;

export type FiguresResult =
  | {
      readonly state: "figures";
      readonly clock: number;
      readonly beat: number;
      readonly phase: Phase;
      readonly counts: Counts;
    }
  | Away;

export type PoolResult =
  | {
      readonly state: "pool";
      /** In the order of their indexes; an index that nobody holds is left out. */
      readonly places: readonly { readonly index: number; readonly place: string }[];
    }
  | Away;
