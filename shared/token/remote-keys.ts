import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWK } from "jose";
import type { KeyUse } from "./claims.ts";
import { TOKEN_ALG } from "./keys.ts";
import type { KeyFinder } from "./verify.ts";

/** A JWKS older than this is fetched again, so that a new key is picked up before it signs. */
const JWKS_AGE_MS_MAX = 300_000;
/** However many unknown `kid`s arrive, the other side is asked at most once in this time. */
const JWKS_COOLDOWN_MS = 10_000;
const JWKS_TIMEOUT_MS = 5_000;

/**
 * Finds keys in somebody else's published set. An unknown `kid` may be a fresh rotation, so the set
 * is asked again, but never more than once a cool-down; it is not remembered, so a flood of invented
 * ones costs no memory. `fetchSet` is another way out than the platform's.
 */
export function remoteKeys(url: URL, fetchSet?: FetchImplementation): KeyFinder {
  const find = createRemoteJWKSet(url, {
    cacheMaxAge: JWKS_AGE_MS_MAX,
    cooldownDuration: JWKS_COOLDOWN_MS,
    timeoutDuration: JWKS_TIMEOUT_MS,
    ...(fetchSet === undefined ? {} : { [customFetch]: fetchSet }),
  });
  return async (kid: string, use: KeyUse) => {
    try {
      const key = await find({ alg: TOKEN_ALG, kid });
      const published: readonly (JWK & { "sira:use"?: unknown })[] = find.jwks()?.keys ?? [];
      const entry = published.find((jwk) => jwk.kid === kid);
      return entry?.["sira:use"] === use ? key : undefined;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return undefined;
      throw error;
    }
  };
}
