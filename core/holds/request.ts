import { createHash } from "node:crypto";
import type { z } from "zod";
import { type HoldRequest, holdRequestSchema } from "../../shared/contract/holds.ts";
import { Refusal } from "../../shared/errors.ts";
import { IDEMPOTENCY_KEY_CHARS_MAX } from "../../shared/limits.ts";
import type { Ctx, FanActor } from "../context.ts";
import { invalidRequest } from "../http/invalid.ts";
import { refuseBrokenText } from "../http/text.ts";

/** Pure: what was asked for, and by whom, as the database functions take it. */

const [chosenSchema, bestSchema, standingSchema] = holdRequestSchema.options;

/** Judged by the kind it claims to be, so that the refusal names the field and not the union. */
export function readHoldRequest(body: unknown): HoldRequest {
  const has = (field: string) => typeof body === "object" && body !== null && field in body;
  const schema: z.ZodType<HoldRequest> = has("seats")
    ? chosenSchema
    : has("best")
      ? bestSchema
      : standingSchema;
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalidRequest(parsed.error);
  refuseBrokenText(parsed.data);
  return parsed.data;
}

/** The key of a request that wants its lost answer back; `undefined` when none was sent. */
export function readHoldKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.length > IDEMPOTENCY_KEY_CHARS_MAX || !/^[\x21-\x7e]+$/.test(header))
    throw new Refusal("idempotency_key_invalid");
  return header;
}

/** Whom limits, counters and ownership go by, and which admission speaks for them. */
export const whoOf = (actor: FanActor) => ({
  place: actor.place,
  account: actor.subject,
  gen: actor.gen,
  iat: actor.issuedAtMs,
  ...(actor.jkt === undefined ? {} : { jkt: actor.jkt }),
});

export type Idem = { scope: string; key: string; hash: string; requestId: string };

/** A key belongs to one person and one event; the hash tells a repetition from another wish. */
export function idemOf(
  ctx: Pick<Ctx<FanActor>, "actor" | "requestId">,
  key: string | undefined,
  request: HoldRequest,
): Idem | null {
  if (key === undefined) return null;
  return {
    scope: `holds:${ctx.actor.event}:${ctx.actor.subject}`,
    key,
    hash: createHash("sha256").update(canonical(request)).digest("base64url"),
    requestId: ctx.requestId,
  };
}

/** The same members in another order are the same request. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
