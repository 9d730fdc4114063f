// The safe repair of each kind of difference, safe to run again. What is not certain is left to a
// person: `null`.
import type { Ctx } from "../context.ts";
import type { Discrepancy } from "./reconcile.ts";
import { recordVerdict } from "./record.ts";
import { settleOrder } from "./settle.ts";

/** What was done, or `null` when only a person can decide. */
export async function repairOf(ctx: Ctx, one: Discrepancy): Promise<string | null> {
  switch (one.class) {
    case "unknown_charge":
    case "ghost_charge": {
      const { amount, currency } = one.details;
      if (one.attempt === null || amount === undefined || currency === undefined) return null;
      // Settling rescues the order while its seats can be had and the buyer has no other; else the
      // money goes back.
      const state = await recordVerdict(ctx, one.attempt, { do: "succeed", amount, currency }, 0);
      return state === "succeeded" ? "recorded as a success and settled" : null;
    }
    case "double_charge":
      if (one.order === null) return null;
      return (await returnDoubles(ctx, one.order)) ? "the second charge is refunded" : null;
    case "missing_charge":
      return confirmCharge(ctx, one);
    case "refund_mismatch":
      return repairRefund(ctx, one);
    case "seat_without_order": {
      const { event, seat } = one.details;
      if (event === undefined || seat === undefined) return null;
      if (!(await ctx.db.call<boolean>("free_orphan_seat", [event, seat]))) return null;
      ctx.live.publish({ event, seats: [{ id: seat, status: "available" }] });
      return "the seat sells again";
    }
    case "order_without_tickets": {
      if (one.order === null) return null;
      const count = await ctx.db.call<number>("issue_missing_tickets", [one.order]);
      return count > 0 ? `${count} tickets written and sent` : null;
    }
    case "amount_differs":
      return null;
  }
}

/** Whether each charge of the order but one is on its way back now. */
async function returnDoubles(ctx: Ctx, order: string): Promise<boolean> {
  await settleOrder(ctx, order);
  await ctx.db.call("refund_doubles", [order]);
  const kept = await ctx.db.read(
    `select 1 from payment_attempts a
      where a.order_id = $1 and a.state = 'succeeded' and a.captured_amount > coalesce((
        select sum(r.amount) from refunds r where r.attempt_id = a.id and r.state <> 'failed'), 0)`,
    [order],
  );
  return kept.length <= 1;
}

/** Paid here and not in the file: the provider itself is asked; a file may be late. */
async function confirmCharge(ctx: Ctx, one: Discrepancy): Promise<string | null> {
  const answer = await ctx.payments.inquire(one.reference);
  const agrees =
    answer.state === "succeeded" &&
    answer.amount === one.details.amount &&
    answer.currency === one.details.currency;
  return agrees ? "the provider confirms the charge; its file is late" : null;
}

async function repairRefund(ctx: Ctx, one: Discrepancy): Promise<string | null> {
  const { refund, state, amount } = one.details;
  if (typeof refund !== "string") return null;
  if (state !== "succeeded") {
    // Carried out there, and we have not heard of it.
    await ctx.db.call("record_refund_result", [refund, "succeeded", one.reference, null, null]);
    return "the refund is recorded as done";
  }
  const [charge] = await ctx.db.read<{ ref: string; amount: number }>(
    `select a.provider_ref as ref, r.amount from refunds r
      join payment_attempts a on a.id = r.attempt_id where r.id = $1`,
    [refund],
  );
  if (charge === undefined || charge.amount !== amount) return null;
  const answer = await ctx.payments.inquireRefund({ refund, ref: charge.ref });
  return answer.state === "succeeded" && answer.ref === one.reference
    ? "the provider confirms the refund; its file is late"
    : null;
}
