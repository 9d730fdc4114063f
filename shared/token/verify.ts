import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import { TOKEN_CHARS_MAX } from "../limits.ts";
import { err, ok, type Result } from "../result.ts";
import { type ClaimsOf, type KeyUse, TOKEN_TYPES } from "./claims.ts";
import { TOKEN_ALG } from "./keys.ts";

/** Finds the public key of a `kid` for one use, or says there is none. */
export type KeyFinder = (kid: string, use: KeyUse) => Promise<CryptoKey | undefined>;

export type Expectation<Use extends KeyUse> = {
  use: Use;
  issuer: string | string[];
  audience: string;
  /** ms since 1970. */
  now: number;
  /** An admission on an existing hold counts beyond its `exp`; everything else is still checked. */
  ignoreExpiry?: boolean;
};

/** For the log alone: the public is told one vague sentence. */
export type TokenFault = { reason: string; expired: boolean };

const fault = (reason: string, expired = false) => err<TokenFault>({ reason, expired });

/**
 * Verifies signature, `alg` (pinned), `typ`, issuer, audience and times (RFC 8725 §3). The header is
 * read only to find the key; it never chooses the algorithm.
 */
export async function verifyToken<Use extends KeyUse>(
  token: string,
  find: KeyFinder,
  expected: Expectation<Use>,
): Promise<Result<ClaimsOf[Use], TokenFault>> {
  if (token.length > TOKEN_CHARS_MAX) return fault("token too long");
  try {
    const header = decodeProtectedHeader(token);
    if (header.alg !== TOKEN_ALG) return fault(`alg ${String(header.alg)}`);
    if (typeof header.kid !== "string") return fault("no kid");
    if (header.crit !== undefined) return fault("crit is not understood");
    const key = await find(header.kid, expected.use);
    if (!key) return fault(`no ${expected.use} key ${header.kid.slice(0, 64)}`);
    const { payload } = await jwtVerify<ClaimsOf[Use]>(token, key, {
      algorithms: [TOKEN_ALG],
      typ: TOKEN_TYPES[expected.use],
      issuer: expected.issuer,
      audience: expected.audience,
      requiredClaims: ["sub", "iat", "exp"],
      // jose compares `exp` and `nbf` with this date; long before it nothing has expired.
      currentDate: new Date(expected.now),
      ...(expected.ignoreExpiry ? { clockTolerance: "10 years" } : {}),
    });
    if (Array.isArray(payload.aud)) return fault("several audiences");
    return ok(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return fault("expired", true);
    if (error instanceof errors.JOSEError) return fault(error.message);
    if (error instanceof TypeError) return fault("not a token");
    throw error;
  }
}
