// What the provider tells us unasked. The signature over the raw bytes first; then record and effect
// in one call, so that an event is either done or comes again.
import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";
import { JOB_BATCH_MAX, WEBHOOK_BYTES_MAX } from "./limits.ts";
import { PARKED_WEBHOOKS } from "./queries.ts";
import { trySettleOrder } from "./settle.ts";

type Applied =
  | { verdict: "applied"; order: string; attempt: string | null; state: string; freed?: string[] }
  | { verdict: "parked" | "ignored" | "duplicate" };

export async function receiveWebhook(
  ctx: Ctx,
  input: { headers: Headers; body: string },
): Promise<Applied["verdict"]> {
  if (Buffer.byteLength(input.body) > WEBHOOK_BYTES_MAX) throw new Refusal("body_too_large");
  const read = ctx.payments.readWebhook(input.headers, input.body);
  if (!read.ok) throw new Refusal("webhook_invalid", { reason: read.error });
  const { id, type, ref, outcome } = read.value;
  const applied = await ctx.db.call<Applied>("record_webhook", [
    ctx.payments.name,
    ctx.payments.account,
    id,
    type,
    ref,
    outcome ?? {},
  ]);
  ctx.log.info({ webhook: id, type, ref, verdict: applied.verdict }, "webhook");
  await afterApplied(ctx, applied);
  return applied.verdict;
}

/** Events about charges that were not known when they came, and are now. */
export async function runParkedWebhooks(ctx: Ctx): Promise<number> {
  const parked = await ctx.db.read<{ account: string; id: string }>(PARKED_WEBHOOKS, [
    ctx.payments.name,
    JOB_BATCH_MAX,
  ]);
  for (const { account, id } of parked) {
    await afterApplied(
      ctx,
      await ctx.db.call<Applied>("apply_parked_webhook", [ctx.payments.name, account, id]),
    );
  }
  return parked.length;
}

async function afterApplied(ctx: Ctx, applied: Applied): Promise<void> {
  if (applied.verdict !== "applied" || applied.attempt === null) return;
  if (applied.state === "succeeded") await trySettleOrder(ctx, applied.order);
}
