import type { EventView } from "../../../shared/contract/events.ts";
import type { SessionReply } from "../../../shared/contract/organizers.ts";
import type { ScanView, VoidList } from "../../../shared/contract/tickets.ts";
import { call, type Reply } from "../kit/api.ts";
import { callCore } from "../kit/core.ts";

/** What a door asks. Each call is safe to repeat: a scan has an id of its own. */

/** A queue at the door does not wait longer for a network; then the phone decides by itself. */
export const SCAN_TIMEOUT_MS = 2_500;

export type Sent = { id: string; code: string; at: string };

const base = (event: string) => `/v1/organizer/events/${encodeURIComponent(event)}`;
const bearer = (token: string) => ({ scheme: "Bearer", token }) as const;

export const openSession = (key: string): Promise<Reply<SessionReply>> =>
  callCore("/v1/organizer/sessions", { method: "POST", body: { key } });

export const fetchList = (event: string, token: string): Promise<Reply<VoidList>> =>
  callCore(`${base(event)}/void-list`, { credential: bearer(token) });

export const sendScans = (
  event: string,
  asked: { token: string; gate: string; scans: readonly Sent[]; timeoutMs?: number },
): Promise<Reply<{ scans: ScanView[] }>> =>
  callCore(`${base(event)}/checkins`, {
    method: "POST",
    credential: bearer(asked.token),
    body: { gate: asked.gate, scans: asked.scans },
    ...(asked.timeoutMs === undefined ? {} : { timeoutMs: asked.timeoutMs }),
  });

export const readEvent = (event: string): Promise<Reply<EventView>> =>
  call(`/v1/events/${encodeURIComponent(event)}`);
