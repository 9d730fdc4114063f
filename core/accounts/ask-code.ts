import { addressGroup } from "../../shared/address.ts";
import { type AccountRequest, CODE_MINUTES } from "../../shared/contract/accounts.ts";
import type { Ctx } from "../context.ts";
import { codeHash, codeOf, limitKey, newCodeNonce } from "./code.ts";
import { foldEmail } from "./fold-email.ts";
import { ASK_CODE } from "./queries.ts";

/**
 * A code goes to the address. One statement, one answer and one mail, whether or not anybody ever
 * used the address here, so nothing tells accounts from strangers.
 */
export async function askCode(
  ctx: Ctx,
  input: AccountRequest & { address: string },
): Promise<void> {
  const folded = foldEmail(input.email);
  await ctx.limits.require("code-address", addressGroup(input.address));
  await ctx.limits.require("code-email", limitKey(ctx.config.secret, folded));
  const nonce = newCodeNonce();
  const { secret } = ctx.config;
  await ctx.db.write(ASK_CODE, [
    ctx.ids.newId("acc"),
    input.email,
    folded,
    input.locale ?? null,
    codeHash(secret, folded, codeOf(secret, folded, nonce)),
    CODE_MINUTES,
    nonce,
  ]);
}
