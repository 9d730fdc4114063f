import type { Job } from "./registry.ts";

/** What nobody asks for any more; a bounded bite at a time. Money, orders and audit are kept. */

const EVERY_MS = 60_000;
const BITE = 2_000;
/** More than any of these tables grows by in the time between two runs. */
const BITES_MAX = 30;

const OLD = [
  { table: "outbox", where: "enqueued_at < now() - interval '7 days'" },
  { table: "idempotency_keys", where: "created_at < now() - interval '7 days'" },
  { table: "idempotency_shadow", where: "created_at < now() - interval '90 days'" },
  { table: "admissions", where: "coalesce(closed_at, first_used_at) < now() - interval '30 days'" },
  { table: "used_proofs", where: "until < now()" },
] as const;

export const pruneJob: Job = {
  name: "prune",
  everyMs: EVERY_MS,
  async run(ctx) {
    let count = 0;
    for (const { table, where } of OLD) {
      for (let bites = 0; bites < BITES_MAX; bites += 1) {
        const [bite] = await ctx.db.write<{ gone: number }>(
          `with gone as (
             delete from ${table} where ctid in (select ctid from ${table} where ${where} limit $1)
             returning 1)
           select count(*)::int as gone from gone`,
          [BITE],
          { slow: true },
        );
        const gone = bite?.gone ?? 0;
        count += gone;
        if (gone < BITE) break;
      }
    }
    return count;
  },
};
