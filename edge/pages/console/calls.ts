import type { EventView } from "../../../shared/contract/events.ts";
import type { SessionReply } from "../../../shared/contract/organizers.ts";
import type { Phase } from "../../../shared/contract/queue.ts";
import type { RoomAction, RoomPatch, RoomSettings } from "../../../shared/contract/rooms.ts";
import { type Credential, call, type Reply } from "../kit/api.ts";
import { callCore } from "../kit/core.ts";

/** What the console asks of gate and core. One token serves both. */

export type Session = SessionReply;
export type RoomView = RoomSettings & {
  event: string;
  epoch: number;
  version: number;
  phase: Phase;
  reason?: string;
};
/** One second of the room's history; `at` in ms. */
export type Moment = {
  at: number;
  waiting: number;
  door: number;
  inside: number;
  admitted: number;
  calling: number;
  rate: number;
};
export type Figures = {
  event: string;
  at: string;
  phase: Phase;
  stale: boolean;
  issued: number;
  waiting: number;
  calling: number;
  door: number;
  inside: number;
  admitted: number;
  pool: number;
  noShowShare: number;
  ratePerMinute: number;
  effectivePerMinute: number;
  measuredPerMinute: number;
  letIn: number;
  holding?: string;
  seats?: { available: number; held: number; paying: number; sold: number };
  promises?: { kept: number; made: number };
  history: { perSecond: Moment[]; perMinute: Moment[] };
};
export type LogEntry = {
  id: number;
  at: string;
  actor: string;
  action: string;
  reason?: string;
  before: unknown;
  after: unknown;
};
export type ListedOrder = {
  id: string;
  state: string;
  email: string;
  name: string;
  total: { amount: number; currency: string };
  createdAt: string;
};

const KEPT = "sira-organizer";

/** The token lives as long as the tab: a console left open on a borrowed machine ends with it. */
export function keptSession(): Session | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (typeof kept !== "object" || kept === null) return undefined;
    const { token, expiresAt } = kept as Partial<Session>;
    if (typeof token !== "string" || typeof expiresAt !== "string") return undefined;
    return Date.parse(expiresAt) > Date.now() ? { token, expiresAt } : undefined;
  } catch {
    return undefined;
  }
}

export function keepSession(session: Session | undefined): void {
  if (session) sessionStorage.setItem(KEPT, JSON.stringify(session));
  else sessionStorage.removeItem(KEPT);
}

const bearer = (session: Session): Credential => ({ scheme: "Bearer", token: session.token });
const room = (event: string, rest = "") => `/api/rooms/${encodeURIComponent(event)}${rest}`;

export const signIn = (key: string): Promise<Reply<Session>> =>
  callCore("/v1/organizer/sessions", { method: "POST", body: { key } });

export const readEvents = (): Promise<Reply<{ events: EventView[] }>> => call("/v1/events");

export const readRoom = (session: Session, event: string): Promise<Reply<RoomView>> =>
  call(room(event), { credential: bearer(session) });

export const readFigures = (session: Session, event: string): Promise<Reply<Figures>> =>
  call(room(event, "/figures"), { credential: bearer(session) });

export const readLog = (session: Session, event: string): Promise<Reply<{ entries: LogEntry[] }>> =>
  call(room(event, "/log"), { credential: bearer(session) });

/** Only if nobody has changed the room since it was read (RFC 9110 §13.1.1). */
export const patchRoom = (
  session: Session,
  seen: RoomView,
  patch: RoomPatch,
): Promise<Reply<RoomView>> =>
  call(room(seen.event), {
    method: "PATCH",
    body: patch,
    credential: bearer(session),
    headers: { "if-match": `"${seen.version}"` },
  });

export const act = (
  session: Session,
  event: string,
  action: RoomAction,
): Promise<Reply<RoomView>> =>
  call(room(event, "/actions"), { method: "POST", body: action, credential: bearer(session) });

export function listOrders(
  session: Session,
  event: string,
  email: string,
): Promise<Reply<{ orders: ListedOrder[] }>> {
  const query = new URLSearchParams({ event, limit: "50", ...(email === "" ? {} : { email }) });
  return callCore(`/v1/organizer/orders?${query}`, { credential: bearer(session) });
}

export const refundOrder = (
  session: Session,
  order: string,
  input: { reason: string; key: string },
): Promise<Reply<unknown>> =>
  callCore(`/v1/organizer/orders/${encodeURIComponent(order)}/refunds`, {
    method: "POST",
    body: { reason: input.reason },
    headers: { "idempotency-key": input.key },
    credential: bearer(session),
  });
