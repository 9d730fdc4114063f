import type { EventPut, EventView } from "../../../../shared/contract/events.ts";
import { call, type Reply } from "../../kit/api.ts";
import { callCore } from "../../kit/core.ts";
import { bearer, type Session } from "./session.ts";

/** Events, as their organizer writes them. */

const at = (event: string, rest = "") => `/v1/organizer/events/${encodeURIComponent(event)}${rest}`;

export const readEvents = (): Promise<Reply<{ events: EventView[] }>> => call("/v1/events");

export const readPut = (session: Session, event: string): Promise<Reply<EventPut>> =>
  callCore(at(event), { credential: bearer(session) });

/** @param version what was read before; somebody else's later change is then not written over. */
export const putEvent = (
  session: Session,
  event: string,
  input: { put: EventPut; version: string | undefined },
): Promise<Reply<{ event: string; seats: number }>> =>
  callCore(at(event), {
    method: "PUT",
    body: input.put,
    credential: bearer(session),
    timeoutMs: 60_000,
    ...(input.version === undefined ? {} : { headers: { "if-match": input.version } }),
  });

export const blockSeats = (
  session: Session,
  event: string,
  input: { seats: readonly string[]; block: boolean; reason: string },
): Promise<Reply<{ seats: string[] }>> =>
  callCore(at(event, `/seats/${input.block ? "block" : "unblock"}`), {
    method: "POST",
    body: { seats: input.seats, reason: input.reason },
    credential: bearer(session),
    timeoutMs: 60_000,
  });
