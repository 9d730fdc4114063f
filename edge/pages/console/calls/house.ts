import type { Role } from "../../../../shared/token/claims.ts";
import { findCore, type Reply } from "../../kit/api.ts";
import { callCore } from "../../kit/core.ts";
import { bearer, type Session } from "./session.ts";

/** What concerns all events: keys, books, the core's audit log, exports. */

export type KeyView = {
  id: string;
  name: string;
  role: Role;
  events: string[];
  createdAt: string;
  revokedAt?: string;
};
export type Counts = Record<string, { found: number; repaired: number; queued: number }>;
export type Run = {
  id: string;
  provider: string;
  day: string;
  state: "running" | "done" | "failed";
  counts: Counts;
  error: string | null;
  startedAt: string;
};
export type Difference = {
  id: string;
  day: string;
  class: string;
  reference: string;
  order: string | null;
  attempt: string | null;
  details: Record<string, unknown>;
  state: string;
};
export type Causes = {
  attempts: Record<string, number>;
  doubles: {
    origin: string;
    before: string;
    count: number;
    pressedAgain: number;
    resumed: number;
  }[];
  unknowns: { cause: string; origin: string; ended: string; count: number }[];
  pages: Record<string, number>;
};
export type AuditLine = {
  seq: number;
  at: string;
  actor: string;
  action: string;
  target?: string;
  details: Record<string, unknown>;
};

const get = <T>(session: Session, path: string): Promise<Reply<T>> =>
  callCore(`/v1/organizer/${path}`, { credential: bearer(session) });

export const readKeys = (session: Session): Promise<Reply<{ keys: KeyView[] }>> =>
  get(session, "keys");

export const createKey = (
  session: Session,
  body: { name: string; role: Role; events: string[] },
): Promise<Reply<{ id: string; key: string }>> =>
  callCore("/v1/organizer/keys", { method: "POST", body, credential: bearer(session) });

export const revokeKey = (session: Session, id: string): Promise<Reply<unknown>> =>
  callCore(`/v1/organizer/keys/${encodeURIComponent(id)}`, {
    method: "DELETE",
    credential: bearer(session),
  });

export const readBooks = (session: Session): Promise<Reply<{ runs: Run[]; queue: Difference[] }>> =>
  get(session, "reconciliations");

export const reconcile = (session: Session, day: string): Promise<Reply<unknown>> =>
  callCore("/v1/organizer/reconciliations", {
    method: "POST",
    body: { day },
    credential: bearer(session),
    timeoutMs: 60_000,
  });

export const actOnDifference = (
  session: Session,
  id: string,
  body: { do: "repair" | "refund" | "dismiss"; reason: string },
): Promise<Reply<{ state: string; repair: string | null }>> =>
  callCore(`/v1/organizer/discrepancies/${encodeURIComponent(id)}`, {
    method: "POST",
    body,
    credential: bearer(session),
    timeoutMs: 40_000,
  });

export const readCauses = (session: Session): Promise<Reply<Causes>> =>
  get(session, "payments/causes");

export const readAudit = (
  session: Session,
  event: string | undefined,
): Promise<Reply<{ lines: AuditLine[] }>> =>
  get(session, `audit?limit=200${event === undefined ? "" : `&event=${event}`}`);

/** A list as a file. Its address needs the token, so the page fetches it and hands it on. */
export async function download(session: Session, event: string, what: string): Promise<boolean> {
  const core = await findCore();
  try {
    const path = `/v1/organizer/events/${encodeURIComponent(event)}/exports/${what}.csv`;
    const response = await fetch(`${core}${path}`, {
      headers: { authorization: `Bearer ${session.token}` },
    });
    if (!response.ok) return false;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${event}-${what}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return true;
  } catch {
    return false;
  }
}
