import type { PlaceView, StatusDocument } from "../../../shared/contract/queue.ts";

/** Why the page has nothing more to ask for. Each has its own picture and its own way on. */
export type End =
  | "unknown"
  | "closed"
  | "gone"
  | "left"
  | "moved"
  | "pass"
  | "challenge"
  | "conflict"
  | "too_late"
  | "link"
  | "insecure";

/** Why we have not heard what we wanted to hear. The place is kept in each case. */
export type Trouble = "offline" | "server" | "restoring" | "busy";

/** What the door last said to this place. */
export type Door = "waiting" | "ready" | "admitted";

/** Everything a page knows. Plain data: one tab polls and the others are sent a copy. */
export type Facts = {
  event: string;
  status?: StatusDocument;
  place?: PlaceView;
  token?: string;
  /** In the line; from the place, from a turn, or computed from the draw. */
  number?: number;
  door?: Door;
  /** Was called, and did not come in. */
  missed?: boolean;
  continueTo?: string;
  end?: End;
  /** The check at the end has a page of its own, which waits for the fan. */
  check?: boolean;
  trouble?: Trouble;
  /** Calls in a row that did not bring what they should. */
  failures: number;
  /** ms, server's clock. */
  heardAt?: number;
  /** The last `restored.beat` for which this place was presented again. */
  presentedBeat?: number;
};

export const freshFacts = (event: string): Facts => ({ event, failures: 0 });

/** A status from a slower cache never turns the page back. */
export function withStatus(facts: Facts, status: StatusDocument): Facts {
  const old = facts.status;
  const older =
    old && (status.epoch < old.epoch || (status.epoch === old.epoch && status.v < old.v));
  return older ? facts : { ...facts, status };
}

/** A number never rises; a different, higher one is some other answer's and is not believed. */
export function withNumber(facts: Facts, number: number | undefined): Facts {
  if (number === undefined) return facts;
  if (facts.number !== undefined && number >= facts.number) return facts;
  return { ...facts, number };
}

/** Numbers that nobody got do not stand in front of anybody. */
export function aheadOf(number: number, status: StatusDocument): number {
  let ahead = number - status.calling - 1;
  for (const [first, last] of status.gaps ?? []) {
    const from = Math.max(first, status.calling + 1);
    const to = Math.min(last, number - 1);
    if (to >= from) ahead -= to - from + 1;
  }
  return Math.max(0, ahead);
}
