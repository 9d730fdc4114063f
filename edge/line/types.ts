// The interface of the line: what Room and Door objects call, and what they must write down.
// Nothing here does anything; `line.ts` connects, and the rules themselves are in `lua/`.
//
// Script texts reach the client as a plain record (`ScriptTexts`), one loader per runtime:
//   workerd  `import { SCRIPT_TEXTS } from "./scripts-bundle.ts"`  (`.lua` imported as text: esbuild
//            `loader: {".lua": "text"}`, wrangler `rules = [{type = "Text", globs = ["**/*.lua"]}]`)
//   Node     `import { readScriptTexts } from "./scripts-node.ts"`   (reads the files)
// so `line.ts` itself imports neither and runs on both. It exports `openLine(options: LineOptions): Line`,
// which connects at the first call and again, with backoff, after a loss.
//
// All times are milliseconds since 1970 on the room's clock, all durations milliseconds.

import type {
  ExtendInput,
  ExtendResult,
  JoinInput,
  JoinResult,
  LeaveResult,
  PeekResult,
  ReleaseResult,
  SlotInput,
  TurnInput,
  TurnResult,
} from "./door-types.ts";
import type {
  AdmitResult,
  ArrivalsInput,
  ArrivalsResult,
  FiguresResult,
  FillInput,
  FillResult,
  PoolResult,
  RefillBegin,
  RefillResult,
  TickInput,
  TickResult,
} from "./room-types.ts";
import type { Away, Fence, Row } from "./words.ts";

export type * from "./door-types.ts";
export type * from "./room-types.ts";
export type * from "./words.ts";

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
  | "figures"
  | "pool";

/** The text of every script, and of `common`, which is put in front of each. */
export type ScriptTexts = Readonly<Record<ScriptName | "common", string>>;

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
  /** Who holds the indexes from `from` on, at most 4,096: the leaves of the draw's tree. */
  pool(fence: Fence, input: { from: number; count: number }): Promise<PoolResult>;

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
