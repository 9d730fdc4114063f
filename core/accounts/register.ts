import type { RegistrationReply } from "../../shared/contract/accounts.ts";
import { Refusal } from "../../shared/errors.ts";
import { roomAudience } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { AccountActor, Ctx } from "../context.ts";
import { EVENT_STATE, REGISTER } from "./queries.ts";

/** Asked for anew by whoever registered, so it need not live long. */
const PASS_S = 24 * 3_600;

/** Registers for an event and gives the entry pass; again gives a fresh pass. */
export async function registerForEvent(
  ctx: Ctx<AccountActor>,
  event: string,
): Promise<{ reply: RegistrationReply; made: boolean }> {
  const [row] = await ctx.db.write<{ at: string; made: boolean }>(REGISTER, [event, ctx.actor.id]);
  if (row === undefined) {
    const [known] = await ctx.db.read<{ over: boolean }>(EVENT_STATE, [event]);
    throw new Refusal(known === undefined ? "unknown_event" : "sale_closed");
  }
  const iat = Math.floor(ctx.clock.now() / 1_000);
  const pass = await signToken(ctx.keys, "pass", {
    iss: ctx.config.origin,
    aud: roomAudience(event),
    sub: ctx.actor.id,
    iat,
    exp: iat + PASS_S,
  });
  return {
    made: row.made,
    reply: {
      event,
      registeredAt: row.at,
      pass,
      passExpiresAt: new Date((iat + PASS_S) * 1_000).toISOString(),
    },
  };
}
