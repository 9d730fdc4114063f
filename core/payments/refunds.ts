// Refunds: written down under the sum's guard, sent with a key of their own, inquired about when
// there is no answer. A repeat of the sending is one refund at the provider, by that key.
import { createHash } from "node:crypto";
import type { RefundRequest } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { assert } from "../../shared/result.ts";
import { actorName, type Ctx } from "../context.ts";
import { backoffMs, decideRefund, type RefundVerdict } from "./decide.ts";
import { JOB_BATCH_MAX, REFUND_BATCHES_MAX, REFUND_LEASE_MS } from "./limits.ts";
import { CLAIM_REFUNDS, type ClaimedRefund, REFUND_VIEW, type RefundRow } from "./queries.ts";

type Made =
  | { verdict: "created" | "existing" | "reused"; refund: string; state: string }
  | { verdict: "exceeds"; left: number }
  | { verdict: "not_found" | "not_possible" | "unknown_ticket" | "leaves_tickets" };

export type RefundView = {
  id: string;
  order: string;
  attempt: string;
  state: RefundRow["state"];
  amount: { amount: number; currency: string };
  tickets: string[];
  reason: string;
};

const hashOf = (input: RefundRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([input.attempt, input.amount, input.tickets, input.reason]))
    .digest("base64url");

/** Neither amount nor tickets: all that is left, with every valid ticket. */
export async function refundOrder(
  ctx: Ctx,
  input: { order: string; key: string; request: RefundRequest },
): Promise<RefundView> {
  const { request } = input;
  const made = await ctx.db.call<Made>("create_refund", [
    ctx.ids.newId("ref"),
    input.order,
    request.attempt ?? null,
    request.amount ?? null,
    request.tickets ?? null,
    request.reason,
    input.key,
    hashOf(request),
    actorName(ctx.actor),
    ctx.requestId,
  ]);
  switch (made.verdict) {
    case "created":
      // Tried at once for whoever waits; the job carries on if there is no answer.
      await sendDue(ctx, 1, made.refund);
      return readRefund(ctx, made.refund);
    case "existing":
      return readRefund(ctx, made.refund);
    case "reused":
      throw new Refusal("idempotency_key_reused");
    case "exceeds":
      throw new Refusal("refund_exceeds_captured", { facts: { left: made.left } });
    case "not_possible":
      throw new Refusal("refund_not_possible");
    case "unknown_ticket":
      throw new Refusal("refund_not_possible", {
        detail: "A ticket is not valid, not of this payment, or already being refunded.",
      });
    case "leaves_tickets":
      throw new Refusal("refund_not_possible", {
        detail: "All of the money would be back and a ticket still valid: name its tickets, too.",
      });
    case "not_found":
      throw new Refusal("not_found");
  }
}

async function readRefund(ctx: Ctx, refund: string): Promise<RefundView> {
  const [row] = await ctx.db.read<RefundRow>(REFUND_VIEW, [refund]);
  assert(row, "a refund that was written can be read");
  const { id, order, attempt, state, amount, currency, tickets, reason } = row;
  return { id, order, attempt, state, amount: { amount, currency }, tickets, reason };
}

/** Refunds that wait to be sent or have no answer yet. */
export async function runRefunds(ctx: Ctx): Promise<number> {
  let done = 0;
  for (let batch = 0; batch < REFUND_BATCHES_MAX; batch += 1) {
    const sent = await sendDue(ctx, JOB_BATCH_MAX, null);
    done += sent;
    if (sent < JOB_BATCH_MAX) break;
  }
  return done;
}

async function sendDue(ctx: Ctx, limit: number, refund: string | null): Promise<number> {
  const due = await ctx.db.write<ClaimedRefund>(CLAIM_REFUNDS, [limit, REFUND_LEASE_MS, refund]);
  const results = await Promise.allSettled(due.map((one) => carryOut(ctx, one)));
  for (const result of results) {
    if (result.status === "rejected") ctx.log.error({ err: result.reason }, "refund failed");
  }
  return due.length;
}

async function carryOut(ctx: Ctx, refund: ClaimedRefund): Promise<void> {
  const { id, ref, amount, currency, tries } = refund;
  let verdict: RefundVerdict = { do: "send" };
  // An earlier sending may have arrived: ask before repeating it.
  if (tries > 1) verdict = decideRefund(await ctx.payments.inquireRefund({ refund: id, ref }));
  if (verdict.do === "send") {
    verdict = decideRefund(await ctx.payments.refund({ refund: id, ref, amount, currency }));
  }
  ctx.log.info({ refund: id, ref, tries, verdict: verdict.do }, "refund answered");
  await recordRefund(ctx, refund, verdict);
}

async function recordRefund(ctx: Ctx, refund: ClaimedRefund, verdict: RefundVerdict) {
  const result =
    verdict.do === "succeed" ? "succeeded" : verdict.do === "fail" ? "failed" : "unknown";
  const recorded = await ctx.db.call<{ event?: string; freed?: string[] }>("record_refund_result", [
    refund.id,
    result,
    verdict.do === "succeed" ? verdict.ref : null,
    verdict.do === "fail" ? verdict.reason : null,
    backoffMs(ctx.payments.timings.refundBackoffMs, refund.tries - 1),
  ]);
  const { event, freed = [] } = recorded;
  if (event !== undefined && freed.length > 0) {
    ctx.live.publish({ event, seats: freed.map((id) => ({ id, status: "available" })) });
  }
}
