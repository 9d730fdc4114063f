import type { Job } from "./registry.ts";

/** What nobody asks for any more; a bounded bite at a time. Money, orders and audit are kept. */

const EVERY_MS = 60_000;
const BITE = 2_000;

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
      const gone = await ctx.db.write(
        `delete from ${table} where ctid in (select ctid from ${table} where ${where} limit $1)
         returning 1`,
        [BITE],
        { slow: true },
      );
      count += gone.length;
    }
    return count;
  },
};
