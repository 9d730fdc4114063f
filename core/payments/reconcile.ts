// The provider's settlement file against our attempts, refunds, orders and seats, for one day. What
// has a safe repair is repaired; the rest waits in a queue for a person. May be run again.
import type { Ctx } from "../context.ts";
import { dayAfter, dayBefore, dayStart } from "./days.ts";
import { repairOf } from "./repair.ts";

export type DiscrepancyClass =
  | "unknown_charge"
  | "ghost_charge"
  | "missing_charge"
  | "amount_differs"
  | "double_charge"
  | "refund_mismatch"
  | "seat_without_order"
  | "order_without_tickets";

export type Discrepancy = {
  id: string;
  class: DiscrepancyClass;
  attempt: string | null;
  order: string | null;
  details: {
    amount?: number;
    currency?: string;
    refund?: string | null;
    state?: string | null;
    event?: string;
    seat?: string;
  };
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
