import type { EventPut, EventView } from "../../../../shared/contract/events.ts";
import type { Reply } from "../../kit/api.ts";
import { callCore } from "../../kit/core.ts";
import { bearer, isOfAll, type Session } from "./session.ts";

/** Events, as their organizer writes them. */

const at = (event: string, rest = "") => `/v1/organizer/events/${encodeURIComponent(event)}${rest}`;

/** All that this session has to do with, also what was called off: it needs an end, too. */
export async function readEvents(session: Session): Promise<EventView[] | undefined> {
  if (isOfAll(session)) {
    const reply = await callCore<{ events: EventView[] }>("/v1/organizer/events", {
      credential: bearer(session),
    });
    return reply.kind === "ok" ? reply.data.events : undefined;
  }
  const replies = await Promise.all(
    session.events.map((event) => callCore<EventView>(`/v1/events/${encodeURIComponent(event)}`)),
  );
  if (replies.some(({ kind }) => kind === "network")) return undefined;
  return replies.flatMap((reply) => (reply.kind === "ok" ? [reply.data] : []));
}

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
