import type { EventView } from "../../../shared/contract/events.ts";
import type { OrderView } from "../../../shared/contract/orders.ts";
import type { Credential } from "../kit/api.ts";
import { holdKey, type KeptOrder, orderCredential, orderKey, readAdmission } from "../kit/core.ts";
import { takeToken } from "../kit/fragment-token.ts";
import { load, remove, save, saveFirst } from "../kit/store.ts";
import { extendHold } from "../shop/calls.ts";
import { codeOf, type TroubleCode } from "../shop/parts/failure.ts";
import { decidePayment, isOver, type KeptAttempt } from "./attempt.ts";
import { cancelOrder, readEvent, readOrder, sendAttempt, tellPage } from "./calls.ts";

/** What the page of one order knows and does. It draws nothing; whoever draws is told of changes. */

export type DeskState = {
  order?: OrderView;
  event?: EventView;
  kept?: KeptAttempt | undefined;
  trouble?: TroubleCode | undefined;
  /** Our own request is on its way at this moment. */
  sending: boolean;
  /** The order is asked what became of the last attempt, before anything is sent. */
  asking?: boolean;
  moreTime?: "given" | "refused" | undefined;
  /** This browser has no token for the order. */
  foreign: boolean;
  looks: number;
};

export type Desk = {
  readonly id: string;
  credential: Credential | undefined;
  state: DeskState;
  tell: (change: Partial<DeskState>) => void;
};

const attemptKey = (order: string) => `attempt:${order}`;
/** Whoever has paid wants to see the tickets at once; a look costs one row by its key. */
const LOOK_MS = 1_000;
const LOOK_MS_MAX = 10_000;
const IDLE_LOOK_MS = 15_000;
/** Also a refusal that comes at once leaves the button shut this long: a double click is one press. */
const PRESS_MS = 1_200;
/** The core has judged such a request for good: the next press is a new attempt. */
const FINAL: readonly TroubleCode[] = [
  "idempotency_key_reused",
  "hold_expired",
  "hold_too_short",
  "order_not_payable",
];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function makeDesk(id: string, onChange: (state: DeskState) => void): Desk {
  const desk: Desk = {
    id,
    credential: undefined,
    state: { sending: false, foreign: false, looks: 0 },
    tell(change) {
      desk.state = { ...desk.state, ...change };
      onChange(desk.state);
    },
  };
  return desk;
}

/** The link of a mail first, and then what this browser keeps; an old link stands in nobody's way. */
export async function openDesk(desk: Desk): Promise<void> {
  const { id } = desk;
  const token = takeToken();
  const kept = await orderCredential(id);
  const shown = token === undefined ? undefined : ({ scheme: "Order", token } as const);
  desk.credential = shown ?? kept;
  if (!desk.credential) {
    desk.tell({ foreign: true });
    return;
  }
  let order = await lookAtOrder(desk);
  if (!order && desk.state.foreign && shown && kept) {
    desk.credential = kept;
    desk.tell({ foreign: false });
    order = await lookAtOrder(desk);
  }
  if (order && desk.credential === shown)
    await save(orderKey(id), { token: shown.token, event: order.event } satisfies KeptOrder);
}

/** Names, for whoever reads: asked for until they are there, and never in the order's way. */
async function learnEvent(desk: Desk, event: string): Promise<void> {
  if (desk.state.event) return;
  const reply = await readEvent(event);
  if (reply.kind === "ok") desk.tell({ event: reply.data });
}

export async function lookAtOrder(desk: Desk): Promise<OrderView | undefined> {
  const { id, credential } = desk;
  if (!credential) return undefined;
  const reply = await readOrder(id, credential);
  const looks = desk.state.looks + 1;
  if (reply.kind !== "ok") {
    const isForeign = reply.kind === "problem" && (reply.status === 401 || reply.status === 404);
    if (isForeign) desk.tell({ foreign: desk.state.order === undefined, looks });
    else desk.tell({ trouble: codeOf(reply), looks });
    return undefined;
  }
  let kept = await load<KeptAttempt>(attemptKey(id));
  if (kept && isOver(reply.data, kept)) {
    await remove(attemptKey(id));
    kept = undefined;
  }
  if (reply.data.state !== "pending") await remove(holdKey(reply.data.event));
  const { trouble } = desk.state;
  const isPast = trouble === "network" || trouble === "unavailable" || trouble === "overloaded";
  desk.tell({ order: reply.data, kept, looks, ...(isPast ? { trouble: undefined } : {}) });
  void learnEvent(desk, reply.data.event);
  return reply.data;
}

async function sendKept(desk: Desk, attempt: KeptAttempt, isResume: boolean): Promise<void> {
  const { id, credential } = desk;
  if (!credential) return;
  desk.tell({ sending: true, kept: attempt });
  void tellPage(id, credential, isResume ? "resumed" : "pressed");
  const [reply] = await Promise.all([
    sendAttempt(id, credential, attempt, isResume),
    pause(PRESS_MS),
  ]);
  if (reply.kind === "problem") {
    const code = codeOf(reply);
    // These two the order itself tells better, in a moment.
    if (code !== "attempt_in_flight" && code !== "payment_failed") desk.tell({ trouble: code });
    if (FINAL.includes(code)) await remove(attemptKey(id));
  }
  await lookAtOrder(desk);
  desk.tell({ sending: false });
}

/** A page that was killed, or an answer that was lost: the same key and the same body again. */
export async function resumeAttempt(desk: Desk, attempt: KeptAttempt): Promise<void> {
  if (!desk.state.sending) await sendKept(desk, attempt, true);
}

/** First what became of the last attempt, then one of our own, stored before it is sent. */
export async function payOrder(desk: Desk, method: string): Promise<void> {
  if (desk.state.sending) {
    if (desk.credential) void tellPage(desk.id, desk.credential, "pressed_again");
    return;
  }
  desk.tell({ sending: true, asking: true, trouble: undefined });
  const order = await lookAtOrder(desk);
  desk.tell({ asking: false });
  const payment = order && decidePayment(order, desk.state.kept);
  if (!order || payment?.kind !== "choose") {
    desk.tell({ sending: false });
    return;
  }
  const { length: before } = order.attempts;
  // Two tabs that press at once end with one key, whichever stored its own first.
  const attempt = await saveFirst<KeptAttempt>(attemptKey(desk.id), {
    key: crypto.randomUUID(),
    method,
    origin: before === 0 ? "press" : "retry_after_error",
    before,
  });
  await sendKept(desk, attempt, false);
}

/** More time for the seats of this order; the hold's own credential asks for it. */
export async function askMoreTime(desk: Desk): Promise<void> {
  const { order, sending } = desk.state;
  const admission = order && (await readAdmission(order.event));
  if (!order || !admission || sending) return;
  desk.tell({ sending: true, moreTime: undefined });
  const reply = await extendHold(order.hold, admission.credential);
  const before = order.expiresAt ?? "";
  const isLonger = reply.kind === "ok" && reply.data.expiresAt > before;
  if (reply.kind === "network") desk.tell({ trouble: "network" });
  else desk.tell({ moreTime: isLonger ? "given" : "refused" });
  await lookAtOrder(desk);
  desk.tell({ sending: false });
}

/** The person goes while nobody knows the end: counted, so that it can be told how often that is. */
export function tellLeaving(desk: Desk): void {
  const { credential, id } = desk;
  if (credential) void tellPage(id, credential, "left_checking", true);
}

export async function giveUpOrder(desk: Desk): Promise<void> {
  const { id, credential, state } = desk;
  if (!credential || state.sending) return;
  const reply = await cancelOrder(id, credential);
  if (reply.kind !== "ok") desk.tell({ trouble: codeOf(reply) });
  await lookAtOrder(desk);
}

/**
 * When to look again: soon while something is under way, more rarely the longer it takes, never when
 * all is said. Before any dice are thrown.
 */
export function nextLookMs({
  order,
  kept,
  looks,
  foreign,
  sending,
}: DeskState): number | undefined {
  if (foreign || sending) return undefined;
  const ms = Math.min(LOOK_MS_MAX, LOOK_MS * 1.15 ** Math.min(looks, 20));
  if (!order) return ms;
  const payment = decidePayment(order, kept);
  switch (payment.kind) {
    case "choose":
      return IDLE_LOOK_MS;
    case "checking":
      return ms;
    case "send":
      // At once after opening the page, then no faster than looking.
      return looks <= 1 ? 0 : ms;
    case "settled":
      return order.state === "paid" && !order.tickets?.length ? ms : undefined;
  }
}
