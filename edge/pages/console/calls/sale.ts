import type { SeatMap } from "../../../../shared/contract/events.ts";
import type {
  EventAct,
  RehearsalPlan,
  RehearsalView,
  SaleFigures,
  SaleHistory,
} from "../../../../shared/contract/sales.ts";
import { call, type Reply } from "../../kit/api.ts";
import { callCore } from "../../kit/core.ts";
import { bearer, type Session } from "./session.ts";

/** What the console asks of the core about one event's sale. */

const at = (event: string, rest: string) =>
  `/v1/organizer/events/${encodeURIComponent(event)}/${rest}`;

export const readSale = (session: Session, event: string): Promise<Reply<SaleFigures>> =>
  callCore(at(event, "figures"), { credential: bearer(session) });

export const readHistory = (session: Session, event: string): Promise<Reply<SaleHistory>> =>
  callCore(at(event, "history"), { credential: bearer(session) });

/** As fresh as the core makes it: what a desk shows is two seconds old at the most, on its way included. */
export const readSeats = (event: string): Promise<Reply<SeatMap>> =>
  callCore(`/v1/events/${encodeURIComponent(event)}/seats`, { isFresh: true });

export const readActs = (session: Session, event: string): Promise<Reply<{ acts: EventAct[] }>> =>
  callCore(at(event, "acts"), { credential: bearer(session) });

export const cancelEvent = (
  session: Session,
  event: string,
  input: { key: string; reason: string },
): Promise<Reply<EventAct>> =>
  callCore(at(event, "cancel"), {
    method: "POST",
    body: { reason: input.reason },
    headers: { "idempotency-key": input.key },
    credential: bearer(session),
  });

export const postponeEvent = (
  session: Session,
  event: string,
  input: { key: string; reason: string; startsAt: string },
): Promise<Reply<EventAct>> =>
  callCore(at(event, "postpone"), {
    method: "POST",
    body: { reason: input.reason, startsAt: input.startsAt },
    headers: { "idempotency-key": input.key },
    credential: bearer(session),
  });

export const readRehearsals = (
  session: Session,
  event: string,
): Promise<Reply<{ rehearsals: RehearsalView[] }>> =>
  callCore(at(event, "rehearsals"), { credential: bearer(session) });

export const startRehearsal = (
  session: Session,
  event: string,
  plan: RehearsalPlan,
): Promise<Reply<RehearsalView>> =>
  callCore(at(event, "rehearsals"), {
    method: "POST",
    body: plan,
    credential: bearer(session),
    timeoutMs: 60_000,
  });

export const stopRehearsal = (
  session: Session,
  event: string,
  id: string,
): Promise<Reply<RehearsalView>> =>
  callCore(at(event, `rehearsals/${encodeURIComponent(id)}`), {
    method: "DELETE",
    credential: bearer(session),
  });

export const readDraw = (event: string): Promise<Reply<Record<string, unknown>>> =>
  call(`/api/queue/${encodeURIComponent(event)}/draw`);
