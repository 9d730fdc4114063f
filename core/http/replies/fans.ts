import { z } from "zod";
import type { AccountView, RegistrationReply } from "../../../shared/contract/accounts.ts";
import {
  at,
  attempt,
  count,
  empty,
  event,
  eventView,
  hold,
  id,
  money,
  order,
  orderState,
  type Replies,
  seatMap,
  ticket,
  ticketPage,
} from "./parts.ts";

/** What people, their pages, the gate and the provider are answered. */

const cart = z.strictObject({
  event,
  items: z.array(z.strictObject({ id, variant: z.string().exactOptional(), quantity: count })),
});
const registration = z.strictObject({
  event,
  registeredAt: at,
  pass: z.string(),
  passExpiresAt: at,
}) satisfies z.ZodType<RegistrationReply>;
const shown = { event, name: z.string(), startsAt: at, timeZone: z.string() };
const account = z.strictObject({
  id,
  email: z.string(),
  registrations: z.array(z.strictObject({ ...shown, at })),
  orders: z.array(z.strictObject({ ...shown, id, state: orderState, createdAt: at })),
}) satisfies z.ZodType<AccountView>;

/** A copy of everything kept of a person: as the tables have it, so most of it is not fixed here. */
const facts = z.array(z.record(z.string(), z.unknown()));
const copy = z.strictObject({
  account: z.looseObject({ id, email: z.string(), createdAt: at }).exactOptional(),
  orders: z.array(
    z.looseObject({ id, event, state: orderState, total: money, lines: facts, tickets: facts }),
  ),
  received: facts.exactOptional(),
});
const side = z.enum(["ok", "away"]);
const ready = z.strictObject({
  status: z.enum(["ok", "degraded"]),
  database: z.literal("ok"),
  redis: z.strictObject({ locks: side, cache: side }),
});
const key = z.strictObject({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal("ES256"),
  use: z.literal("sig"),
  "sira:use": z.string(),
});
const placed = order.extend({ orderToken: z.string() });
const streamTicket = z.strictObject({ ticket: z.string(), url: z.string(), expiresAt: at });
const received = z.strictObject({ received: z.string() });

export const FAN_REPLIES: Replies = {
  "GET /healthz": { 200: z.strictObject({ status: z.literal("ok") }) },
  "GET /readyz": { 200: ready },
  "GET /metrics": { 200: "text/plain" },
  "GET /.well-known/jwks.json": { 200: z.strictObject({ keys: z.array(key) }) },
  "GET /v1/events": { 200: z.strictObject({ events: z.array(eventView) }) },
  "GET /v1/events/{event}": { 200: eventView },
  "GET /v1/events/{event}/seats": { 200: seatMap },
  "POST /v1/accounts": { 202: empty },
  "POST /v1/accounts/verify": { 200: empty },
  "GET /v1/accounts/me": { 200: account },
  "POST /v1/accounts/me/orders/{id}/token": { 200: z.strictObject({ orderToken: z.string() }) },
  "GET /v1/accounts/me/export": { 200: copy },
  "POST /v1/events/{event}/registrations": { 200: registration, 201: registration },
  "POST /v1/events/{event}/holds": { 200: hold, 201: hold },
  "GET /v1/holds/{id}": { 200: hold },
  "POST /v1/holds/{id}/extend": { 200: hold },
  "GET /v1/events/{event}/stream": { 200: "text/event-stream" },
  "GET /v1/orders/{id}/stream": { 200: "text/event-stream" },
  "POST /v1/events/{event}/stream": { 201: streamTicket },
  "PUT /v1/events/{event}/presence": {
    200: z.strictObject({ sections: z.record(z.string(), count) }),
  },
  "GET /v1/carts/me": { 200: cart },
  "PUT /v1/carts/me": { 200: cart },
  "PATCH /v1/carts/me": { 200: cart },
  "POST /v1/orders": { 200: placed, 201: placed },
  "POST /v1/orders/links": { 202: empty },
  "GET /v1/orders/{id}": { 200: order },
  "POST /v1/orders/{id}/attempts": { 201: attempt, 202: attempt },
  "POST /v1/orders/{id}/cancel": { 200: order },
  "POST /v1/orders/{id}/mail": { 202: empty },
  "GET /v1/orders/{id}/export": { 200: copy },
  "PATCH /v1/orders/{id}/buyer": { 200: order },
  "GET /v1/orders/{id}/tickets": { 200: z.strictObject({ tickets: z.array(ticket) }) },
  "POST /v1/webhooks/{provider}": { 200: received, 202: received },
  "GET /v1/tickets/{id}": { 200: ticketPage },
  "GET /v1/tickets/{id}.svg": { 200: "image/svg+xml" },
  "GET /v1/tickets/{id}.pdf": { 200: "application/pdf" },
  "GET /v1/tickets/{id}.ics": { 200: "text/calendar" },
};
