import type { PlaceId } from "../../shared/ids.ts";

/** What a Worker says to a Door and hears from it. Plain data; times are ms since 1970. */

/** Where a place stands, as its signed token says. */
export type Standing = {
  place: PlaceId;
  /** Device generation; a lower one than the Door knows has moved. */
  gen: number;
  number?: number;
  index?: number;
};

/** A DPoP proof counts once: the Door remembers its id until then. */
export type ProofMark = { id: string; untilMs: number };

export type JoinInput = {
  place: PlaceId;
  /** The gate's clock at the first sight of the request; a receipt's own arrival when it has one. */
  at: number;
  /** A token that the fan already had. */
  receipt?: { gen: number; number?: number; index?: number };
  /** In rooms with entry passes: the device that shows the pass now. */
  device?: string;
};

export type JoinOutcome =
  | {
      kind: "placed";
      known: boolean;
      gen: number;
      joinedAt: number;
      number?: number;
      index?: number;
    }
  | { kind: "gone" }
  | { kind: "moved" }
  | { kind: "closed" }
  | { kind: "busy"; retryAfterMs: number };

export type TurnInput = Standing & {
  hidden: boolean;
  proof?: ProofMark;
  /** A shop on another origin fetches the admission with a code. */
  wantsCode: boolean;
  account?: string;
};

export type LeaveInput = TurnInput & {
  /** The core refuses the admission from now on: its slot can go to the next at once. */
  closedAtCore: boolean;
};

export type Admitted = {
  kind: "admitted";
  number?: number;
  jti: string;
  claimedAt: number;
  /** When the slot ends. */
  until: number;
  code?: string;
};

type Waiting = {
  kind: "waiting" | "ready";
  number?: number;
  index?: number;
  ahead?: number;
  /** Calls at which this place did not come in. */
  missed?: number;
  calling: number;
  retryAfterMs: number;
};

export type Refused =
  | { kind: "gone" }
  | { kind: "moved" }
  | { kind: "replayed" }
  | { kind: "too_many"; retryAfterMs: number }
  | { kind: "away"; retryAfterMs: number };

export type TurnOutcome = Waiting | Admitted | Refused;

export type LookOutcome =
  | {
      kind: "waiting" | "ready" | "admitted";
      number?: number;
      index?: number;
      ahead?: number;
      calling: number;
    }
  | Refused;

export type LeaveOutcome = { kind: "left" } | Refused;

export type SlotInput = {
  place: PlaceId;
  action: "release" | "extend";
  jti: string;
  untilMs?: number;
};

export type SlotOutcome =
  | { kind: "done"; until?: number }
  | { kind: "unchanged" }
  | { kind: "away"; retryAfterMs: number };

/** What a single-use code stands for: the claims of the admission it is changed for. */
export type ExchangeOutcome =
  | {
      kind: "admission";
      place: PlaceId;
      gen: number;
      jti: string;
      claimedAt: number;
      until: number;
      account?: string;
    }
  | { kind: "invalid" };

/** What a fan may ask to be woken by. */
export type WakeInput = TurnInput & {
  push?: { endpoint: string; p256dh: string; auth: string };
  mail?: { email: string; locale: string };
};

export type WakeOutcome = { kind: "kept" } | { kind: "full" } | Refused;

export type MoveOutcome =
  | { kind: "code"; code: string; ends: number }
  | { kind: "inside" }
  | Refused;

export type TakeMoveInput = { place: PlaceId; code: string; device: string; at: number };

export type TakeMoveOutcome =
  | { kind: "taken"; joined: JoinOutcome; account?: string; at: number }
  | { kind: "invalid" };

/** Which Door of which room and epoch is meant; told with each call, since an object has no name of its own. */
export type DoorRoom = { event: string; epoch: number; door: number };
