// One press of the pay button: the same key is the same attempt and gets the same answer, whoever
// repeats it and when.
import { createHash } from "node:crypto";
import type { AttemptRequest } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { IDEMPOTENCY_KEY_CHARS_MAX } from "../../shared/limits.ts";
import { assert } from "../../shared/result.ts";
import type { Ctx } from "../context.ts";
import { attemptReply, type Reply } from "./attempt-reply.ts";
import { driveAttempt } from "./drive-attempt.ts";
import { enterFront, type FrontVerdict, leaveFront } from "./front.ts";
import { ATTEMPT_RETRY_AFTER_S, FRONT_OPENING_MS } from "./limits.ts";
import { ATTEMPT_BY_KEY, ATTEMPT_FACTS, type AttemptRow, RECORD_REPLY } from "./queries.ts";
import { logShadow } from "./shadow.ts";

const KEY_PATTERN = /^[\x21-\x7e]+$/;

type Opened =
  | { verdict: "created" | "existing" | "reused" | "in_flight"; attempt: string; state: string }
  | { verdict: "not_payable"; state: string }
  | { verdict: "hold_expired" | "not_found" };

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

type Press = { order: string; key: string; request: AttemptRequest };

const ROUTE = "orders.attempts";

/** The Redis front first, the truth behind it. In shadow mode the front only takes notes. */
export async function payOrder(ctx: Ctx, press: Press): Promise<Reply> {
  const entry = {
    scope: press.order,
    key: press.key,
    owner: ctx.ids.newId("req"),
    hash: attemptHash(press.request),
    request: { ...press.request, requestId: ctx.requestId },
  };
  const front = await enterFront(ctx, entry);
  const shadow = ctx.config.idempotencyMode === "shadow";
  if (shadow) await noteShadow(ctx, press, front);
  else if (front.say === "done") return front.reply;
  else if (front.say === "in_flight") {
    const known = await replyBehind(ctx, press, front);
    if (known !== undefined) return known;
  }
  let reply: Reply | undefined;
  try {
    reply = await openAttempt(ctx, press, shadow);
    return reply;
  } finally {
    // Whose entry it is not, changes nothing there.
    await leaveFront(ctx, entry, reply);
  }
}

const inFlight = (facts: Record<string, unknown>): Refusal =>
  new Refusal("attempt_in_flight", {
    facts,
    headers: { "retry-after": String(ATTEMPT_RETRY_AFTER_S) },
  });

/**
 * What PostgreSQL says of an attempt that the front calls in flight: its owner may have died since, and
 * a webhook or an inquiry may have ended it. `undefined` when the owner died before it wrote anything
 * down: then this press is the first.
 */
async function replyBehind(
  ctx: Ctx,
  press: Press,
  front: FrontVerdict & { say: "in_flight" },
): Promise<Reply | undefined> {
  const [attempt] = await ctx.db.read<{ id: string }>(ATTEMPT_BY_KEY, [press.order, press.key]);
  if (attempt !== undefined) return await replyFor(ctx, attempt.id);
  if (front.ageMs < FRONT_OPENING_MS) throw inFlight({});
  return undefined;
}

const WOULD = { in_flight: "block_in_flight", done: "replay", other_body: "refuse_body" } as const;

async function noteShadow(ctx: Ctx, press: Press, front: FrontVerdict): Promise<void> {
  if (front.say === "go") return;
  await logShadow(ctx, {
    route: ROUTE,
    scope: press.order,
    key: press.key,
    would: WOULD[front.say],
    first: front.first.request,
    second: { ...press.request, requestId: ctx.requestId },
  });
}

async function openAttempt(ctx: Ctx, input: Press, shadow: boolean): Promise<Reply> {
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
      await driveAttempt(ctx, { attempt, key: input.key, order: input.order, method, instalments });
      return replyFor(ctx, attempt);
    case "existing":
      return replyFor(ctx, opened.attempt);
    case "reused":
      // In shadow the comparison of bodies blocks nothing; the key is still one attempt.
      if (shadow) return replyFor(ctx, opened.attempt);
      throw new Refusal("idempotency_key_reused");
    case "in_flight":
      throw inFlight({ attempt: { id: opened.attempt, state: opened.state } });
    case "not_payable":
      throw new Refusal("order_not_payable", { facts: { state: opened.state } });
    case "hold_expired":
    case "not_found":
      throw new Refusal(opened.verdict);
  }
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
