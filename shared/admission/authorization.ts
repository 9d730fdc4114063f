import { base64url } from "jose";
import { isEventId } from "../ids.ts";
import { TOKEN_CHARS_MAX } from "../limits.ts";
import { err, ok, type Result } from "../result.ts";
import { coreAudience } from "../token/claims.ts";

/** Pure: what an `Authorization` header says, before anything in it is believed. */

export type Presented = { scheme: "dpop" | "bearer"; token: string };

/** RFC 9110 §11.4; two headers arrive joined by a comma, which no token of ours contains. */
export function readAuthorization(
  header: string | undefined,
): Result<Presented, "missing" | "malformed"> {
  if (header === undefined || header === "") return err("missing");
  const match = /^(dpop|bearer) +([A-Za-z0-9_.-]+)$/i.exec(header);
  const [, scheme, token] = match ?? [];
  if (!scheme || !token || token.length > TOKEN_CHARS_MAX) return err("malformed");
  return ok({ scheme: scheme.toLowerCase() === "dpop" ? "dpop" : "bearer", token });
}

const PREFIX = coreAudience("");

/**
 * Which event a token claims to be for. Not yet believed: the caller verifies the token against the
 * audience of exactly this event, so a lie here is a refusal there.
 */
export function claimedEvent(token: string): string | undefined {
  const [, payload] = token.split(".");
  if (!payload) return undefined;
  try {
    const claims: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(payload)));
    if (typeof claims !== "object" || claims === null || !("aud" in claims)) return undefined;
    const { aud } = claims;
    if (typeof aud !== "string" || !aud.startsWith(PREFIX)) return undefined;
    const event = aud.slice(PREFIX.length);
    return isEventId(event) ? event : undefined;
  } catch {
    return undefined;
  }
}
