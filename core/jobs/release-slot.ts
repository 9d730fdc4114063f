import { z } from "zod";
import type { OutboxHandler } from "./registry.ts";

const paidSchema = z.object({
  event: z.string(),
  place: z.string(),
  jti: z.string().nullable(),
});

/** Whoever has paid is done shopping: the gate gets the slot back, for the next in line. */
export const releaseSlotHandler: OutboxHandler = {
  name: "release-slot",
  kinds: ["order.paid"],
  async handle(ctx, { payload }) {
    const { event, place, jti } = paidSchema.parse(payload);
    // Complimentary seats and old rows have no admission behind them.
    if (jti === null) return;
    const verdict = await ctx.gate.releaseSlot({ event, place, jti });
    if (verdict === "again") throw new Error("the gate did not take the slot back");
  },
};
