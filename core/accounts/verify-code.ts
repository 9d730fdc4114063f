import { addressGroup } from "../../shared/address.ts";
import type { VerifyRequest } from "../../shared/contract/accounts.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";
import { codeHash, limitKey, sameHash } from "./code.ts";
import { foldEmail } from "./fold-email.ts";
import { OPEN_SESSION, TAKE_TRY } from "./queries.ts";
import { newSession, SESSION_DAYS } from "./session.ts";

/** Compared with when there is nothing to compare with, so that both take the same time. */
const NO_HASH = "0".repeat(64);

/**
 * A code for a session. Five tries a code, counted before it is looked at; one use; every failure
 * looks the same.
 */
export async function verifyCode(
  ctx: Ctx,
  input: VerifyRequest & { address: string },
): Promise<{ token: string }> {
  const folded = foldEmail(input.email);
  await ctx.limits.require("verify-address", addressGroup(input.address));
  await ctx.limits.require("verify-email", limitKey(ctx.config.secret, folded));
  const [row] = await ctx.db.write<{ id: string; hash: string }>(TAKE_TRY, [folded]);
  const given = codeHash(ctx.config.secret, folded, input.code);
  const isRight = sameHash(given, row?.hash ?? NO_HASH);
  if (row === undefined || !isRight)
    throw new Refusal("code_invalid", { reason: row === undefined ? "no code" : "wrong code" });
  const session = newSession();
  const opened = await ctx.db.write(OPEN_SESSION, [row.id, given, session.hash, SESSION_DAYS]);
  if (opened.length === 0) throw new Refusal("code_invalid", { reason: "used by somebody faster" });
  return { token: session.token };
}
