import { base64url, calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from "jose";
import { DPOP_IAT_WINDOW_MS, type DPOP_NONCE_MS, TOKEN_CHARS_MAX } from "../limits.ts";
import { err, ok, type Result } from "../result.ts";

/** What the proof must speak of: this request, this token, this key. */
export type ProofExpectation = {
  method: string;
  /** Configured origin + path; query and fragment are dropped on both sides (RFC 9449 §4.3). */
  url: string;
  /** The token presented with the proof; its hash must be in `ath`. */
  token: string;
  /** RFC 7638 thumbprint from the token's `cnf.jkt`. */
  jkt: string;
  /** ms since 1970. */
  now: number;
  /** A fresh nonce of ours stands in for a phone's clock that is wrong. */
  isFreshNonce: (nonce: string) => Promise<boolean>;
};

export type Proof = { jti: string; iat: number; jkt: string };

/** `nonce` says that the proof was right but for its time: answer with a nonce and try again. */
export type ProofFault = { reason: string; nonceWanted: boolean };

const JTI_CHARS_MAX = 128;

const fault = (reason: string, nonceWanted = false) => err<ProofFault>({ reason, nonceWanted });

/** SHA-256 of the token in base64url: the `ath` claim. */
export async function tokenHash(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return base64url.encode(new Uint8Array(digest));
}

/** Origin and path alone, normalised by the URL parser; `undefined` when it is not a URL. */
export function htuOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * Checks a DPoP proof (RFC 9449 §4.3) except for replay, which needs a memory: the caller remembers
 * `jti` for as long as it could be shown again: {@link DPOP_NONCE_MS}, the longer of the two times.
 *
 * @param header the `DPoP` header as `Headers.get` gives it; two headers arrive joined by a comma,
 *   which no JWT contains, and are refused.
 */
export async function verifyProof(
  header: string | null | undefined,
  expected: ProofExpectation,
): Promise<Result<Proof, ProofFault>> {
  if (!header) return fault("no proof");
  if (header.length > TOKEN_CHARS_MAX) return fault("proof too long");
  if (header.includes(",")) return fault("more than one proof");
  try {
    const { payload, protectedHeader } = await jwtVerify(header, EmbeddedJWK, {
      algorithms: ["ES256"],
      typ: "dpop+jwt",
      requiredClaims: ["jti", "htm", "htu", "iat", "ath"],
      // `iat` is judged below, where a nonce may stand in for it.
      currentDate: new Date(expected.now),
      clockTolerance: "10 years",
    });
    const { jwk } = protectedHeader;
    if (!jwk || "d" in jwk || jwk.kty !== "EC") return fault("not a public EC key");
    const jkt = await calculateJwkThumbprint(jwk, "sha256");
    if (jkt !== expected.jkt) return fault("another key");
    if (payload["htm"] !== expected.method) return fault("another method");
    const htu = typeof payload["htu"] === "string" ? htuOf(payload["htu"]) : undefined;
    if (htu === undefined || htu !== htuOf(expected.url)) return fault("another url");
    if (payload["ath"] !== (await tokenHash(expected.token))) return fault("another token");
    const { jti, iat } = payload;
    if (typeof jti !== "string" || jti.length === 0 || jti.length > JTI_CHARS_MAX)
      return fault("bad jti");
    if (typeof iat !== "number") return fault("bad iat");
    const skewMs = Math.abs(iat * 1000 - expected.now);
    if (skewMs > DPOP_IAT_WINDOW_MS) {
      const { nonce } = payload;
      const fresh = typeof nonce === "string" && (await expected.isFreshNonce(nonce));
      if (!fresh) return fault("not fresh", true);
    }
    return ok({ jti, iat, jkt });
  } catch (error) {
    if (error instanceof errors.JOSEError) return fault(error.message);
    if (error instanceof TypeError) return fault("not a proof");
    // A jwk that is no point of the curve, or whose halves do not belong together.
    if (error instanceof DOMException) return fault("not a key");
    throw error;
  }
}
