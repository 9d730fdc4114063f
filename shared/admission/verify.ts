import { err, ok, type Result } from "../result.ts";
import { type AdmissionClaims, coreAudience } from "../token/claims.ts";
import { verifyProof } from "../token/dpop.ts";
import type { Nonces } from "../token/nonce.ts";
import { type KeyFinder, verifyToken } from "../token/verify.ts";
import type { Presented } from "./authorization.ts";
import type { Replays } from "./replays.ts";

/** What a request shows, gathered from its headers. */
export type Shown = {
  presented: Presented;
  proof: string | undefined;
  method: string;
  /** Configured origin + path: what the proof's `htu` must be. */
  url: string;
};

export type VerifyTools = {
  findGateKey: KeyFinder;
  nonces: Nonces;
  replays: Replays;
  gateIssuer: string;
};

/** `reason` is for the log; `nonceWanted` asks the client to try again with our nonce. */
export type AdmissionFault = { reason: string; nonceWanted: boolean };

const fault = (reason: string, nonceWanted = false) => err<AdmissionFault>({ reason, nonceWanted });

/** Claims that jose does not judge; a signed token of the gate always has them. */
function shapeFault(claims: AdmissionClaims): string | undefined {
  if (typeof claims.sub !== "string" || claims.sub === "") return "no sub";
  if (typeof claims.jti !== "string" || claims.jti === "") return "no jti";
  if (!Number.isSafeInteger(claims.gen) || !Number.isSafeInteger(claims.epoch)) return "no gen";
  if (claims.cnf !== undefined && typeof claims.cnf.jkt !== "string") return "bad cnf";
  return undefined;
}

/**
 * An admission and, when it is bound, the proof of its key. The scheme follows the binding
 * (RFC 9449 §7.1): a bound token as `Bearer` is as worthless as an unbound one as `DPoP`.
 */
export async function verifyAdmission(
  shown: Shown,
  expected: { event: string; nowMs: number; ignoreExpiry: boolean },
  tools: VerifyTools,
): Promise<Result<AdmissionClaims, AdmissionFault>> {
  const { token, scheme } = shown.presented;
  const verified = await verifyToken(token, tools.findGateKey, {
    use: "admission",
    issuer: tools.gateIssuer,
    audience: coreAudience(expected.event),
    now: expected.nowMs,
    ignoreExpiry: expected.ignoreExpiry,
  });
  if (!verified.ok) return fault(verified.error.reason);
  const claims = verified.value;
  const misshapen = shapeFault(claims);
  if (misshapen !== undefined) return fault(misshapen);
  const jkt = claims.cnf?.jkt;
  if (jkt === undefined)
    return scheme === "bearer" ? ok(claims) : fault("an unbound admission as DPoP");
  if (scheme !== "dpop") return fault("a bound admission as Bearer");
  const proof = await verifyProof(shown.proof, {
    method: shown.method,
    url: shown.url,
    token,
    jkt,
    now: expected.nowMs,
    isFreshNonce: (nonce) => tools.nonces.isFresh(nonce, expected.nowMs),
  });
  if (!proof.ok) return fault(`proof: ${proof.error.reason}`, proof.error.nonceWanted);
  if (!(await tools.replays.isFirstUse({ jkt, jti: proof.value.jti }, expected.nowMs)))
    return fault("proof: jti seen before");
  return ok(claims);
}
