import { z } from "zod";
import type {
  EventAct,
  OrderHistory,
  SaleFigures,
  SaleHistory,
} from "../../../shared/contract/sales.ts";
import { at, count, empty, event, eventView, id, money, type Replies, tally } from "./parts.ts";

/** What an organizer is answered about a whole sale. */

const figures = z.strictObject({
  at,
  state: z.enum(["active", "postponed", "cancelled"]),
  zones: z.array(
    z.strictObject({
      id,
      name: z.string(),
      kind: z.enum(["seated", "standing"]),
      price: money,
      available: count,
      held: count,
      sold: count,
      blocked: count,
    }),
  ),
  holds: z.strictObject({ live: count, units: count, paying: count }),
  orders: tally,
  money: z.strictObject({
    currency: z.string(),
    captured: count,
    refunded: count,
    refunding: count,
  }),
  payments: z.strictObject({
    unknown: count,
    oldestUnknownS: count,
    review: count,
    failed: count,
    succeeded: count,
  }),
  tickets: tally,
  health: z.strictObject({
    database: z.strictObject({
      answeredMs: z.number(),
      serviceMs: z.number(),
      connections: count,
      busy: count,
      waiting: count,
      shed: count,
    }),
    redis: z.strictObject({ locks: z.boolean(), cache: z.boolean() }),
    requests: z.strictObject({ inFlight: count, p95Ms: z.number(), errors: count, withinS: count }),
  }),
}) satisfies z.ZodType<SaleFigures>;

const history = z.strictObject({
  minutes: z.array(z.strictObject({ at, orders: count, captured: count, refunded: count })),
}) satisfies z.ZodType<SaleHistory>;

const act = z.strictObject({
  id,
  kind: z.enum(["cancelled", "postponed"]),
  reason: z.string(),
  createdAt: at,
  orders: count,
  done: count,
  refunds: z.strictObject({ succeeded: count, failed: count, open: count }),
  mails: count,
}) satisfies z.ZodType<EventAct>;

const orderHistory = z.strictObject({
  entries: z.array(
    z.strictObject({
      at,
      kind: z.string(),
      what: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
}) satisfies z.ZodType<OrderHistory>;

const rehearsal = z.strictObject({
  id,
  event,
  copy: event,
  state: z.enum(["running", "ended", "failed"]),
  plan: z.record(z.string(), z.number()),
  report: z.looseObject({}).exactOptional(),
  startedBy: z.string(),
  startedAt: at,
  endedAt: at.exactOptional(),
});

const verdict = z.strictObject({ id, state: z.string(), repair: z.string().nullable() });
const session = z.strictObject({ token: z.string(), expiresAt: at });
const ofEvent = "/v1/organizer/events/{event}";

export const SALE_REPLIES: Replies = {
  "GET /v1/organizer/events": { 200: z.strictObject({ events: z.array(eventView) }) },
  [`GET ${ofEvent}/figures`]: { 200: figures },
  [`GET ${ofEvent}/history`]: { 200: history },
  [`GET ${ofEvent}/exports/{what}`]: { 200: "text/csv" },
  [`POST ${ofEvent}/cancel`]: { 202: act },
  [`POST ${ofEvent}/postpone`]: { 202: act },
  [`GET ${ofEvent}/acts`]: { 200: z.strictObject({ acts: z.array(act) }) },
  "GET /v1/organizer/orders/{id}/history": { 200: orderHistory },
  "POST /v1/organizer/orders/{id}/mail": { 202: empty },
  "POST /v1/organizer/discrepancies/{id}": { 200: verdict },
  [`GET ${ofEvent}/rehearsals`]: {
    200: z.strictObject({ rehearsals: z.array(rehearsal) }),
  },
  [`POST ${ofEvent}/rehearsals`]: { 201: rehearsal },
  [`DELETE ${ofEvent}/rehearsals/{id}`]: { 200: rehearsal },
  "GET /v1/organizer/oidc": {
    200: z.strictObject({ providers: z.array(z.strictObject({ id, name: z.string() })) }),
  },
  "POST /v1/organizer/oidc/{provider}/start": { 200: z.strictObject({ url: z.string() }) },
  "POST /v1/organizer/oidc/{provider}/sessions": { 200: session },
};
