// The provider's settlement file against our attempts, refunds, orders and seats, for one day. What
// has a safe repair is repaired; the rest waits in a queue for a person. May be run again.
import type { Ctx } from "../context.ts";
import { dayAfter, dayBefore, dayStart } from "./days.ts";
import { recordVerdict } from "./record.ts";
import { settleOrder } from "./settle.ts";

export type DiscrepancyClass =
  | "unknown_charge"
  | "ghost_charge"
  | "missing_charge"
  | "amount_differs"
  | "double_charge"
  | "refund_mismatch"
  | "seat_without_order"
  | "order_without_tickets";

type Discrepancy = {
  id: string;
  class: DiscrepancyClass;
  attempt: string | null;
  order: string | null;
  details: { amount?: number; currency?: string; refund?: string | null; state?: string | null };
  reference: string;
};

export type ReconciliationCounts = Partial<
  Record<DiscrepancyClass, { found: number; repaired: number; queued: number }>
>;

const OPEN = `
  select id, class, attempt_id as attempt, order_id as "order", details, reference
  from discrepancies where provider = $1 and day = $2 and state in ('open', 'repairing')
  order by created_at, id`;

export async function reconcileDay(
  ctx: Ctx,
  input: { day: string; zone: string },
): Promise<{ run: string; counts: ReconciliationCounts }> {
  const { day, zone } = input;
  const { name, account } = ctx.payments;
  const run = ctx.ids.newId("rec");
  await ctx.db.call("begin_reconciliation", [run, name, day]);
  try {
    // The day before once more: a charge near midnight may stand on either side.
    for (const each of [dayBefore(day), day]) {
      const lines = await ctx.payments.settlement(each, zone);
      await ctx.db.call("import_settlement", [name, account, each, JSON.stringify(lines)], {
        slow: true,
      });
    }
    const from = new Date(dayStart(zone, day));
    const to = new Date(dayStart(zone, dayAfter(day)));
    await ctx.db.call("find_discrepancies", [run, name, account, day, from, to], { slow: true });
    for (const one of await ctx.db.read<Discrepancy>(OPEN, [name, day])) await repair(ctx, one);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await ctx.db.call("end_reconciliation", [run, reason.slice(0, 500)]);
    throw error;
  }
  const counts = await ctx.db.call<ReconciliationCounts>("end_reconciliation", [run, null]);
  ctx.log.info({ run, day, counts }, "reconciled");
  return { run, counts };
}

async function repair(ctx: Ctx, one: Discrepancy): Promise<void> {
  const done = await repairOf(ctx, one).catch((error: unknown) => {
    ctx.log.error({ err: error, discrepancy: one.id }, "repair failed");
    return null;
  });
  await ctx.db.call("end_discrepancy", [one.id, done === null ? "queued" : "repaired", done]);
}

/** What was done, or `null` when only a person can decide. */
async function repairOf(ctx: Ctx, one: Discrepancy): Promise<string | null> {
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
      return (await settled(ctx, one.order)) ? "the second charge is refunded" : null;
    case "refund_mismatch":
      return repairRefund(ctx, one);
    case "missing_charge":
    case "amount_differs":
    case "seat_without_order":
    case "order_without_tickets":
      return null;
  }
}

/** Whether each charge of the order but one is on its way back now. */
async function settled(ctx: Ctx, order: string): Promise<boolean> {
  await settleOrder(ctx, order);
  const kept = await ctx.db.read(
    `select 1 from payment_attempts a
      where a.order_id = $1 and a.state = 'succeeded' and a.captured_amount > coalesce((
        select sum(r.amount) from refunds r where r.attempt_id = a.id and r.state <> 'failed'), 0)`,
    [order],
  );
  return kept.length <= 1;
}

/** A refund of ours that the provider has carried out and we have not heard of. */
async function repairRefund(ctx: Ctx, one: Discrepancy): Promise<string | null> {
  const { refund, state } = one.details;
  if (typeof refund !== "string" || state === "succeeded") return null;
  await ctx.db.call("record_refund_result", [refund, "succeeded", one.reference, null, null]);
  return "the refund is recorded as done";
}
