import type { Job, JobCtx } from "../jobs/registry.ts";

/**
 * Ends holds whose time is over, so that the map shows their seats again. Nothing waits for it:
 * each hold function takes back what is due in its own way.
 */
const EVERY_MS = 2_000;
const EVENTS_MAX = 50;
const HOLDS_A_CALL = 200;
const CALLS_AN_EVENT_MAX = 25;

type Swept = { swept: number; freed: string[]; zones: string[] };

export async function sweepHolds(ctx: Pick<JobCtx, "db" | "live">): Promise<number> {
  // A function that only looks; it is a function so that the database clock stays in one place.
  const events = await ctx.db.read<{ event_id: string }>("select event_id from due_events($1)", [
    EVENTS_MAX,
  ]);
  let total = 0;
  for (const { event_id: event } of events) {
    for (let calls = 0; calls < CALLS_AN_EVENT_MAX; calls += 1) {
      const { swept } = await ctx.db.call<Swept>("sweep_holds", [event, HOLDS_A_CALL]);
      total += swept;
      if (swept > 0) ctx.live.publish({ event });
      if (swept < HOLDS_A_CALL) break;
    }
  }
  return total;
}

export const holdJobs: Job[] = [{ name: "hold-sweeper", everyMs: EVERY_MS, run: sweepHolds }];
