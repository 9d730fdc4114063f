import type { OrderRequest } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Ctx, FanActor } from "../context.ts";
import { settleOrder } from "../payments/settle.ts";

type Verdict =
  | { verdict: "created"; order: string; total: number }
  | { verdict: "known"; order: string }
  | { verdict: "not_found" | "hold_not_live" | "hold_expired" };

/** Once per hold: a repeat, also a parallel one, gives the same order. */
export async function createOrder(
  ctx: Ctx<FanActor>,
  input: OrderRequest,
): Promise<{ order: string; created: boolean }> {
  const { buyer } = input;
  const made = await ctx.db.call<Verdict>("create_order", [
    ctx.ids.newId("ord"),
    ctx.ids.newId("pi"),
    ctx.actor.event,
    input.holdId,
    ctx.actor.subject,
    ctx.actor.jti,
    buyer.email,
    buyer.name,
    buyer.locale ?? null,
    input.acceptEqualSeats ?? false,
  ]);
  switch (made.verdict) {
    case "created":
      // Nothing to pay: such an order is paid by being made.
      if (made.total === 0) await settleOrder(ctx, made.order);
      return { order: made.order, created: true };
    case "known":
      return { order: made.order, created: false };
    case "not_found":
    case "hold_not_live":
    case "hold_expired":
      throw new Refusal(made.verdict);
  }
}
