import { decodeJwt, errors } from "jose";
import { Refusal } from "../../shared/errors.ts";
import { TOKEN_CHARS_MAX } from "../../shared/limits.ts";
import { err, type Result } from "../../shared/result.ts";
import {
  type ClaimsOf,
  GATE_AUDIENCE,
  ORGANIZER_AUDIENCE,
  roomAudience,
  type ServiceScope,
} from "../../shared/token/claims.ts";
import { type TokenFault, verifyToken } from "../../shared/token/verify.ts";
import type { GateConfig, Issuer } from "../env.ts";

/**
 * Organizer, service and pass tokens come from issuers that the deployment names. A token counts only
 * for the entry whose `iss` and `use` it has: the right signature of the wrong issuer is worth nothing.
 */

export type Organizer = { actor: string; role: "owner" | "operator" | "viewer" };

const covers = (events: unknown, event: string): boolean =>
  Array.isArray(events) && (events.includes("*") || events.includes(event));

/** The token's `iss`, unverified: it only chooses which entry must vouch for it. */
function issuerOf(token: string): string | undefined {
  if (token.length > TOKEN_CHARS_MAX) return undefined;
  try {
    return decodeJwt(token).iss;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

type Vouched<Use extends Issuer["use"]> = { claims: ClaimsOf[Use]; issuer: Issuer };

async function verifyVouched<Use extends Issuer["use"]>(
  config: GateConfig,
  token: string,
  expected: { use: Use; audience: string; now: number },
): Promise<Result<Vouched<Use>, TokenFault>> {
  const iss = issuerOf(token);
  const entries = config.issuers.filter((entry) => entry.iss === iss && entry.use === expected.use);
  let last: Result<never, TokenFault> = err({
    reason: `no ${expected.use} issuer`,
    expired: false,
  });
  for (const issuer of entries) {
    if (issuer.aud !== expected.audience && issuer.use !== "pass") continue;
    const result = await verifyToken(token, issuer.find, {
      use: expected.use,
      issuer: issuer.iss,
      audience: expected.audience,
      now: expected.now,
    });
    if (result.ok) return { ok: true, value: { claims: result.value, issuer } };
    last = result;
  }
  return last;
}

function bearerOf(request: Request): string | undefined {
  const header = request.headers.get("authorization");
  return header?.match(/^Bearer ([^\s,]+)$/i)?.[1];
}

/** @throws {Refusal} 401 without a good token, 403 when the role or the event is not its own. */
export async function requireOrganizer(
  config: GateConfig,
  request: Request,
  wanted: { event: string; write: boolean; now: number },
): Promise<Organizer> {
  const token = bearerOf(request);
  if (!token)
    throw new Refusal("organizer_required", { headers: { "www-authenticate": "Bearer" } });
  const result = await verifyVouched(config, token, {
    use: "organizer",
    audience: ORGANIZER_AUDIENCE,
    now: wanted.now,
  });
  if (!result.ok) throw invalidBearer(result.error.reason);
  const { claims, issuer } = result.value;
  if (issuer.roles && !issuer.roles.includes(claims.role))
    throw new Refusal("forbidden", { reason: `role ${claims.role} is not the issuer's to give` });
  if (!covers(claims.events, wanted.event) || !covers(issuer.events, wanted.event))
    throw new Refusal("forbidden", { reason: `not for event ${wanted.event}` });
  if (claims.role !== "owner" && claims.role !== "operator" && claims.role !== "viewer")
    throw new Refusal("forbidden", { reason: "unknown role" });
  if (wanted.write && claims.role === "viewer")
    throw new Refusal("forbidden", { reason: "a viewer only reads" });
  return { actor: `${issuer.iss}|${claims.sub}`.slice(0, 300), role: claims.role };
}

/** @throws {Refusal} as {@link requireOrganizer}. @returns who called, for the audit log. */
export async function requireService(
  config: GateConfig,
  request: Request,
  wanted: { event: string; scope: ServiceScope; now: number },
): Promise<string> {
  const token = bearerOf(request);
  if (!token)
    throw new Refusal("credential_invalid", {
      reason: "no token",
      headers: { "www-authenticate": "Bearer" },
    });
  const result = await verifyVouched(config, token, {
    use: "service",
    audience: GATE_AUDIENCE,
    now: wanted.now,
  });
  if (!result.ok) throw invalidBearer(result.error.reason);
  const { claims, issuer } = result.value;
  const scopes = typeof claims.scope === "string" ? claims.scope.split(" ") : [];
  if (!scopes.includes(wanted.scope))
    throw new Refusal("forbidden", { reason: `scope ${claims.scope}` });
  if (!covers(claims.events, wanted.event) || !covers(issuer.events, wanted.event))
    throw new Refusal("forbidden", { reason: `not for event ${wanted.event}` });
  return `${issuer.iss}|${claims.sub}`.slice(0, 300);
}

/** @returns the account behind an entry pass, `iss|sub`. @throws {Refusal} 401. */
export async function requirePass(
  config: GateConfig,
  pass: string,
  wanted: { event: string; now: number },
): Promise<string> {
  const result = await verifyVouched(config, pass, {
    use: "pass",
    audience: roomAudience(wanted.event),
    now: wanted.now,
  });
  if (!result.ok) throw new Refusal("credential_invalid", { reason: result.error.reason });
  const { claims, issuer } = result.value;
  if (!covers(issuer.events, wanted.event))
    throw new Refusal("credential_invalid", { reason: "not the issuer's event" });
  return `${claims.iss}|${claims.sub}`;
}

const invalidBearer = (reason: string): Refusal =>
  new Refusal("credential_invalid", {
    reason,
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });
