import type { OrderView } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";
import { listTickets } from "../tickets/list-tickets.ts";
import { ORDER_DOCUMENT, type OrderRow } from "./queries.ts";

export async function readOrder(ctx: Ctx, order: string): Promise<OrderView> {
  const [row] = await ctx.db.read<OrderRow>(ORDER_DOCUMENT, [order]);
  if (row === undefined) throw new Refusal("not_found");
  const tickets =
    row.paid_attempt === null && row.state === "pending" ? [] : await listTickets(ctx, order);
  return { ...orderView(row), ...(tickets.length === 0 ? {} : { tickets }) };
}

/** Pure: a row as the contract's document. */
export function orderView(row: OrderRow): OrderView {
  const { currency } = row;
  return {
    id: row.id,
    event: row.event,
    state: row.state,
    total: { amount: row.amount, currency },
    hold: row.hold,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    now: row.now,
    attempts: row.attempts.map(({ id, state, reason }) => ({
      id,
      state,
      ...(reason === null ? {} : { reason }),
    })),
    lines: row.lines.map((line) => ({
      // To whoever pays, a product is an add-on.
      kind: line.kind === "product" ? "addon" : line.kind,
      id: line.seat ?? line.addon ?? line.zone ?? line.label,
      quantity: line.quantity,
      price: { amount: line.amount, currency },
    })),
    ...(row.refunds.length === 0
      ? {}
      : {
          refunds: row.refunds.map((refund) => ({
            id: refund.id,
            state: refund.state,
            amount: { amount: refund.amount, currency: refund.currency },
          })),
        }),
  };
}
