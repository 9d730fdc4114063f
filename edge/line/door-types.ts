// What a Door asks of the line and what it hears. Use through `types.ts`.

import type { Away, Phase, Row } from "./words.ts";

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
      /** Calls at which nobody came. */
      readonly missed: number;
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

export type PeekResult = TurnResult;
