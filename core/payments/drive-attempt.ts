// An attempt that was written down: created at the provider, marked SENT, confirmed once, recorded,
// settled. Whatever is interrupted is finished by inquiry, never by another confirm.
import { PAYING_MS } from "../../shared/limits.ts";
import { assert } from "../../shared/result.ts";
import type { Ctx } from "../context.ts";
import { decideConfirm, unknownCause } from "./decide.ts";
import { recordVerdict } from "./record.ts";
import { trySettleOrder } from "./settle.ts";

type Begun = { verdict: string; state: string };
type Charge = { order: string; amount: number; currency: string };

type Drive = {
  attempt: string;
  key: string;
  order: string;
  method: string;
  instalments: number;
};

export async function driveAttempt(ctx: Ctx, input: Drive): Promise<void> {
  const { attempt } = input;
  // Under these three names it can be proved later what was sent, and how often: the client's key, our
  // attempt, and with each line below the provider's reference.
  const log = ctx.log.child({ order: input.order, attempt, idempotencyKey: input.key });
  const [charge] = await ctx.db.read<Charge>(
    'select order_id as "order", amount, currency from payment_attempts where id = $1',
    [attempt],
  );
  assert(charge, "an attempt that was written can be read");
  const created = await ctx.payments.create({
    ...charge,
    attempt,
    key: input.key,
    method: input.method,
    instalments: input.instalments,
    requestId: ctx.requestId,
  });
  if (created.state !== "created") {
    // Nothing that moves money was said, so this is an end and not an unknown.
    log.warn({ reason: created.reason }, "charge not created");
    const reason = created.state === "refused" ? created.reason : "provider_unavailable";
    await recordVerdict(ctx, attempt, { do: "fail", reason }, 0);
    return;
  }
  const { ref } = created;
  const begun = await ctx.db.call<Begun>("begin_attempt", [
    attempt,
    ref,
    PAYING_MS,
    ctx.payments.timings.inquireAfterSentMs,
  ]);
  log.info({ ref, verdict: begun.verdict, state: begun.state }, "attempt begun");
  // Only an attempt that is SENT, and marked so by this very call, may be confirmed.
  if (begun.verdict !== "begun" || begun.state !== "sent") {
    if (begun.state === "succeeded") await trySettleOrder(ctx, input.order);
    return;
  }
  const answer = await ctx.payments.confirm(ref, ctx.requestId, input.instalments);
  const verdict = decideConfirm(answer);
  log.info({ ref, answer: answer.state }, "confirm answered");
  assert(verdict.do !== "fence", "a confirm's answer never asks for a fence");
  await recordVerdict(ctx, attempt, verdict, 0, unknownCause(answer));
}
