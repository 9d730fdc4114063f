import { z } from "zod";
import type { OutboxHandler } from "./registry.ts";

const payingSchema = z.object({
  event: z.string(),
  place: z.string(),
  jti: z.string().nullable(),
  untilMs: z.number(),
});

/**
 * Whoever is paying keeps the slot for as long as the seats are protected, and whoever was given more
 * time for as long as the hold: the gate counts them as inside, so nobody more is let in meanwhile. A
 * slot that ended or was given back stays as it is.
 */
export const extendSlotHandler: OutboxHandler = {
  name: "extend-slot",
  kinds: ["order.paying", "hold.extended"],
  async handle(ctx, { payload }) {
    const { event, place, jti, untilMs } = payingSchema.parse(payload);
    if (jti === null) return;
    const verdict = await ctx.gate.extendSlot({ event, place, jti, untilMs });
    if (verdict === "again") throw new Error("the gate did not lengthen the slot");
  },
};
