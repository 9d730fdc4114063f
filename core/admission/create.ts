import type { Context } from "hono";
import { claimedEvent, readAuthorization } from "../../shared/admission/authorization.ts";
import { type VerifyTools, verifyAdmission } from "../../shared/admission/verify.ts";
import { Refusal } from "../../shared/errors.ts";
import {
  type AdmissionClaims,
  CORE_AUDIENCE,
  SERVICE_SCOPES,
  type ServiceScope,
} from "../../shared/token/claims.ts";
import { nonces as makeNonces } from "../../shared/token/nonce.ts";
import { type KeyFinder, verifyToken } from "../../shared/token/verify.ts";
import type { Clock, FanActor, ServiceActor } from "../context.ts";
import type { Db } from "../db/db.ts";
import type { Redis } from "../redis/redis.ts";
import type { Admissions } from "./admissions.ts";
import { createReplays } from "./replay.ts";

/** One nonce serves all answers of this long; it counts for much longer (DPOP_NONCE_MS). */
const NONCE_RENEW_MS = 10_000;

export type AdmissionOptions = {
  /** Our own origin. */
  origin: string;
  edgeOrigin: string;
  secret: Uint8Array<ArrayBuffer>;
  findGateKey: KeyFinder;
  redis: Redis;
  db: Db;
  clock: Clock;
};

const challenge = (error: string): Record<string, string> => ({
  // RFC 9449 §7.1: both schemes are understood; `algs` says what a proof may use.
  "www-authenticate": `DPoP algs="ES256"${error}, Bearer realm="core"${error}`,
});

const required = () => new Refusal("admission_required", { headers: challenge("") });

function invalid(reason: string, nonceWanted = false): Refusal {
  const error = nonceWanted ? "use_dpop_nonce" : "invalid_token";
  return new Refusal("admission_invalid", {
    reason,
    headers: challenge(`, error="${error}"`),
  });
}

function fanOf(claims: AdmissionClaims, event: string): FanActor {
  return {
    kind: "fan",
    event,
    place: claims.sub,
    epoch: claims.epoch,
    gen: claims.gen,
    jti: claims.jti,
    jkt: claims.cnf?.jkt,
    account: claims.acct,
    subject: claims.acct ?? claims.sub,
    issuedAtMs: claims.iat * 1000,
    expiresAtMs: claims.exp * 1000,
  };
}

const isScope = (text: string): text is ServiceScope =>
  SERVICE_SCOPES.some((scope) => scope === text);

export async function createAdmissions(options: AdmissionOptions): Promise<Admissions> {
  const tools: VerifyTools = {
    findGateKey: options.findGateKey,
    nonces: await makeNonces(options.secret),
    replays: createReplays({ locks: options.redis.locks, db: options.db, clock: options.clock }),
    gateIssuer: options.edgeOrigin,
  };
  let nonce: { value: Promise<string>; madeAt: number } | undefined;

  const present = (c: Context) => {
    const read = readAuthorization(c.req.header("authorization"));
    if (read.ok) return read.value;
    throw read.error === "missing" ? required() : invalid("malformed Authorization");
  };

  const admit = async (c: Context, event: string, ignoreExpiry: boolean): Promise<FanActor> => {
    const verified = await verifyAdmission(
      {
        presented: present(c),
        proof: c.req.header("dpop"),
        method: c.req.method,
        url: options.origin + new URL(c.req.url).pathname,
      },
      { event, nowMs: options.clock.now(), ignoreExpiry },
      tools,
    );
    if (!verified.ok) throw invalid(verified.error.reason, verified.error.nonceWanted);
    return fanOf(verified.value, event);
  };

  const admitClaimed = (c: Context, ignoreExpiry: boolean) => {
    const event = claimedEvent(present(c).token);
    if (event === undefined) throw invalid("no event in the audience");
    return admit(c, event, ignoreExpiry);
  };

  return {
    admit: (c, event) => admit(c, event, false),
    admitHolder: async (c) => await admitClaimed(c, true),
    admitAnywhere: async (c) => await admitClaimed(c, false),
    async admitGate(c, event): Promise<ServiceActor> {
      const refuse = (reason: string) =>
        new Refusal("credential_invalid", { reason, headers: { "www-authenticate": "Bearer" } });
      const read = readAuthorization(c.req.header("authorization"));
      if (!read.ok || read.value.scheme !== "bearer") throw refuse("no bearer token");
      const verified = await verifyToken(read.value.token, options.findGateKey, {
        use: "service",
        issuer: options.edgeOrigin,
        audience: CORE_AUDIENCE,
        now: options.clock.now(),
      });
      if (!verified.ok) throw refuse(verified.error.reason);
      const { sub, scope, events } = verified.value;
      const scopes = scope.split(" ").filter(isScope);
      if (!scopes.includes("admissions")) throw refuse("scope");
      if (!events.includes("*") && !events.includes(event)) throw refuse("event");
      return { kind: "service", id: sub, scopes, events };
    },
    currentNonce() {
      const now = options.clock.now();
      if (!nonce || Math.abs(now - nonce.madeAt) > NONCE_RENEW_MS)
        nonce = { value: tools.nonces.issue(now), madeAt: now };
      return nonce.value;
    },
  };
}
