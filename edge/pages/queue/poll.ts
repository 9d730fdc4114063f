import type { Facts } from "./facts.ts";
import { aheadOf } from "./facts.ts";

/** When this page asks again. Pure: the same facts and the same dice give the same time. */

export const HIDDEN_MS = 60_000;
const NEAR_BACKOFF_MAX_MS = 5_000;
const FAR_BACKOFF_MAX_MS = 60_000;
const JITTER = 0.2;
/** Until the first status has been read there is no plan to follow. */
const FIRST_MS = 2_000;

export type PollInput = {
  facts: Facts;
  hidden: boolean;
  /** What the last answer asked for, by `Retry-After` or `retryAfterMs`. */
  retryAfterMs?: number | undefined;
  /** ms, server's clock. */
  now: number;
  /** 0 ≤ random < 1. */
  random: number;
};

/** Near places speak to the door themselves; all others read the shared document only. */
export function isNear(facts: Facts): boolean {
  const { status, number } = facts;
  if (!status) return false;
  if (facts.door === "ready" || facts.door === "admitted") return true;
  if (number === undefined) return false;
  return aheadOf(number, status) < status.poll.nearAhead;
}

/** The line moves, or may at any moment, and so the door can be asked. */
export function doorAnswers(facts: Facts): boolean {
  const phase = facts.status?.phase;
  return phase === "open" || phase === "paused";
}

export function nextPollMs(input: PollInput): number {
  const { facts, hidden, retryAfterMs, now, random } = input;
  const { status, failures } = facts;
  const spread = (ms: number) => Math.round(ms * (1 - JITTER + 2 * JITTER * random));
  // A server that names a time is obeyed, whatever else we would like; the spread only adds.
  const asked = retryAfterMs === undefined ? 0 : Math.round(retryAfterMs * (1 + JITTER * random));
  if (hidden) return Math.max(asked, HIDDEN_MS);
  const near = isNear(facts) && doorAnswers(facts);
  const plan = status ? (near ? status.poll.nearMs : status.poll.farMs) : FIRST_MS;
  if (failures > 0) {
    const most = near ? NEAR_BACKOFF_MAX_MS : FAR_BACKOFF_MAX_MS;
    const base = near ? plan : Math.min(plan, FIRST_MS * 2);
    return Math.max(asked, spread(Math.min(most, base * 2 ** Math.min(failures - 1, 6))));
  }
  if (status && (status.phase === "upcoming" || status.phase === "drawing")) {
    // Nobody is asked to come at 10:00:00 sharp: pages look within the first few seconds after.
    const untilOpen = Date.parse(status.opensAt) - now;
    if (untilOpen > 0) return Math.max(asked, Math.min(spread(plan), untilOpen + 4_000 * random));
    return Math.max(asked, spread(Math.min(plan, status.poll.nearMs)));
  }
  return Math.max(asked, spread(plan));
}
