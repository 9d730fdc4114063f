import type { OutboxHandler } from "../jobs/registry.ts";

/** The page of an order hears from the same event that mails the tickets. */
export const orderPageHandler: OutboxHandler = {
  name: "order-page",
  kinds: ["order.paid", "order.cancelled", "order.expired", "refund.succeeded"],
  async handle(ctx, { order }) {
    if (order !== undefined) ctx.live.tellOrder(order);
  },
};
