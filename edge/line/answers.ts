// From each script's reply to the result type its caller sees. One function a script, no I/O.

import { type Reply, readCounts, readRow } from "./replies.ts";
import type {
  AdmitResult,
  ArrivalsResult,
  Away,
  ExtendResult,
  FiguresResult,
  FillResult,
  JoinResult,
  LeaveResult,
  PoolResult,
  RefillResult,
  ReleaseResult,
  Stale,
  Ticked,
  TurnResult,
} from "./types.ts";

type Answer<Result> = Exclude<Result, Away | Stale>;

export const AT_DOOR_RETRY_MS = 2_000;
export const NEAR_RETRY_MS = 5_000;
export const FAR_RETRY_MAX_MS = 60_000;
/** So much later for each number between a place and the number now called. */
const RETRY_PER_NUMBER_MS = 20;

function unknownState(reply: Reply): never {
  throw new Error(`a script answered with an unknown state: ${reply.state}`);
}

/** When a waiting place may ask again: near ones within seconds, far ones hardly ever. */
export function waitingRetryMs(place: {
  number: number;
  calling: number;
  atDoor: boolean;
}): number {
  if (place.atDoor) return AT_DOOR_RETRY_MS;
  const distance = Math.max(0, place.number - place.calling);
  return Math.min(FAR_RETRY_MAX_MS, NEAR_RETRY_MS + distance * RETRY_PER_NUMBER_MS);
}

export function joinAnswer(reply: Reply): Answer<JoinResult> {
  switch (reply.state) {
    case "busy":
    case "gone":
    case "closed":
      return { state: reply.state };
    case "numbered": {
      const number = reply.int();
      return {
        state: "numbered",
        number,
        isNew: reply.int() === 1,
        at: reply.int(),
        phase: reply.phase(),
      };
    }
    case "pooled": {
      const index = reply.int();
      return {
        state: "pooled",
        index,
        isNew: reply.int() === 1,
        at: reply.int(),
        phase: reply.phase(),
      };
    }
    case "late":
      reply.int();
      return { state: "late", isNew: reply.int() === 1, at: reply.int(), phase: reply.phase() };
    default:
      return unknownState(reply);
  }
}

export function turnAnswer(reply: Reply, clock: number): Answer<TurnResult> {
  const known = { clock, calling: reply.int(), phase: reply.phase() };
  switch (reply.state) {
    case "waiting": {
      const number = reply.int();
      const ahead = reply.int();
      const atDoor = reply.int() === 1;
      const missed = reply.int();
      const retryAfterMs = waitingRetryMs({ number, calling: known.calling, atDoor });
      return { ...known, state: "waiting", number, ahead, atDoor, missed, retryAfterMs };
    }
    case "ready":
      return { ...known, state: "ready", number: reply.int(), retryAfterMs: reply.int() };
    case "admitted": {
      const row = reply.row();
      const { number, claimedAt, until } = row;
      const jti = `${row.place}.${row.misses}`;
      return { ...known, state: "admitted", number, jti, claimedAt, until, row };
    }
    case "gone":
      return { ...known, state: "gone", row: reply.row() };
    case "pooled":
      return { ...known, state: "pooled", index: reply.int() };
    case "late":
      return { ...known, state: "late", at: reply.int() };
    case "unknown":
      return { ...known, state: "unknown" };
    default:
      return unknownState(reply);
  }
}

export function releaseAnswer(reply: Reply): Answer<ReleaseResult> {
  if (reply.state === "unchanged") return { state: "unchanged" };
  return { state: "released", row: reply.row() };
}

export function extendAnswer(reply: Reply): Answer<ExtendResult> {
  if (reply.state === "unchanged") return { state: "unchanged" };
  return { state: "extended", until: reply.int(), row: reply.row() };
}

export function leaveAnswer(reply: Reply): Answer<LeaveResult> {
  return { state: "left", row: reply.row() };
}

export function tickAnswer(reply: Reply, at: { beat: number; clock: number }): Ticked {
  const head = {
    phase: reply.phase(),
    version: reply.int(),
    ack: reply.int(),
    again: reply.int() === 1,
  };
  const calls = {
    calledFrom: reply.int(),
    calledTo: reply.int(),
    called: reply.int(),
    popped: reply.int(),
  };
  const rows = reply.texts().map(readRow);
  const arrivals = reply.texts().map((text) => {
    const [number, since] = text.split(":");
    return { number: Number(number), at: Number(since) };
  });
  return {
    state: "ticked",
    ...at,
    ...head,
    ...calls,
    rows,
    arrivals,
    counts: readCounts(reply.ints()),
  };
}

export function fillAnswer(reply: Reply): Answer<FillResult> {
  const filled = reply.int();
  if (reply.state === "not_here") return { state: "not_here", filled };
  return { state: "filled", filled, entered: reply.int() };
}

export function arrivalsAnswer(reply: Reply): Answer<ArrivalsResult> {
  return {
    state: "entered",
    pooled: reply.int(),
    late: reply.int(),
    known: reply.int(),
    over: reply.int(),
  };
}

export function admitAnswer(reply: Reply): Answer<AdmitResult> {
  if (reply.state === "called") return { state: "called", number: reply.int(), until: reply.int() };
  const why = reply.text();
  if (why === "gone" || why === "inside" || why === "full") return { state: "refused", why };
  return { state: "refused", why: "unknown" };
}

export function poolAnswer(reply: Reply): Answer<PoolResult> {
  const pairs = reply.texts();
  const places = [];
  for (let at = 0; at + 1 < pairs.length; at += 2)
    places.push({ place: pairs[at] ?? "", index: Number(pairs[at + 1]) });
  return { state: "pool", places };
}

export function refillAnswer(reply: Reply, clock: number): Answer<RefillResult> {
  return { state: "ok", clock, counts: readCounts(reply.ints()) };
}

export function figuresAnswer(
  reply: Reply,
  at: { beat: number; clock: number },
): Answer<FiguresResult> {
  return { state: "figures", ...at, phase: reply.phase(), counts: readCounts(reply.ints()) };
}
