import type { OrderView, RefundRequest } from "../../../../shared/contract/orders.ts";
import type { OrderHistory } from "../../../../shared/contract/sales.ts";
import type { Reply } from "../../kit/api.ts";
import { callCore } from "../../kit/core.ts";
import { bearer, type Session } from "./session.ts";

export type ListedOrder = {
  id: string;
  state: OrderView["state"];
  email: string | null;
  name: string | null;
  total: { amount: number; currency: string };
  createdAt: string;
  paidAt: string | null;
  review: boolean;
};

const at = (order: string, rest = "") => `/v1/organizer/orders/${encodeURIComponent(order)}${rest}`;

export function listOrders(
  session: Session,
  event: string,
  more: { q: string; state: string; before?: string | undefined },
): Promise<Reply<{ orders: ListedOrder[] }>> {
  const query = new URLSearchParams({ event, limit: "50" });
  if (more.q !== "") query.set("q", more.q);
  if (more.state !== "") query.set("state", more.state);
  if (more.before !== undefined) query.set("before", more.before);
  return callCore(`/v1/organizer/orders?${query}`, { credential: bearer(session) });
}

export const readOrder = (session: Session, order: string): Promise<Reply<OrderView>> =>
  callCore(at(order), { credential: bearer(session) });

export const readOrderHistory = (session: Session, order: string): Promise<Reply<OrderHistory>> =>
  callCore(at(order, "/history"), { credential: bearer(session) });

/** The key is made when the dialog opens: pressing twice is one refund. */
export const refundOrder = (
  session: Session,
  order: string,
  input: { key: string; request: RefundRequest },
): Promise<Reply<unknown>> =>
  callCore(at(order, "/refunds"), {
    method: "POST",
    body: input.request,
    headers: { "idempotency-key": input.key },
    credential: bearer(session),
    timeoutMs: 40_000,
  });

export const mailAgain = (
  session: Session,
  order: string,
  reason: string,
): Promise<Reply<unknown>> =>
  callCore(at(order, "/mail"), {
    method: "POST",
    body: { reason },
    credential: bearer(session),
  });
