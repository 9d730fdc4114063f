import { ERRORS } from "../errors.ts";
import { err, ok, type Result } from "../result.ts";
import { type Nonces, nonces } from "../token/nonce.ts";
import { remoteKeys } from "../token/remote-keys.ts";
import type { KeyFinder } from "../token/verify.ts";
import { readAuthorization } from "./authorization.ts";
import { localReplays, type Replays } from "./replays.ts";
import { type VerifyTools, verifyAdmission } from "./verify.ts";

/**
 * The entry point for booking APIs that are not Sıra's own core: give it a request's method, path
 * and two headers, and it says who was let in, or what to answer. It needs no framework; `hono.ts`
 * and `express.ts` beside it are a few lines around it.
 */

export type VerifierOptions = {
  /** The gate's public origin: the `iss` of its tokens, and where its keys are published. */
  gate: string;
  /** Your API's own public origin, as browsers see it: what a proof's `htu` must begin with. */
  origin: string;
  /**
   * At least 32 random bytes, the same in all your processes. With it a phone whose clock is wrong
   * is helped by a nonce; left out, each process makes its own and only its own nonces count there.
   */
  secret?: Uint8Array<ArrayBuffer>;
  /** Which proofs were shown before. Several processes need a shared one; default: this process. */
  replays?: Replays;
  /** Where the gate's public keys come from; default: `{gate}/.well-known/jwks.json`, cached. */
  findKey?: KeyFinder;
  /** ms since 1970. */
  now?: () => number;
};

/** What a request shows. Header values as `Headers.get` gives them: two of a kind joined by commas. */
export type ShownRequest = {
  method: string;
  /** Path and, if you like, query; the query is not part of a proof. */
  path: string;
  authorization: string | null | undefined;
  dpop: string | null | undefined;
};

/** Somebody whose turn it is. */
export type Admission = {
  event: string;
  /** The place in the line: one person's, for this event and epoch. */
  place: string;
  epoch: number;
  /** Raised when the place moves to another device. */
  gen: number;
  /** One admission; a slot is released and extended by it. */
  jti: string;
  /** `iss|sub` of the entry pass, where the room asks for one. */
  account?: string;
  issuedAt: Date;
  /** After this nothing new may begin. The gate may end an admission earlier: see the README. */
  expiresAt: Date;
};

/** What to answer instead. `reason` is for your log: the public is told one vague sentence. */
export type AdmissionRefusal = {
  status: 401 | 503;
  code: "admission_required" | "admission_invalid" | "unavailable";
  headers: Record<string, string>;
  reason: string;
};

export type AdmissionVerifier = {
  /** @throws nothing that a request can cause. */
  verify(shown: ShownRequest, event: string): Promise<Result<Admission, AdmissionRefusal>>;
};

const SECRET_BYTES = 32;
const RETRY_AFTER_S = "2";

export async function createAdmissionVerifier(
  options: VerifierOptions,
): Promise<AdmissionVerifier> {
  const { gate, origin } = checkedOrigins(options);
  const now = options.now ?? Date.now;
  const ours = await nonces(options.secret ?? crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const tools: VerifyTools = {
    gateIssuer: gate,
    findGateKey: options.findKey ?? remoteKeys(new URL("/.well-known/jwks.json", gate)),
    nonces: ours,
    replays: options.replays ?? localReplays(),
  };

  const refusal = async (
    code: "admission_required" | "admission_invalid",
    reason: string,
    nonceWanted = false,
  ) =>
    err<AdmissionRefusal>({
      status: 401,
      code,
      headers: { ...challengeOf(code, nonceWanted), ...(await nonceOf(ours, now())) },
      reason,
    });

  return {
    async verify(shown, event) {
      const read = readAuthorization(shown.authorization ?? undefined);
      if (!read.ok && read.error === "missing") return refusal("admission_required", "no token");
      if (!read.ok) return refusal("admission_invalid", "malformed Authorization");
      const url = pathUnder(origin, shown.path);
      if (url === undefined) return refusal("admission_invalid", "not a path");
      try {
        const verified = await verifyAdmission(
          { presented: read.value, proof: shown.dpop ?? undefined, method: shown.method, url },
          { event, nowMs: now(), ignoreExpiry: false },
          tools,
        );
        if (!verified.ok)
          return refusal("admission_invalid", verified.error.reason, verified.error.nonceWanted);
        const { sub, epoch, gen, jti, acct, iat, exp } = verified.value;
        return ok({
          event,
          place: sub,
          epoch,
          gen,
          jti,
          ...(acct === undefined ? {} : { account: acct }),
          issuedAt: new Date(iat * 1_000),
          expiresAt: new Date(exp * 1_000),
        });
      } catch (error) {
        // Keys or the shared memory cannot be reached: calling the token invalid would be a guess.
        return err({
          status: 503,
          code: "unavailable",
          headers: { "retry-after": RETRY_AFTER_S },
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    },
  };
}

/** RFC 9457, with the words that the core of Sıra uses, so that one page understands both. */
export function problemOf(refusal: AdmissionRefusal): {
  type: string;
  title: string;
  status: number;
  code: string;
} {
  const { status, code } = refusal;
  return { type: `urn:sira:problem:${code}`, title: ERRORS[code].title, status, code };
}

function checkedOrigins({ gate, origin }: VerifierOptions): { gate: string; origin: string } {
  for (const [name, value] of Object.entries({ gate, origin })) {
    const isOrigin = URL.canParse(value) && new URL(value).origin === value;
    if (!isOrigin)
      throw new TypeError(`${name} must be an origin such as https://example.com, not "${value}"`);
  }
  return { gate, origin };
}

/** Never the host that a request names: the proof must be for the origin that was configured. */
function pathUnder(origin: string, path: string): string | undefined {
  return path.startsWith("/") && URL.canParse(origin + path) ? origin + path : undefined;
}

/** RFC 9449 §7.1: both schemes are understood; `algs` says what a proof may use. */
function challengeOf(code: string, nonceWanted: boolean): Record<string, string> {
  const invalid = nonceWanted ? ', error="use_dpop_nonce"' : ', error="invalid_token"';
  const error = code === "admission_required" ? "" : invalid;
  return { "www-authenticate": `DPoP algs="ES256"${error}, Bearer realm="booking"${error}` };
}

async function nonceOf(ours: Nonces, now: number): Promise<Record<string, string>> {
  return { "dpop-nonce": await ours.issue(now) };
}
