import type { Job } from "../jobs/registry.ts";

/** What was delivered or given up long ago; the orders themselves are kept elsewhere. */
const EVERY_MS = 60_000;
const BITE = 1_000;

export const webhookJobs: readonly Job[] = [
  {
    name: "prune-webhooks",
    everyMs: EVERY_MS,
    async run(ctx) {
      const gone = await ctx.db.write(
        `delete from webhook_deliveries where id in (
           select id from webhook_deliveries
           where ended_at < clock_timestamp() - interval '30 days' limit $1)
         returning 1`,
        [BITE],
        { slow: true },
      );
      return gone.length;
    },
  },
];
