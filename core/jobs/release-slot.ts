import { z } from "zod";
import type { OutboxHandler } from "./registry.ts";

const endedSchema = z.object({
  event: z.string(),
  place: z.string(),
  jti: z.string().nullable(),
});

/**
 * Whoever has paid is done shopping, and whoever let an order's time run out has given up: the gate
 * gets the slot back, for the next in line. A cancelled order keeps it: its fan may choose again.
 */
export const releaseSlotHandler: OutboxHandler = {
  name: "release-slot",
  kinds: ["order.paid", "order.expired"],
  async handle(ctx, { payload }) {
    const { event, place, jti } = endedSchema.parse(payload);
    // Complimentary seats and old rows have no admission behind them.
    if (jti === null) return;
    const verdict = await ctx.gate.releaseSlot({ event, place, jti });
    if (verdict === "again") throw new Error("the gate did not take the slot back");
  },
};
