import { setTimeout as sleep } from "node:timers/promises";
import type { HoldRequest, HoldView } from "../../shared/contract/holds.ts";
import type { AdmissionView, JoinReply, TurnReply } from "../../shared/contract/queue.ts";
import { makeProof, makeSessionKey, type SessionKey } from "./session-key.ts";
import type { Tally } from "./tally.ts";

/**
 * One synthetic fan of a rehearsal: joins with an entry pass, waits at the door, and perhaps buys. It
 * uses the same addresses as a browser and knows nothing that a page could not know.
 */
export type FanPlan = {
  edge: string;
  core: string;
  event: string;
  pass: string;
  /** Closes the tab without a word. */
  absent: boolean;
  buys: boolean;
  /** How long it looks around before it buys or leaves. */
  shopMs: number;
  opensAt: number;
  /** Where the gate believes it: bare workerd without a proxy in front. */
  address: string;
  serial: number;
  /** Standing zones; every second buyer of an event with seats too goes there. */
  standing: readonly string[];
  hasSeats: boolean;
  signal: AbortSignal;
  tally: Tally;
};

const CALL_MS = 15_000;
const PAUSE_MS_MIN = 500;
const FAILURES_MAX = 15;
/** Answers of a system that is busy, not wrong. */
const BUSY = new Set([429, 503]);

type Answer<Body> = { status: number; body: Body; retryAfterMs: number; code: string };
type Sender = {
  send<Body>(
    method: string,
    url: string,
    more?: { scheme?: string; token?: string; body?: object; headers?: Record<string, string> },
  ): Promise<Answer<Body>>;
};

export async function runFan(plan: FanPlan): Promise<void> {
  const { tally, signal } = plan;
  const key = makeSessionKey();
  const sender = senderOf(plan, key);
  const arrivedAt = Date.now();
  const joined = await join(plan, sender, key);
  if (joined === undefined) return;
  tally.count("joined");
  if (plan.absent) return tally.count("absent");
  const admission = await waitAtDoor(plan, sender, joined);
  if (admission === undefined) return;
  tally.count("admitted");
  tally.waited(Date.now() - Math.max(arrivedAt, plan.opensAt));
  await sleep(plan.shopMs, undefined, { signal });
  if (plan.buys) await buy(plan, sender, admission);
  await sender.send("DELETE", placeUrl(plan), { scheme: "Place", token: joined.token });
}

const queueUrl = (plan: FanPlan) => `${plan.edge}/api/queue/${plan.event}`;
const placeUrl = (plan: FanPlan) => `${queueUrl(plan)}/place`;

function senderOf(plan: FanPlan, key: SessionKey): Sender {
  const nonces = new Map<string, string>();
  return {
    async send<Body>(
      method: string,
      url: string,
      more: {
        scheme?: string;
        token?: string;
        body?: object;
        headers?: Record<string, string>;
      } = {},
    ) {
      const { origin } = new URL(url);
      const headers: Record<string, string> = {
        "cf-connecting-ip": plan.address,
        ...more.headers,
      };
      if (more.body !== undefined) headers["content-type"] = "application/json";
      if (more.token !== undefined) {
        const nonce = nonces.get(origin);
        headers["authorization"] = `${more.scheme} ${more.token}`;
        if (more.scheme !== "Order")
          headers["dpop"] = makeProof(key, { method, url, token: more.token }, nonce);
      }
      const response = await fetch(url, {
        method,
        headers,
        ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
        signal: AbortSignal.any([plan.signal, AbortSignal.timeout(CALL_MS)]),
      });
      const nonce = response.headers.get("dpop-nonce");
      if (nonce !== null) nonces.set(origin, nonce);
      const text = await response.text();
      const body: Body & { code?: string } = text === "" ? {} : JSON.parse(text);
      return {
        status: response.status,
        body,
        code: body.code ?? "",
        retryAfterMs: Number(response.headers.get("retry-after") ?? 0) * 1_000,
      };
    },
  };
}

async function join(
  plan: FanPlan,
  { send }: Sender,
  key: SessionKey,
): Promise<JoinReply | undefined> {
  for (let failures = 0; failures < FAILURES_MAX; failures += 1) {
    const answer = await send<JoinReply>("POST", `${queueUrl(plan)}/places`, {
      body: { key: key.publicJwk, pass: plan.pass },
    });
    if (answer.status === 201) return answer.body;
    if (!BUSY.has(answer.status)) {
      plan.tally.wrong(`join ${answer.status} ${answer.code}`);
      return undefined;
    }
    await pause(plan, answer.retryAfterMs);
  }
  plan.tally.wrong("join: never accepted");
  return undefined;
}

const pause = (plan: FanPlan, ms: number) =>
  sleep(Math.max(PAUSE_MS_MIN, ms) * (0.8 + Math.random() * 0.4), undefined, {
    signal: plan.signal,
  });

async function waitAtDoor(
  plan: FanPlan,
  { send }: Sender,
  joined: JoinReply,
): Promise<AdmissionView | undefined> {
  for (let failures = 0; failures < FAILURES_MAX; ) {
    const answer = await send<TurnReply>("POST", `${queueUrl(plan)}/turn`, {
      body: {},
      scheme: "Place",
      token: joined.token,
    });
    if (answer.status === 200) {
      failures = 0;
      if (answer.body.state === "admitted") return answer.body.admission;
      await pause(plan, answer.body.retryAfterMs);
      continue;
    }
    if (answer.status === 410) return undefined;
    failures += 1;
    if (!BUSY.has(answer.status)) plan.tally.wrong(`turn ${answer.status} ${answer.code}`);
    await pause(plan, answer.retryAfterMs);
  }
  plan.tally.wrong("turn: given up");
  return undefined;
}

function wishOf({ serial, standing, hasSeats }: FanPlan): HoldRequest {
  const quantity = 1 + (serial % 2);
  const zone = standing[serial % Math.max(1, standing.length)];
  return zone !== undefined && (!hasSeats || serial % 2 === 0)
    ? { zone, quantity }
    : { best: { quantity } };
}

/** The copy costs nothing, so an order is paid by being made: no provider ever hears of a rehearsal. */
async function buy(plan: FanPlan, { send }: Sender, admission: AdmissionView): Promise<void> {
  const { tally } = plan;
  const as = { scheme: admission.type, token: admission.token };
  const held = await send<HoldView>("POST", `${plan.core}/v1/events/${plan.event}/holds`, {
    ...as,
    body: wishOf(plan),
  });
  if (held.status !== 201) {
    if (held.code === "sold_out" || held.code === "seats_unavailable" || BUSY.has(held.status))
      return tally.count("refused");
    return tally.wrong(`hold ${held.status} ${held.code}`);
  }
  const order = await send<{ state: string }>("POST", `${plan.core}/v1/orders`, {
    ...as,
    body: {
      holdId: held.body.id,
      buyer: { email: `rehearsal-${plan.serial}@example.invalid`, name: `Fan ${plan.serial}` },
    },
  });
  if (order.status === 201) tally.count("bought");
  else tally.wrong(`order ${order.status} ${order.code}`);
}
