import type { Job } from "../jobs/registry.ts";
import { PRUNE_ACCOUNTS } from "./queries.ts";

const EVERY_MS = 60_000;
const BITE = 500;

export const accountJobs: readonly Job[] = [
  {
    name: "prune-accounts",
    everyMs: EVERY_MS,
    async run(ctx) {
      const [row] = await ctx.db.write<{ count: number }>(PRUNE_ACCOUNTS, [BITE], { slow: true });
      return row?.count ?? 0;
    },
  },
];
