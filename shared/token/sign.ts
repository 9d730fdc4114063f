import { SignJWT } from "jose";
import { type ClaimsOf, type KeyUse, TOKEN_TYPES } from "./claims.ts";
import { type KeySet, TOKEN_ALG } from "./keys.ts";

/** Signs with the active key of the use; `typ` and `kid` are always there. Times are seconds. */
export async function signToken<Use extends KeyUse>(
  keys: KeySet,
  use: Use,
  claims: ClaimsOf[Use],
): Promise<string> {
  const { kid, key } = keys.signing(use);
  return await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: TOKEN_ALG, typ: TOKEN_TYPES[use], kid })
    .sign(key);
}
