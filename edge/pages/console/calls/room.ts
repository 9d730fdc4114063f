import type { Phase } from "../../../../shared/contract/queue.ts";
import type {
  FairnessReport,
  RoomAction,
  RoomPatch,
  RoomSettings,
} from "../../../../shared/contract/rooms.ts";
import { call, type Reply } from "../../kit/api.ts";
import { bearer, type Session } from "./session.ts";

/** What the console asks of the gate. */

export type RoomView = RoomSettings & {
  event: string;
  epoch: number;
  version: number;
  phase: Phase;
  reason?: string;
};
/** One second, or minute, of the room's history; `at` in ms. */
export type Moment = {
  at: number;
  issued: number;
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
  unclaimed: number;
  pool: number;
  noShowShare: number;
  ratePerMinute: number;
  effectivePerMinute: number;
  measuredPerMinute: number;
  letIn: number;
  holding?: string;
  capacity?: { limitPerMinute: number; inFlight: number; p95Ms: number; at: string };
  wait?: { perThousandMs: number; low: number; high: number };
  promises?: { kept: number; made: number };
  waits: { at: number; lowMs: number; highMs: number; trueMs: number }[];
  store: { ok: boolean; at: string; trouble?: string };
  rehearsalOf?: string;
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

const room = (event: string, rest = "") => `/api/rooms/${encodeURIComponent(event)}${rest}`;

export const readRoom = (session: Session, event: string): Promise<Reply<RoomView>> =>
  call(room(event), { credential: bearer(session) });

/** @param since ms; the history up to then is known. */
export const readFigures = (
  session: Session,
  event: string,
  since: number,
): Promise<Reply<Figures>> =>
  call(room(event, `/figures?since=${since}`), { credential: bearer(session) });

export const readRoomLog = (
  session: Session,
  event: string,
): Promise<Reply<{ entries: LogEntry[] }>> =>
  call(room(event, "/log?limit=200"), { credential: bearer(session) });

export const readFairness = (
  session: Session,
  event: string,
): Promise<Reply<FairnessReport & { published: boolean }>> =>
  call(room(event, "/fairness"), { credential: bearer(session) });

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

export const putRoom = (
  session: Session,
  event: string,
  settings: Partial<RoomSettings> & Pick<RoomSettings, "opensAt">,
): Promise<Reply<RoomView>> =>
  call(room(event), { method: "PUT", body: settings, credential: bearer(session) });

export const act = (
  session: Session,
  event: string,
  action: RoomAction,
): Promise<Reply<RoomView>> =>
  call(room(event, "/actions"), { method: "POST", body: action, credential: bearer(session) });
