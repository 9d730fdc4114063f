import type { SessionReply } from "../../../../shared/contract/organizers.ts";
import { ROLES, type Role } from "../../../../shared/token/claims.ts";
import type { Credential, Reply } from "../../kit/api.ts";
import { readClaims } from "../../kit/base64url.ts";
import { callCore } from "../../kit/core.ts";

/** Who sits at the console. One token serves gate and core; what it allows, both decide again. */

export type Session = SessionReply & { role: Role; events: readonly string[]; id: string };

const KEPT = "sira-organizer";

/** Read from the token's own claims; only to know what to offer. */
function sessionOf(reply: Partial<SessionReply>): Session | undefined {
  const { token, expiresAt } = reply;
  if (typeof token !== "string" || typeof expiresAt !== "string") return undefined;
  if (Date.parse(expiresAt) <= Date.now()) return undefined;
  const { role, events, sub } = readClaims(token);
  const known = ROLES.find((each) => each === role);
  if (known === undefined) return undefined;
  const list = Array.isArray(events) ? events.map(String) : [];
  return { token, expiresAt, role: known, events: list, id: String(sub) };
}

/** The token lives as long as the tab: a console left open on a borrowed machine ends with it. */
export function keptSession(): Session | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    return typeof kept === "object" && kept !== null ? sessionOf(kept) : undefined;
  } catch {
    return undefined;
  }
}

export function keepSession(reply: SessionReply): Session | undefined {
  sessionStorage.setItem(KEPT, JSON.stringify(reply));
  return keptSession();
}

export const forgetSession = (): void => sessionStorage.removeItem(KEPT);

export const bearer = (session: Session): Credential => ({
  scheme: "Bearer",
  token: session.token,
});

/** Whether a role reaches at least so far. */
export const mayAs = (session: Session, role: Role): boolean =>
  role === "viewer" || session.role === "owner" || session.role === role;

export const isOfAll = (session: Session): boolean => session.events.includes("*");

export const signIn = (key: string): Promise<Reply<SessionReply>> =>
  callCore("/v1/organizer/sessions", { method: "POST", body: { key } });
