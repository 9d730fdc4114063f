import { z } from "zod";
import type { Ctx } from "../context.ts";

/** What the gate tells everybody, read as anybody reads it and kept as metrics of the whole. */

const GATE_MS = 3_000;
/** The gate keeps each status for a second; a house with more sales than this watches the newest. */
const EVENTS_MAX = 20;

const ON_SALE = `
  select event_id as event from events
  where state = 'active' and rehearsal_of is null
    and sale_opens_at < clock_timestamp() + interval '1 hour'
    and coalesce(sale_closes_at, 'infinity') > clock_timestamp()
  order by sale_opens_at desc limit ${EVENTS_MAX}`;

const lineSchema = z.object({
  stale: z.boolean(),
  waiting: z.number(),
  inside: z.number(),
  ratePerMinute: z.number(),
  measuredPerMinute: z.number(),
});

/** Every gauge of a line, with where it stands in the status. */
const LINE = [
  ["sira_line_waiting", "People who wait.", "waiting"],
  ["sira_line_inside", "People who were let in and have not left.", "inside"],
  ["sira_line_rate_per_minute", "Admissions a minute, as set.", "ratePerMinute"],
  ["sira_line_admitted_per_minute", "Admissions a minute, as measured.", "measuredPerMinute"],
] as const;

const ask = (ctx: Ctx, path: string): Promise<Response> =>
  fetch(`${ctx.config.edgeOrigin}${path}`, {
    redirect: "error",
    signal: AbortSignal.timeout(GATE_MS),
  });

/** An event without a room, and a gate that is away, have no line to be counted. */
async function readLine(ctx: Ctx, event: string): Promise<z.infer<typeof lineSchema> | undefined> {
  try {
    const answer = await ask(ctx, `/api/queue/${event}/status`);
    return answer.ok ? lineSchema.parse(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

export async function readGate(ctx: Ctx): Promise<void> {
  const away = ctx.metrics.gauge("sira_gate_away", "1 while the gate or its line does not answer.");
  try {
    const answer = await ask(ctx, "/readyz");
    await answer.body?.cancel();
    away.set(answer.ok ? 0 : 1);
  } catch {
    away.set(1);
  }
}

export async function readLines(ctx: Ctx): Promise<void> {
  const events = await ctx.db.read<{ event: string }>(ON_SALE);
  const lines = await Promise.all(
    events.map(async ({ event }) => ({ event, line: await readLine(ctx, event) })),
  );
  const stale = ctx.metrics.gauge(
    "sira_line_stale",
    "1 while the gate shows the last it knew of this line.",
    ["event"],
  );
  // A sale that is over leaves the dashboard.
  stale.reset();
  for (const { event, line } of lines) if (line) stale.set({ event }, line.stale ? 1 : 0);
  for (const [name, help, field] of LINE) {
    const gauge = ctx.metrics.gauge(name, help, ["event"]);
    gauge.reset();
    for (const { event, line } of lines) if (line) gauge.set({ event }, line[field]);
  }
}
