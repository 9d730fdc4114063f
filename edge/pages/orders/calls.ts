import type { EventView } from "../../../shared/contract/events.ts";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { type Credential, call, type Reply } from "../kit/api.ts";
import { learnTime } from "../kit/clock.ts";
import { callCore } from "../kit/core.ts";
import type { KeptAttempt } from "./attempt.ts";

/** What the order's page asks of the core, always with the order's own token. */

/** Longer than the core's deadline for the provider (25 s), so that its answer is heard. */
const ATTEMPT_TIMEOUT_MS = 40_000;

const orders = (id: string, rest = "") => `/v1/orders/${encodeURIComponent(id)}${rest}`;

export async function readOrder(id: string, credential: Credential): Promise<Reply<OrderView>> {
  const reply = await callCore<OrderView>(orders(id), { credential });
  if (reply.kind === "ok") learnTime(reply.data.now);
  return reply;
}

export const readEvent = (event: string): Promise<Reply<EventView>> =>
  call(`/v1/events/${encodeURIComponent(event)}`);

export const sendAttempt = (
  id: string,
  credential: Credential,
  { key, method, origin }: KeptAttempt,
  isResume: boolean,
): Promise<Reply<unknown>> =>
  callCore(orders(id, "/attempts"), {
    method: "POST",
    body: { method, origin: isResume ? "resume" : origin },
    headers: { "idempotency-key": key },
    credential,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
  });

/** What this page saw of the payment, for whoever counts causes; its loss costs nothing. */
export async function tellPage(
  id: string,
  credential: Credential,
  kind: "pressed" | "pressed_again" | "resumed" | "left_checking",
  /** The page is being closed: the browser sends it all the same. */
  keepalive = false,
): Promise<void> {
  const body = { events: [{ kind }] };
  await callCore(orders(id, "/page-events"), { method: "POST", body, credential, keepalive });
}

export const cancelOrder = (id: string, credential: Credential): Promise<Reply<OrderView>> =>
  callCore(orders(id, "/cancel"), { method: "POST", credential });
