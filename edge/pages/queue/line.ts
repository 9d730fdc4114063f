import type { PowChallenge } from "../../../shared/challenge/solve.ts";
import type { JoinReply, StatusDocument, TurnReply } from "../../../shared/contract/queue.ts";
import { type Credential, call, type PageProblem, type Reply } from "../kit/api.ts";
import { learnTime, serverNow } from "../kit/clock.ts";
import { takeAnswer } from "../kit/human-answer.ts";
import { ensureKey, existingKey } from "../kit/proof.ts";
import { load, passKey, save } from "../kit/store.ts";
import { type End, type Facts, type Trouble, withNumber, withStatus } from "./facts.ts";

/** The calls of a waiting page. Each takes facts and gives the facts that follow from the answer. */

export type Step = { facts: Facts; retryAfterMs?: number | undefined };

const path = (event: string, what: string) => `/api/queue/${encodeURIComponent(event)}/${what}`;

/** What the browser keeps of its place when the page is closed. */
export type KeptPlace = Pick<Facts, "event" | "place" | "token" | "number" | "end"> & {
  name?: string;
};
export const placeKey = (event: string): string => `place:${event}`;

async function keep(facts: Facts): Promise<void> {
  const { event, place, token, number, end } = facts;
  const name = facts.status?.branding?.name;
  const kept: KeptPlace = { event };
  if (place) kept.place = place;
  if (token !== undefined) kept.token = token;
  if (number !== undefined) kept.number = number;
  if (end !== undefined) kept.end = end;
  if (name !== undefined) kept.name = name;
  await save(placeKey(event), kept);
}

function heard(facts: Facts): Facts {
  const { trouble: _, ...rest } = facts;
  return { ...rest, failures: 0, heardAt: serverNow() };
}

export async function credentialOf(facts: Facts): Promise<Credential | undefined> {
  if (facts.token === undefined) return undefined;
  const key = await existingKey(facts.event);
  return { scheme: "Place", token: facts.token, ...(key ? { key } : {}) };
}

/** Codes after which this page has nothing more to ask. */
const ENDS: Readonly<Record<string, End>> = {
  unknown_event: "unknown",
  not_found: "unknown",
  room_closed: "closed",
  place_gone: "gone",
  moved: "moved",
  pass_required: "pass",
  // A pass that the gate does not believe: the account gives another.
  credential_invalid: "pass",
  challenge_required: "challenge",
  challenge_failed: "challenge",
  place_conflict: "conflict",
  sold_out: "too_late",
  exchange_invalid: "link",
};

function troubleOf(problem: PageProblem, status: number): Trouble {
  if (problem.code === "not_ready") return "restoring";
  return status === 429 || problem.code === "overloaded" ? "busy" : "server";
}

/** Anything but success: an end that is kept, or a trouble that passes. */
async function refused<T>(facts: Facts, reply: Exclude<Reply<T>, { kind: "ok" }>): Promise<Step> {
  const failures = facts.failures + 1;
  if (reply.kind === "network") {
    const trouble = navigator.onLine ? "server" : "offline";
    return { facts: { ...facts, failures, trouble } };
  }
  const { problem, status, retryAfterMs } = reply;
  const end = ENDS[problem.code];
  if (end !== undefined) {
    const ended = { ...heard(facts), end };
    // A page that was never in the line has nothing to remember.
    if (facts.place) await keep(ended);
    return { facts: ended };
  }
  return { facts: { ...facts, failures, trouble: troubleOf(problem, status) }, retryAfterMs };
}

/** A proof of work is done quietly, in about half a second on a phone, with code fetched for it alone. */
async function solve(challenge: unknown): Promise<string | undefined> {
  if (typeof challenge !== "object" || challenge === null) return undefined;
  if (!("kind" in challenge) || challenge.kind !== "pow") return undefined;
  const { solveChallenge } = await import("../../../shared/challenge/solve.ts");
  const { kind: _, ...offered } = challenge;
  return await solveChallenge(offered as PowChallenge);
}

/** A refused solution comes with a fresh question; a page that cannot answer it must not spin. */
const SOLUTIONS_MAX = 3;

export type Joining = {
  locale: string;
  /** The fan gives up the place that this browser's cookie names, and has been asked. */
  replace?: boolean;
  /** From a link that takes a place along to this browser; the person has said yes. */
  move?: string | undefined;
  challenge?: string;
  solutions?: number;
};

/** Takes a place, or shows the receipt of the one we have; both are safe to repeat. */
export async function joinLine(facts: Facts, joining: Joining): Promise<Step> {
  const { event } = facts;
  const { locale, replace, move, solutions = 0 } = joining;
  const challenge = joining.challenge ?? (await takeAnswer(event));
  const key = await ensureKey(event);
  const { x = "", y = "" } = key.jwk;
  const pass = await load<string>(passKey(event));
  const reply = await call<JoinReply>(path(event, replace ? "places?replace=1" : "places"), {
    method: "POST",
    body: {
      key: { kty: "EC", crv: "P-256", x, y },
      locale,
      ...(pass === undefined ? {} : { pass }),
      ...(challenge === undefined ? {} : { challenge }),
      ...(move === undefined ? {} : { move }),
    },
    ...(facts.token === undefined ? {} : { headers: { authorization: `Place ${facts.token}` } }),
  });
  if (reply.kind !== "ok") {
    // A receipt of an earlier epoch proves nothing any more; the key still names the same fan.
    if (reply.kind === "problem" && reply.problem.code === "place_invalid" && facts.token) {
      const { token: _, place: __, number: ___, ...rest } = facts;
      return joinLine(rest, joining);
    }
    if (reply.kind === "problem" && solutions < SOLUTIONS_MAX) {
      const solved = await solve(reply.problem["challenge"]);
      if (solved !== undefined)
        return joinLine(facts, { ...joining, challenge: solved, solutions: solutions + 1 });
    }
    const offered = reply.kind === "problem" ? reply.problem["challenge"] : undefined;
    if (offered === undefined) return refused(facts, reply);
    const { keepHumanCheck, readHumanCheck } = await import("../kit/human-check.ts");
    const check = readHumanCheck(offered);
    if (check === undefined) return refused(facts, reply);
    await keepHumanCheck(event, check);
    return refused({ ...facts, check: true }, reply);
  }
  const { place, token, status } = reply.data;
  learnTime(status.now);
  let next = withStatus({ ...heard(facts), place, token }, status);
  next = withNumber(next, place.number);
  if (place.number === undefined && place.index !== undefined && status.early === "fifo")
    next = withNumber(next, place.index + 1);
  await keep(next);
  return { facts: next };
}

export async function readStatus(facts: Facts): Promise<Step> {
  const reply = await call<StatusDocument>(path(facts.event, "status"));
  if (reply.kind !== "ok") return refused(facts, reply);
  learnTime(reply.data.now);
  return { facts: withStatus(heard(facts), reply.data) };
}

/** The heartbeat of those near the front. */
export async function takeTurn(facts: Facts, hidden: boolean): Promise<Step> {
  const credential = await credentialOf(facts);
  if (!credential) return { facts };
  const reply = await call<TurnReply>(path(facts.event, "turn"), {
    method: "POST",
    body: { hidden },
    credential,
  });
  if (reply.kind !== "ok") return refused(facts, reply);
  const turn = reply.data;
  let next = withNumber(heard(facts), turn.number);
  if (turn.state === "admitted") {
    await save(`admission:${facts.event}`, turn.admission);
    next = { ...next, door: "admitted", missed: false, continueTo: turn.continueTo };
    await keep(next);
    return { facts: next };
  }
  next = { ...next, door: turn.state, missed: (turn.missed ?? 0) > 0 };
  if (next.number !== facts.number) await keep(next);
  return { facts: next, retryAfterMs: turn.retryAfterMs };
}

/** For good: the number cannot be had again. */
export async function leaveLine(facts: Facts): Promise<Step> {
  const credential = await credentialOf(facts);
  const reply = await call<undefined>(path(facts.event, "place"), {
    method: "DELETE",
    ...(credential ? { credential } : {}),
  });
  const gone = reply.kind === "problem" && reply.problem.code === "place_gone";
  if (reply.kind !== "ok" && !gone) return refused(facts, reply);
  const left: Facts = { ...heard(facts), end: "left" };
  await keep(left);
  return { facts: left };
}
