import type { EventView, SeatMap } from "../../../shared/contract/events.ts";
import type { HoldRequest, HoldView } from "../../../shared/contract/holds.ts";
import type { OrderRequest, OrderView } from "../../../shared/contract/orders.ts";
import { type Credential, call, type Reply } from "../kit/api.ts";
import { learnTime } from "../kit/clock.ts";
import { callCore, holdKey, type KeptOrder, orderKey } from "../kit/core.ts";
import { remove, save } from "../kit/store.ts";

/** What the shop asks of the core. What everybody may read comes through the gate's cache. */

/** The hold of this browser, and the order made of it once there is one. */
export type KeptHold = { id: string; order?: string };

const REPEATS_MAX = 2;
const REPEAT_MS = 1_200;

const events = (event: string, rest = "") => `/v1/events/${encodeURIComponent(event)}${rest}`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const readEvent = (event: string): Promise<Reply<EventView>> => call(events(event));

export async function readSeats(event: string): Promise<Reply<SeatMap>> {
  const reply = await call<SeatMap>(events(event, "/seats"));
  if (reply.kind === "ok") learnTime(reply.data.at);
  return reply;
}

/** Where the live stream of this event is: an EventSource can send no headers, so its address opens it. */
export async function readStream(
  event: string,
  credential: Credential,
): Promise<string | undefined> {
  const reply = await callCore<{ url: string }>(events(event, "/stream"), {
    method: "POST",
    credential,
  });
  return reply.kind === "ok" ? reply.data.url : undefined;
}

/** Tells which block this fan looks at, and learns how many look at each. */
export async function tellPresence(
  event: string,
  credential: Credential,
  section: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  const reply = await callCore<{ sections: Record<string, number> } | undefined>(
    events(event, "/presence"),
    { method: "PUT", body: { section }, credential },
  );
  return reply.kind === "ok" ? reply.data?.sections : undefined;
}

/**
 * Holds what was chosen. An answer that was lost on the way is asked for again under the same key,
 * so that the fan never ends with two holds for one press.
 */
export async function makeHold(
  event: string,
  credential: Credential,
  body: HoldRequest,
): Promise<Reply<HoldView>> {
  const headers = { "idempotency-key": crypto.randomUUID() };
  for (let repeat = 0; ; repeat += 1) {
    const reply = await callCore<HoldView>(events(event, "/holds"), {
      method: "POST",
      body,
      credential,
      headers,
    });
    const isLost =
      reply.kind === "network" ||
      (reply.kind === "problem" && reply.problem.code === "outcome_unknown");
    if (!isLost || repeat === REPEATS_MAX) {
      if (reply.kind === "ok") {
        learnTime(reply.data.now);
        await save(holdKey(event), { id: reply.data.id } satisfies KeptHold);
      }
      return reply;
    }
    await pause(REPEAT_MS * (1 + Math.random()));
  }
}

export async function readHold(id: string, credential: Credential): Promise<Reply<HoldView>> {
  const reply = await callCore<HoldView>(`/v1/holds/${encodeURIComponent(id)}`, { credential });
  if (reply.kind === "ok") learnTime(reply.data.now);
  return reply;
}

/** More time for the same seats, asked for by hand. */
export async function extendHold(id: string, credential: Credential): Promise<Reply<HoldView>> {
  const reply = await callCore<HoldView>(`/v1/holds/${encodeURIComponent(id)}/extend`, {
    method: "POST",
    credential,
  });
  if (reply.kind === "ok") learnTime(reply.data.now);
  return reply;
}

export async function releaseHold(
  event: string,
  id: string,
  credential: Credential,
): Promise<Reply<undefined>> {
  const reply = await callCore<undefined>(`/v1/holds/${encodeURIComponent(id)}`, {
    method: "DELETE",
    credential,
  });
  const isGone = reply.kind === "ok" || (reply.kind === "problem" && reply.status === 404);
  if (isGone) await remove(holdKey(event));
  return reply;
}

/** Once per hold: a repeat gives the same order. Its token is kept before anybody goes to pay. */
export async function makeOrder(
  event: string,
  credential: Credential,
  body: OrderRequest,
): Promise<Reply<OrderView & { orderToken: string }>> {
  const reply = await callCore<OrderView & { orderToken: string }>("/v1/orders", {
    method: "POST",
    body,
    credential,
  });
  if (reply.kind !== "ok") return reply;
  const { id, orderToken } = reply.data;
  await save(orderKey(id), { token: orderToken, event } satisfies KeptOrder);
  await save(holdKey(event), { id: body.holdId, order: id } satisfies KeptHold);
  return reply;
}
