// Finds out what became of attempts without an answer: by inquiry, with growing patience, and by
// cancelling at the provider as a fence. It never confirms.
import type { Ctx } from "../context.ts";
import { backoffMs, decideCancel, decideInquiry } from "./decide.ts";
import { INQUIRY_LEASE_MS, JOB_BATCH_MAX, UNSENT_ATTEMPT_MS_MAX } from "./limits.ts";
import { CLAIM_ATTEMPTS, type ClaimedAttempt, DUE_ATTEMPT_OF_ORDER } from "./queries.ts";
import { type AttemptState, recordVerdict } from "./record.ts";

async function inquire(ctx: Ctx, attempt: ClaimedAttempt): Promise<AttemptState> {
  const { id, ref, inquiries } = attempt;
  const answer = await ctx.payments.inquire(ref);
  const verdict = decideInquiry(answer, inquiries);
  ctx.log.info({ attempt: id, ref, answer: answer.state, verdict: verdict.do }, "inquiry");
  const nextMs = backoffMs(ctx.payments.timings.inquiryBackoffMs, inquiries);
  if (verdict.do !== "fence") return recordVerdict(ctx, id, verdict, nextMs);
  return fenceAttempt(ctx, { id, ref }, nextMs);
}

/** Cancels at the provider; `failed` says that no money can move any more. */
export async function fenceAttempt(
  ctx: Ctx,
  attempt: { id: string; ref: string },
  nextMs = 0,
): Promise<AttemptState> {
  const answer = await ctx.payments.cancel(attempt.ref);
  const verdict = decideCancel(answer);
  ctx.log.info({ attempt: attempt.id, ref: attempt.ref, answer: answer.state }, "fence");
  // A cancel's answer is never itself a reason to cancel again.
  return verdict.do === "fence" ? "unknown" : recordVerdict(ctx, attempt.id, verdict, nextMs);
}

/** Every attempt whose answer is overdue; and those written down that were never sent. */
export async function runAttemptResolver(ctx: Ctx): Promise<number> {
  const ended = await ctx.db.call<number>("end_unsent_attempts", [
    UNSENT_ATTEMPT_MS_MAX,
    JOB_BATCH_MAX,
  ]);
  return ended + (await resolveDue(ctx, JOB_BATCH_MAX, null));
}

/** For the page that asks: the order's open attempt, if it is due. */
export async function resolveForOrder(ctx: Ctx, order: string): Promise<void> {
  const [due] = await ctx.db.read<{ id: string }>(DUE_ATTEMPT_OF_ORDER, [order]);
  if (due !== undefined) await resolveDue(ctx, 1, due.id);
}

async function resolveDue(ctx: Ctx, limit: number, attempt: string | null): Promise<number> {
  const due = await ctx.db.write<ClaimedAttempt>(CLAIM_ATTEMPTS, [
    limit,
    INQUIRY_LEASE_MS,
    attempt,
  ]);
  const results = await Promise.allSettled(due.map((one) => inquire(ctx, one)));
  for (const result of results) {
    // The lease runs out and another run asks again.
    if (result.status === "rejected") ctx.log.error({ err: result.reason }, "inquiry failed");
  }
  return due.length;
}
