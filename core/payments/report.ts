// The morning report of the books to a chat webhook in Slack's form.
import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../context.ts";
import { dayBefore, dayIn, hourIn } from "./days.ts";
import type { ReconciliationCounts } from "./reconcile.ts";

export const REPORT_HOUR = 7;
const POST_RETRY_MS = [500, 2_000] as const;

/** One process takes the report; it gives it back when the chat cannot be reached. */
const CLAIM = `
  update reconciliation_runs set reported_at = now()
  where id = (select id from reconciliation_runs
    where provider = $1 and day = $2 and state = 'done' and reported_at is null
      and not exists (select 1 from reconciliation_runs r
        where r.provider = $1 and r.day = $2 and r.reported_at is not null)
    order by started_at desc limit 1 for update skip locked)
  returning id, counts`;

/** Pure. A day without differences is said too: silence would look the same as a dead job. */
export function reportText(day: string, counts: ReconciliationCounts): string {
  const lines = Object.entries(counts).map(
    ([name, count]) =>
      `• ${name.replaceAll("_", " ")}: ${count.found} found, ${count.repaired} repaired, ${count.queued} for a person`,
  );
  return lines.length === 0
    ? `Books of ${day}: no differences.`
    : [`Books of ${day}:`, ...lines].join("\n");
}

export async function runMorningReport(ctx: Ctx): Promise<number> {
  const { reportWebhookUrl: url, reconciliationZone: zone } = ctx.config;
  const now = ctx.clock.now();
  if (url === undefined || hourIn(zone, now) < REPORT_HOUR) return 0;
  const day = dayBefore(dayIn(zone, now));
  const [run] = await ctx.db.write<{ id: string; counts: ReconciliationCounts }>(CLAIM, [
    ctx.payments.name,
    day,
  ]);
  if (run === undefined) return 0;
  if (await post(ctx, url, reportText(day, run.counts))) return 1;
  ctx.log.error({ day }, "the morning report could not be delivered; it will be tried again");
  await ctx.db.write("update reconciliation_runs set reported_at = null where id = $1", [run.id]);
  return 0;
}

async function post(ctx: Ctx, url: string, text: string): Promise<boolean> {
  for (const waitMs of [0, ...POST_RETRY_MS]) {
    await sleep(waitMs);
    const reply = await ctx.outbound.send({
      url,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
    });
    // Else the next try, or the next run of the job.
    if (reply.ok && Math.floor(reply.value.status / 100) === 2) return true;
  }
  return false;
}
