// The interface of the line: what Room and Door objects call, and what they must write down.
// Nothing here does anything; `line.ts` connects, and the rules themselves are in `lua/`.
//
// Script texts reach the client as a plain record (`ScriptTexts`), one loader per runtime:
//   workerd  `import { SCRIPT_TEXTS } from "./scripts-bundle.ts"`  (`.lua` imported as text: esbuild
//            `loader: {".lua": "text"}`, wrangler `rules = [{type = "Text", globs = ["**/*.lua"]}]`)
//   Node     `import { readScriptTexts } from "./scripts-node.ts"`   (reads the files)
// so `line.ts` itself imports neither and runs on both.
//
// All times are milliseconds since 1970 on the room's clock, all durations milliseconds.

export type ScriptName =
  | "join"
  | "turn"
  | "peek"
  | "tick"
  | "release"
  | "extend"
  | "leave"
  | "admit"
  | "fill"
  | "arrivals"
  | "refill"
  | "figures";

/** The text of every script, and of `common`, which is put in front of each. */
export type ScriptTexts = Readonly<Record<ScriptName | "common", string>>;

export type Phase = "upcoming" | "drawing" | "open" | "paused" | "sold_out" | "closed";

/**
 * Which room, and under which restore the caller works. `restore` is the Room's durable counter: it
 * is raised before every refill (and is 1 after the first, empty one). The client adds the server's
 * run_id and the highest beat it has seen; any mismatch is answered `away`.
 */
export interface Fence {
  readonly epoch: number;
  readonly restore: number;
}

/**
 * One fact about one place, in the form in which it is written down and replayed. A Door keeps the
 * last row per place (upsert by place) *before it answers the fan or the core*; the Room does the
 * same with the rows of each tick before `status` shows them. `refill` takes both kinds, in any
 * order, any number of times.
 *   called    popped from the door, slot waits for its claim until `until`          (Room)
 *   missed    not claimed in time, back in the line at `number`, `misses` strikes   (Room)
 *   claimed   the fan is inside until `until`                                       (Door)
 *   left      the fan left while inside: final, but the slot counts until `until`   (Door)
 *   finished  claimed and ended or released; final                                  (Room, Door)
 *   gone      left, or missed three times; final                                    (Room, Door)
 * `claimedAt` (0: never) stays in the row whatever follows: claims younger than 60 s count for the
 * rate even if released.
 */
export interface Row {
  readonly kind: "called" | "missed" | "claimed" | "left" | "finished" | "gone";
  readonly place: string;
  /** 0 when the place never had one. */
  readonly number: number;
  readonly misses: number;
  readonly claimedAt: number;
  readonly until: number;
}

/**
 * Redis cannot be used, or is not the one the Room has accepted. The caller journals or answers
 * `not_ready`. `maybeDone`: the command may still be carried out (all of them are safe to repeat).
 */
export interface Away {
  readonly state: "away";
  readonly reason:
    | "unreachable"
    | "timeout"
    | "read_only"
    | "out_of_memory"
    | "refused"
    | "policy"
    | "server"
    | "restore"
    | "filling"
    | "rolled_back";
  readonly maybeDone: boolean;
  /** For logs and `/readyz`, never for the public. */
  readonly detail: string;
}

/** The caller is an older Room than one that has already spoken. It must stop ticking. */
export interface Stale {
  readonly state: "stale";
  readonly gen: number;
}

/** A place's signed receipt, as far as the line needs it. The Door has verified it. */
export type Receipt =
  | { readonly kind: "none" }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "index"; readonly index: number };

export interface JoinInput {
  readonly place: string;
  readonly receipt: Receipt;
}

export type JoinResult =
  | {
      readonly state: "numbered";
      readonly number: number;
      readonly isNew: boolean;
      readonly at: number;
      readonly phase: Phase;
    }
  | {
      readonly state: "pooled";
      readonly index: number;
      readonly isNew: boolean;
      readonly at: number;
      readonly phase: Phase;
    }
  /** In `late`: the place is kept, its number follows. */
  | { readonly state: "late"; readonly isNew: boolean; readonly at: number; readonly phase: Phase }
  /** The ceiling is reached; the Room raises it with its next tick. Answer 503 with Retry-After 1–2 s. */
  | { readonly state: "busy" }
  | { readonly state: "gone" }
  | { readonly state: "closed" }
  | Away;

export interface TurnInput {
  readonly place: string;
  /** From the signed receipt (or computed from the index after the draw); null: not known yet. */
  readonly number: number | null;
  readonly hidden: boolean;
  /** The Door's own durable row of this place, when it has one. It corrects a Redis that lost it. */
  readonly row?: Row;
}

interface Known {
  readonly clock: number;
  readonly calling: number;
  readonly phase: Phase;
}

export type TurnResult =
  | (Known & {
      readonly state: "waiting";
      readonly number: number;
      readonly ahead: number;
      /** Called and counted as present. */
      readonly atDoor: boolean;
      readonly retryAfterMs: number;
    })
  /** Called, a slot is kept, but it cannot be claimed at this moment (paused, or the minute is full). */
  | (Known & { readonly state: "ready"; readonly number: number; readonly retryAfterMs: number })
  /** `row` must be durable before the fan is told. `jti` and times are the same on every repeat. */
  | (Known & {
      readonly state: "admitted";
      readonly number: number;
      readonly jti: string;
      readonly claimedAt: number;
      readonly until: number;
      readonly row: Row;
    })
  | (Known & { readonly state: "pooled"; readonly index: number })
  | (Known & { readonly state: "late"; readonly at: number })
  /** Not in Redis and no number given: join first. */
  | (Known & { readonly state: "unknown" })
  /** Left, finished or struck out. `row` must be durable before the fan is told. */
  | (Known & { readonly state: "gone"; readonly row: Row })
  | Away;

export interface SlotInput {
  readonly place: string;
  readonly jti: string;
}

export interface ExtendInput extends SlotInput {
  readonly untilMs: number;
}

/** `unchanged`: another jti, or not inside: nothing was done. `row` must be durable before the answer. */
export type ReleaseResult =
  | { readonly state: "released"; readonly row: Row }
  | { readonly state: "unchanged" }
  | Away;

export type ExtendResult =
  | { readonly state: "extended"; readonly until: number; readonly row: Row }
  | { readonly state: "unchanged" }
  | Away;

/** Leaving is final and always succeeds; `row.kind` is `left` while a claimed slot runs on. */
export type LeaveResult = { readonly state: "left"; readonly row: Row } | Away;

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
  readonly calledUnclaimed: number;
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
  readonly beat: number;
  readonly ack: number;
  readonly settings: LineSettings;
  readonly reserved: Ceilings;
  readonly calling: number;
  /** Totals the Room has stored, so that figures go on. */
  readonly admitted: number;
  readonly unclaimed: number;
  readonly freed: number;
  readonly roundTheLine: number;
  /** The rates in force in the last 60 s (highest counts for the window). */
  readonly highestRate: number;
}

export type RefillResult =
  | { readonly state: "ok"; readonly clock: number; readonly counts: Counts }
  | Stale
  | Away;

export type PeekResult = TurnResult;

export type FiguresResult =
  | {
      readonly state: "figures";
      readonly clock: number;
      readonly beat: number;
      readonly phase: Phase;
      readonly counts: Counts;
    }
  | Away;

/**
 * One event's line over one connection. Methods never throw for anything Redis does; they answer
 * `away`. They reject only for a bug (a script error), and the caller treats that as 500.
 */
export interface Line {
  // A Door's calls.
  join(fence: Fence, input: JoinInput): Promise<JoinResult>;
  turn(fence: Fence, input: TurnInput): Promise<TurnResult>;
  /** Like turn, but changes nothing: for `GET place`. */
  peek(fence: Fence, input: TurnInput): Promise<PeekResult>;
  release(fence: Fence, input: SlotInput): Promise<ReleaseResult>;
  extend(fence: Fence, input: ExtendInput): Promise<ExtendResult>;
  leave(
    fence: Fence,
    input: { place: string; number: number | null; row?: Row },
  ): Promise<LeaveResult>;

  // The Room's calls.
  tick(fence: Fence, input: TickInput): Promise<TickResult>;
  fill(fence: Fence, input: FillInput): Promise<FillResult>;
  arrivals(fence: Fence, input: ArrivalsInput): Promise<ArrivalsResult>;
  admit(fence: Fence, input: { gen: number; place: string }): Promise<AdmitResult>;
  figures(fence: Fence): Promise<FiguresResult>;

  /**
   * Restore, also the very first start of an epoch (then without rows): `refillBegin` with a
   * restore counter higher than any before, `refillRows` for the Room's and every Door's rows (at
   * most 500 a call), `refillEnd`. Until the end everything else answers `away: filling`.
   * Any `away` in between: take a new counter and begin again.
   */
  refillBegin(fence: Fence, input: RefillBegin): Promise<RefillResult>;
  refillRows(fence: Fence, input: { gen: number; rows: readonly Row[] }): Promise<RefillResult>;
  refillEnd(fence: Fence, input: { gen: number }): Promise<RefillResult>;

  /** UNLINKs every key of an epoch (after a reset). */
  unlinkEpoch(epoch: number): Promise<{ readonly state: "ok" } | Away>;
  /** Connects when needed and checks that the server answers. */
  ping(): Promise<{ readonly state: "ok"; readonly server: string } | Away>;
  close(): void;
}

export interface LineOptions {
  /** One URL, or several of one cluster, comma-separated: redis:// or rediss://, user and password allowed. */
  readonly url: string;
  readonly event: string;
  readonly scripts: ScriptTexts;
  /** In front of every key, for tests that share a server. */
  readonly prefix?: string;
  readonly commandTimeoutMs?: number;
  /** Only in tests: the time the scripts get instead of Redis's own. */
  readonly now?: () => number;
}
// `line.ts` exports: `openLine(options: LineOptions): Line` (connects lazily, reconnects with backoff).
