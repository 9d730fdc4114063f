import type { Ctx } from "../context.ts";
import { JOB_BATCH_MAX } from "../payments/limits.ts";

/** Pending orders whose seats are gone and that no payment in flight can reach. */
export const runOrderExpiry = (ctx: Ctx): Promise<number> =>
  ctx.db.call<number>("expire_orders", [JOB_BATCH_MAX]);
