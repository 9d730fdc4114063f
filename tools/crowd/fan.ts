// One synthetic fan: joins, waits by the published poll plan, claims when called, and leaves. It
// does over HTTP what the queue page does, and knows nothing that a page could not know.
import { setTimeout as sleep } from "node:timers/promises";
import type { JoinReply, StatusDocument, TurnReply } from "../../shared/contract/queue.ts";
import type { ReleaseSlot } from "./release-slot.ts";
import { makeProof, makeSessionKey } from "./session-key.ts";
import type { Tally } from "./tally.ts";

export interface FanPlan {
  readonly edge: string;
  readonly event: string;
  /** Claims and stays inside this long; undefined: closes the tab without a word when called. */
  readonly shopMs: number | undefined;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  /** The address the gate should see; only bare workerd without a proxy believes it. */
  readonly address: string;
  readonly onJoined?: (() => void) | undefined;
  /** Gives the slot back as a shop would, once the fan is done. */
  readonly release?: ReleaseSlot | undefined;
}

const REQUEST_TIMEOUT_MS = 15_000;
const JITTER = 0.2;
/** A fan gives up after so many refusals in a row. */
const FAILURES_MAX = 20;

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number;
}

export async function runFan(plan: FanPlan): Promise<void> {
  const { tally, signal } = plan;
  const key = makeSessionKey();
  const base = `${plan.edge}/api/queue/${plan.event}`;
  let nonce: string | undefined;

  const send = async (
    name: string,
    method: string,
    url: string,
    options: { body?: object; token?: string } = {},
  ): Promise<Reply> => {
    const headers: Record<string, string> = { "cf-connecting-ip": plan.address };
    if (options.body !== undefined) headers["content-type"] = "application/json";
    if (options.token !== undefined) {
      headers["authorization"] = `Place ${options.token}`;
      headers["dpop"] = makeProof(key, { method, url, token: options.token }, nonce);
    }
    const startedAt = performance.now();
    const response = await fetch(url, {
      method,
      headers,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const text = await response.text();
    tally.record(name, performance.now() - startedAt);
    nonce = response.headers.get("dpop-nonce") ?? nonce;
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return {
      status: response.status,
      body: isJson && text !== "" ? JSON.parse(text) : undefined,
      retryAfterMs: Number(response.headers.get("retry-after") ?? 0) * 1_000,
    };
  };

  const joined = await join(send, base, key.publicJwk, plan);
  if (joined === undefined) return;
  tally.count("joined");
  plan.onJoined?.();
  const admission = await waitForTurn(send, base, joined, plan);
  if (admission === undefined || plan.shopMs === undefined) return;
  await sleep(plan.shopMs, undefined, { signal });
  await plan.release?.(plan.event, admission);
  const left = await send("leave", "DELETE", `${base}/place`, { token: joined.token });
  if (left.status === 204 || left.status === 410) tally.count("left");
  else tally.wrong(`leave ${describe(left)}`);
}

type Send = (
  name: string,
  method: string,
  url: string,
  options?: { body?: object; token?: string },
) => Promise<Reply>;

async function join(
  send: Send,
  base: string,
  publicJwk: object,
  plan: FanPlan,
): Promise<JoinReply | undefined> {
  for (let failures = 0; failures < FAILURES_MAX; failures++) {
    const reply = await send("join", "POST", `${base}/places`, { body: { key: publicJwk } });
    if (reply.status === 201) return reply.body as JoinReply;
    if (reply.status !== 429 && reply.status !== 503) {
      plan.tally.wrong(`join ${describe(reply)}`);
      return undefined;
    }
    plan.tally.count(`join answered ${reply.status}`);
    await sleep(jittered(Math.max(reply.retryAfterMs, 1_000)), undefined, { signal: plan.signal });
  }
  plan.tally.wrong("join: never accepted");
  return undefined;
}

/** The admission token; undefined when there is nothing to wait for any more. */
async function waitForTurn(
  send: Send,
  base: string,
  joined: JoinReply,
  plan: FanPlan,
): Promise<string | undefined> {
  const { tally } = plan;
  let status = joined.status;
  let number = joined.place.number;
  let failures = 0;
  while (failures < FAILURES_MAX) {
    const pause = nextPause(status, number);
    await sleep(jittered(pause.ms), undefined, { signal: plan.signal });
    if (!pause.personal) {
      const reply = await send("status", "GET", `${base}/status`);
      if (reply.status === 200) status = newer(status, reply.body as StatusDocument);
      else tally.wrong(`status ${describe(reply)}`);
      if (status.phase === "closed" || status.phase === "sold_out") return undefined;
      continue;
    }
    if (plan.shopMs === undefined && number !== undefined && number <= status.calling) {
      tally.count("closed the tab");
      return undefined;
    }
    const turn = await send("turn", "POST", `${base}/turn`, { body: {}, token: joined.token });
    if (turn.status === 200) {
      failures = 0;
      const reply = turn.body as TurnReply;
      if (reply.state === "admitted") {
        tally.count("admitted");
        return reply.admission.token;
      }
      if (number !== undefined && reply.number !== undefined && reply.number > number) {
        tally.wrong("a number rose");
      }
      number = reply.number ?? number;
      status = { ...status, calling: Math.max(status.calling, reply.calling) };
      const rest = reply.retryAfterMs - pause.ms;
      if (rest > 0) await sleep(rest, undefined, { signal: plan.signal });
      continue;
    }
    failures++;
    if (turn.status === 410) {
      tally.count("gone");
      return undefined;
    }
    if (turn.status === 429 || turn.status === 503) tally.count(`turn answered ${turn.status}`);
    else tally.wrong(`turn ${describe(turn)}`);
    await sleep(jittered(Math.max(turn.retryAfterMs, 1_000)), undefined, { signal: plan.signal });
  }
  return undefined;
}

/** Near the front a fan asks for itself; everybody else reads the shared document. */
function nextPause(
  status: StatusDocument,
  number: number | undefined,
): { ms: number; personal: boolean } {
  const { nearMs, farMs, nearAhead } = status.poll;
  if (status.phase === "upcoming") {
    const untilOpening = Date.parse(status.opensAt) - Date.parse(status.now);
    return { ms: Math.min(farMs, Math.max(untilOpening, 0) + nearMs), personal: false };
  }
  const near = number === undefined || number - status.calling <= nearAhead;
  return near ? { ms: nearMs, personal: true } : { ms: farMs, personal: false };
}

function newer(known: StatusDocument, heard: StatusDocument): StatusDocument {
  const isOlder = heard.epoch < known.epoch || (heard.epoch === known.epoch && heard.v < known.v);
  return isOlder ? known : heard;
}

function jittered(ms: number): number {
  return ms * (1 - JITTER + Math.random() * 2 * JITTER);
}

function describe(reply: Reply): string {
  const { body } = reply;
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : "";
  return `${reply.status} ${String(code)}`.trim();
}
