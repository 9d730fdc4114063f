// One press of the pay button: written down, created at the provider, marked SENT, confirmed once,
// recorded, settled. Whatever is interrupted is finished by inquiry, never by another confirm.
import { createHash } from "node:crypto";
import type { AttemptRequest } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { IDEMPOTENCY_KEY_CHARS_MAX, PAYING_MS } from "../../shared/limits.ts";
import { assert } from "../../shared/result.ts";
import type { Ctx } from "../context.ts";
import { attemptReply, type Reply } from "./attempt-reply.ts";
import { decideConfirm } from "./decide.ts";
import { ATTEMPT_RETRY_AFTER_S } from "./limits.ts";
import { ATTEMPT_FACTS, type AttemptRow, RECORD_REPLY } from "./queries.ts";
import { recordVerdict } from "./record.ts";
import { trySettleOrder } from "./settle.ts";

const KEY_PATTERN = /^[\x21-\x7e]+$/;

type Opened =
  | { verdict: "created" | "existing" | "reused" | "in_flight"; attempt: string; state: string }
  | { verdict: "not_payable"; state: string }
  | { verdict: "hold_expired" | "not_found" };

type Begun = { verdict: string; state: string };
type Charge = { order: string; amount: number; currency: string };

export function readIdempotencyKey(header: string | undefined): string {
  if (header === undefined || header === "") throw new Refusal("idempotency_key_required");
  if (header.length > IDEMPOTENCY_KEY_CHARS_MAX || !KEY_PATTERN.test(header)) {
    throw new Refusal("idempotency_key_invalid");
  }
  return header;
}

/** What makes two requests the same: card and instalments. Where the press came from does not. */
export const attemptHash = (input: AttemptRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([input.method, input.instalments ?? 1]))
    .digest("base64url");

export async function payOrder(
  ctx: Ctx,
  input: { order: string; key: string; request: AttemptRequest },
): Promise<Reply> {
  const attempt = ctx.ids.newId("att");
  const { method, instalments = 1, origin = "press" } = input.request;
  const opened = await ctx.db.call<Opened>("create_attempt", [
    attempt,
    input.order,
    input.key,
    attemptHash(input.request),
    ctx.payments.name,
    ctx.payments.account,
    method,
    instalments,
    origin,
    ctx.requestId,
  ]);
  switch (opened.verdict) {
    case "created":
      await drive(ctx, { attempt, key: input.key, order: input.order, method, instalments });
      return replyFor(ctx, attempt);
    case "existing":
      return replyFor(ctx, opened.attempt);
    case "reused":
      throw new Refusal("idempotency_key_reused");
    case "in_flight":
      throw new Refusal("attempt_in_flight", {
        facts: { attempt: { id: opened.attempt, state: opened.state } },
        headers: { "retry-after": String(ATTEMPT_RETRY_AFTER_S) },
      });
    case "not_payable":
      throw new Refusal("order_not_payable", { facts: { state: opened.state } });
    case "hold_expired":
    case "not_found":
      throw new Refusal(opened.verdict);
  }
}

type Drive = {
  attempt: string;
  key: string;
  order: string;
  method: string;
  instalments: number;
};

async function drive(ctx: Ctx, input: Drive): Promise<void> {
  const { attempt } = input;
  const log = ctx.log.child({ order: input.order, attempt });
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
  const answer = await ctx.payments.confirm(ref, ctx.requestId);
  const verdict = decideConfirm(answer);
  log.info({ ref, answer: answer.state }, "confirm answered");
  assert(verdict.do !== "fence", "a confirm's answer never asks for a fence");
  await recordVerdict(ctx, attempt, verdict, 0);
}

/** From the state as it is now; a final one is recorded, and the recorded one is what is said. */
async function replyFor(ctx: Ctx, attempt: string): Promise<Reply> {
  const [row] = await ctx.db.read<AttemptRow>(ATTEMPT_FACTS, [attempt]);
  assert(row, "an attempt that was written can be read");
  const reply = attemptReply(row, ctx.requestId);
  if (!reply.final) return reply;
  if (row.reply_status !== null && row.reply_body !== null) {
    return { ...reply, status: row.reply_status, body: row.reply_body };
  }
  const [kept] = await ctx.db.write<{ reply_status: number; reply_body: string }>(RECORD_REPLY, [
    attempt,
    reply.status,
    reply.body,
  ]);
  assert(kept, "an attempt that was read can be written");
  return { ...reply, status: kept.reply_status, body: kept.reply_body };
}
