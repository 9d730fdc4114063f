import type { Ctx } from "../context.ts";
import { dayBefore, dayIn, hourIn } from "./days.ts";
import { reconcileDay } from "./reconcile.ts";

/** By then the provider has written yesterday's file. */
export const RECONCILE_HOUR = 2;

/** Done, or somebody is at it; a run that died is taken for dead after a quarter of an hour. */
const DONE_OR_RUNNING = `
  select 1 from reconciliation_runs
  where provider = $1 and day = $2
    and (state = 'done' or (state = 'running' and started_at > now() - interval '15 minutes'))`;

/** Yesterday's books, once, at two in the morning or whenever a process is up after it. */
export async function runNightlyReconciliation(ctx: Ctx): Promise<number> {
  const zone = ctx.config.reconciliationZone;
  const now = ctx.clock.now();
  if (hourIn(zone, now) < RECONCILE_HOUR) return 0;
  const day = dayBefore(dayIn(zone, now));
  const seen = await ctx.db.read(DONE_OR_RUNNING, [ctx.payments.name, day]);
  if (seen.length > 0) return 0;
  await reconcileDay(ctx, { day, zone });
  return 1;
}
