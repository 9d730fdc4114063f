import type { StatusDocument } from "../../../shared/contract/queue.ts";
import { spanFor } from "../../../shared/wait.ts";
import type { End, Facts, Trouble } from "./facts.ts";
import { aheadOf } from "./facts.ts";

/** What the fan is shown, decided from the facts alone. */

export type Screen =
  | "loading"
  | "early"
  | "pool"
  | "drawing"
  | "kept"
  | "waiting"
  | "near"
  | "ready"
  | "going"
  | "missed"
  | "paused"
  | "baskets"
  | "sold_out"
  | End;

export type Wait = { lowMs: number; highMs: number; sure: boolean };

export type View = {
  screen: Screen;
  number?: number;
  calling?: number;
  ahead?: number;
  /** Until the opening. */
  countdownMs?: number;
  wait?: Wait;
  /** 0…1 of the way from the last number to the door; nothing when it says nothing. */
  progress?: number;
  drawn: boolean;
  trouble?: Trouble;
  canLeave: boolean;
  /** What we show may be old; never a reason to send anybody to the shop. */
  stale: boolean;
};

/** Within this factor the range is worth calling sure. */
const SURE_FACTOR = 1.6;

export function estimateWait(ahead: number, status: StatusDocument): Wait | undefined {
  const { wait } = status;
  if (!wait || status.phase !== "open") return undefined;
  const { lowMs, highMs } = spanFor(wait.spans ?? [], ahead) ?? {
    lowMs: (wait.low * ahead) / 1000,
    highMs: (wait.high * ahead) / 1000,
  };
  return { lowMs, highMs, sure: highMs <= Math.max(lowMs * SURE_FACTOR, lowMs + 60_000) };
}

/** The shortest time in which a call has to be claimed. */
const FRESH_MS = 10_000;

function screenOf(facts: Facts, now: number): Screen {
  const { status, number, door } = facts;
  if (facts.end) return facts.end;
  // Opened without a network, from what this browser kept.
  if (!status) return facts.place && facts.trouble ? "kept" : "loading";
  if (door === "admitted") return "going";
  switch (status.phase) {
    case "closed":
      return "closed";
    case "sold_out":
      return "sold_out";
    case "drawing":
      return "drawing";
    case "upcoming":
      if (!facts.place) return "loading";
      if (Date.parse(status.opensAt) <= now) return "drawing";
      return status.early === "draw" ? "pool" : "early";
    case "paused":
      return "paused";
    case "open":
      break;
  }
  if (!facts.place) return "loading";
  if (number === undefined) return "kept";
  // Nobody is told "your turn" by a page that has not heard so for a while.
  const isFresh = !facts.trouble || now - (facts.heardAt ?? 0) < FRESH_MS;
  if (door === "ready" && isFresh) return "ready";
  if (facts.missed) return "missed";
  if (status.reason === "all_in_baskets") return "baskets";
  // Called, and nothing holds the door: the turn comes within moments.
  if (number <= status.calling && !status.reason && isFresh) return "ready";
  return aheadOf(number, status) < status.poll.nearAhead ? "near" : "waiting";
}

const LEAVABLE: readonly Screen[] = [
  "early",
  "pool",
  "drawing",
  "kept",
  "waiting",
  "near",
  "ready",
  "missed",
  "paused",
  "baskets",
  "sold_out",
];

/** @param now ms, server's clock. */
export function decideView(facts: Facts, now: number): View {
  const { status, number, trouble } = facts;
  const screen = screenOf(facts, now);
  const view: View = {
    screen,
    drawn: status?.early === "draw" && facts.place?.index !== undefined,
    canLeave: facts.place !== undefined && LEAVABLE.includes(screen),
    stale: status?.stale === true || trouble !== undefined,
    ...(trouble === undefined ? {} : { trouble }),
  };
  if (number !== undefined) view.number = number;
  if (!status) return view;
  if (number !== undefined) {
    const ahead = aheadOf(number, status);
    view.ahead = ahead;
    const wait = estimateWait(ahead, status);
    if (wait && ahead > 0) view.wait = wait;
    if (number > 1) view.progress = Math.min(1, Math.max(0, status.calling / number));
  }
  const untilOpen = Date.parse(status.opensAt) - now;
  if (status.phase === "upcoming" && untilOpen > 0) view.countdownMs = untilOpen;
  else view.calling = status.calling;
  return view;
}
