import type { SessionReply } from "../../shared/contract/organizers.ts";
import { Refusal } from "../../shared/errors.ts";
import { ORGANIZER_AUDIENCE } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { Ctx } from "../context.ts";
import { findKeyHolder, type KeyHolder } from "./keys.ts";
import type { SignInLimit } from "./limit.ts";

const SESSION_S = 3_600;

/**
 * A key for an hour's token that core and gate both accept. A wrong key costs its address one of few
 * tries; who has used them up hears 429 before the key is looked at.
 */
export async function signIn(
  ctx: Ctx,
  input: { key: string; address: string },
  limit: SignInLimit,
): Promise<SessionReply> {
  await limit.require(input.address);
  const holder = await findKeyHolder(ctx, input.key);
  if (!holder) {
    await limit.count(input.address);
    throw new Refusal("credential_invalid", { reason: `no such key, from ${input.address}` });
  }
  await limit.remember(input.address);
  return await sessionOf(ctx, holder);
}

/** The token itself, for whoever was recognised, by a key or by an OpenID provider. */
export async function sessionOf(
  ctx: Pick<Ctx, "clock" | "keys" | "config">,
  holder: KeyHolder,
): Promise<SessionReply> {
  const issuedAt = Math.floor(ctx.clock.now() / 1000);
  const exp = issuedAt + SESSION_S;
  const token = await signToken(ctx.keys, "organizer", {
    iss: ctx.config.origin,
    aud: ORGANIZER_AUDIENCE,
    sub: holder.id,
    role: holder.role,
    events: holder.events,
    iat: issuedAt,
    exp,
  });
  return { token, expiresAt: new Date(exp * 1000).toISOString() };
}
