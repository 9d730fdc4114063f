// Turns recorded successes into paid orders or refunds. The request that saw the success does it at
// once; the job does it again for whatever a crash or a failure left behind.
import type { Ctx } from "../context.ts";
import { JOB_BATCH_MAX } from "./limits.ts";
import { CLAIM_UNSETTLED, RECORD_SETTLE_ERROR } from "./queries.ts";

const SETTLE_LEASE_MS = 5_000;

type Settled = {
  order: string;
  state: string;
  event: string;
  sold: string[];
  settled: { attempt: string; as: "order" | "refund" }[];
};

export async function settleOrder(ctx: Ctx, order: string): Promise<void> {
  const result = await ctx.db.call<Settled>("settle_order", [order]);
  ctx.log.info({ order, state: result.state, settled: result.settled }, "order settled");
  if (result.settled.length > 0 && result.sold.length > 0) {
    ctx.live.publish({
      event: result.event,
      seats: result.sold.map((id) => ({ id, status: "sold" })),
    });
  }
}

/** For callers whose own work is done whether or not this succeeds now. */
export async function trySettleOrder(ctx: Ctx, order: string): Promise<boolean> {
  try {
    await settleOrder(ctx, order);
    return true;
  } catch (error) {
    ctx.log.error({ err: error, order }, "order not settled; the job will");
    return false;
  }
}

export async function runSettlement(ctx: Ctx): Promise<number> {
  const due = await ctx.db.write<{ order_id: string }>(CLAIM_UNSETTLED, [
    JOB_BATCH_MAX,
    SETTLE_LEASE_MS,
  ]);
  let done = 0;
  for (const { order_id: order } of due) {
    try {
      await settleOrder(ctx, order);
      done += 1;
    } catch (error) {
      ctx.log.error({ err: error, order }, "order not settled; it will be tried again");
      const text = error instanceof Error ? error.message : String(error);
      await ctx.db.write(RECORD_SETTLE_ERROR, [order, text]);
    }
  }
  return done;
}
