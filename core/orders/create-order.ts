import type { OrderRequest } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { readCart } from "../carts/cart.ts";
import type { Ctx, FanActor } from "../context.ts";
import { settleOrder } from "../payments/settle.ts";

type Verdict =
  | { verdict: "created" | "known"; order: string; total: number }
  | { verdict: "addon_sold_out"; addon: string; available: number }
  | { verdict: "unknown_addon"; addon: string }
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
    input.cart === true ? JSON.stringify(await cartItems(ctx)) : "[]",
  ]);
  switch (made.verdict) {
    case "created":
    case "known":
      // Nothing to pay: such an order is paid by being made, or by a repeat when that was cut short.
      if (made.total === 0) await settleOrder(ctx, made.order);
      return { order: made.order, created: made.verdict === "created" };
    case "addon_sold_out":
      throw new Refusal(made.verdict, {
        facts: { addon: made.addon, available: made.available },
      });
    case "unknown_addon":
      throw new Refusal(made.verdict, { facts: { addon: made.addon } });
    case "not_found":
    case "hold_not_live":
    case "hold_expired":
      throw new Refusal(made.verdict);
  }
}

/** A cart that cannot be reached is a lost wish, not a lost sale: the order shows what it has. */
async function cartItems(ctx: Ctx<FanActor>) {
  try {
    return (await readCart(ctx)).items;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.log.warn({ reason: error.reason }, "an order without its cart");
    return [];
  }
}
