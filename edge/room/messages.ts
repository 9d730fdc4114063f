import type { RoomAction, RoomPatch, RoomSettings } from "../../shared/contract/rooms.ts";
import type { ErrorCode, ErrorFacts } from "../../shared/errors.ts";
import type { Fence, Phase } from "../line/types.ts";
import type { AuditEntry, Moment } from "./ledger.ts";

/** What Workers and Doors say to a Room and hear from it. Plain data. */

/** Who acts, and why; stands in the audit log. */
export type Act = { actor: string; requestId: string; reason?: string };

export type Verdict<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; detail?: string; facts?: ErrorFacts };

export type RoomView = RoomSettings & {
  event: string;
  epoch: number;
  version: number;
  phase: Phase;
  reason?: string;
};

export type PutInput = { settings: RoomSettings; ifMatch?: number };
export type PatchInput = { patch: RoomPatch; ifMatch?: number };
export type ActionInput = RoomAction;

/** What a Door must know to serve: nothing is served until the Room has ticked under the fence. */
export type RoomFacts = {
  event: string;
  epoch: number;
  serving?: Fence;
  phase: Phase;
  /** Once made: seed and beacon in hex, and N. */
  draw?: { seed: string; beacon: string; count: number };
};

export type Figures = {
  event: string;
  epoch: number;
  at: string;
  phase: Phase;
  stale: boolean;
  issued: number;
  waiting: number;
  calling: number;
  door: number;
  inside: number;
  admitted: number;
  unclaimed: number;
  finished: number;
  gone: number;
  unreturned: number;
  late: number;
  pool: number;
  noShowShare: number;
  ratePerMinute: number;
  /** The rate in force: the set one, or what `pace` made of it. */
  effectivePerMinute: number;
  measuredPerMinute: number;
  letIn: number;
  holding?: string;
  /** Turnstile does not answer: until then joins are asked for proof of work instead. */
  verifierAwayUntil?: string;
  seats?: { available: number; held: number; paying: number; sold: number };
  /** What the core last said of itself; its age is `at`. */
  capacity?: { limitPerMinute: number; inFlight: number; p95Ms: number; at: string };
  /** What is promised for a thousand people ahead, just now. */
  wait?: { perThousandMs: number; low: number; high: number };
  /** `restated`: promised anew when the organizer set another rate. */
  promises?: { kept: number; made: number; restated: number };
  /** Promises that came due of late, against what was true. */
  waits: { at: number; lowMs: number; highMs: number; trueMs: number }[];
  /** The line's store, as the last beat found it. */
  store: { ok: boolean; at: string; trouble?: string };
  rehearsalOf?: string;
  history: { perSecond: Moment[]; perMinute: Moment[] };
};

export type LogReply = { event: string; entries: AuditEntry[] };
