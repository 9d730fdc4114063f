import { z } from "zod";
import { eventPutSchema } from "../../../shared/contract/events.ts";
import { ATTEMPT_STATES } from "../../../shared/contract/orders.ts";
import type { SessionReply } from "../../../shared/contract/organizers.ts";
import type { ScanView, VoidList } from "../../../shared/contract/tickets.ts";
import {
  type DeliveryView,
  WEBHOOK_KINDS,
  type WebhookView,
} from "../../../shared/contract/webhooks.ts";
import type { CausesReport } from "../../payments/causes.ts";
import type { ShadowReport } from "../../payments/shadow.ts";
import {
  at,
  count,
  empty,
  event,
  id,
  money,
  order,
  orderState,
  type Replies,
  tally,
} from "./parts.ts";

/** What organizers and operators are answered. */

const written = z.strictObject({ event, seats: count });
const seats = z.strictObject({ seats: z.array(id) });
const listed = z.strictObject({
  id,
  state: orderState,
  email: z.string().nullable(),
  name: z.string().nullable(),
  total: money,
  createdAt: at,
  paidAt: at.nullable(),
  review: z.boolean(),
});
const refund = z.strictObject({
  id,
  order: id,
  attempt: id,
  state: z.enum(ATTEMPT_STATES),
  amount: money,
  tickets: z.array(id),
  reason: z.string(),
  failure: z.string().exactOptional(),
});
const report = z.strictObject({
  route: z.string(),
  entries: count,
  truePositives: count,
  falsePositives: count,
  unmarked: count,
  safeToEnforce: z.boolean(),
}) satisfies z.ZodType<ShadowReport>;
const request = z.record(z.string(), z.unknown());
const shadow = z.strictObject({
  id,
  route: z.string(),
  scope: z.string(),
  would: z.enum(["block_in_flight", "replay", "refuse_body"]),
  first: request,
  second: request,
  mark: z.enum(["true_positive", "false_positive"]).nullable(),
  at,
});
const counts = z.record(
  z.string(),
  z.strictObject({ found: count, repaired: count, queued: count }),
);
const run = z.strictObject({
  id,
  provider: z.string(),
  day: z.iso.date(),
  state: z.enum(["running", "done", "failed"]),
  counts,
  error: z.string().nullable(),
  startedAt: at,
});
const discrepancy = z.strictObject({
  id,
  provider: z.string(),
  day: z.iso.date(),
  class: z.string(),
  reference: z.string(),
  order: id.nullable(),
  attempt: id.nullable(),
  details: z.record(z.string(), z.unknown()),
  state: z.enum(["open", "queued"]),
  createdAt: at,
});
const causes = z.strictObject({
  attempts: tally,
  doubles: z.array(
    z.strictObject({
      origin: z.string(),
      before: z.string(),
      count,
      pressedAgain: count,
      resumed: count,
    }),
  ),
  unknowns: z.array(
    z.strictObject({ cause: z.string(), origin: z.string(), ended: z.string(), count }),
  ),
  pages: tally,
}) satisfies z.ZodType<CausesReport>;
const incident = z.strictObject({
  id,
  reason: z.string(),
  voucher: z.string().nullable(),
  createdAt: at,
  orders: count,
  done: count,
  refunds: z.strictObject({ open: count, succeeded: count, failed: count }),
  mails: count,
});
const where = z.strictObject({ at, gate: z.string() });
const scan = z.strictObject({
  id,
  result: z.enum(["admitted", "already", "void", "superseded", "unknown", "invalid"]),
  ticket: id.exactOptional(),
  seat: id.exactOptional(),
  zone: id.exactOptional(),
  holder: z.string().exactOptional(),
  first: where.exactOptional(),
  other: where.exactOptional(),
}) satisfies z.ZodType<ScanView>;
const voidList = z.strictObject({
  event,
  madeAt: at,
  keys: z.array(
    z.strictObject({
      kid: z.string(),
      kty: z.string(),
      crv: z.string(),
      x: z.string(),
      y: z.string(),
    }),
  ),
  void: z.array(id),
  issues: tally,
  used: z.array(id),
}) satisfies z.ZodType<VoidList>;
const organizerKey = z.strictObject({
  id,
  name: z.string(),
  role: z.enum(["owner", "operator", "viewer"]),
  events: z.array(z.string()),
  createdAt: at,
  lastUsedAt: at.exactOptional(),
  revokedAt: at.exactOptional(),
});
const auditLine = z.strictObject({
  seq: count,
  at,
  actor: z.string(),
  action: z.string(),
  event: event.exactOptional(),
  target: z.string().exactOptional(),
  details: z.record(z.string(), z.unknown()),
  requestId: z.string().exactOptional(),
});
const webhook = z.strictObject({
  id,
  event,
  url: z.string(),
  kinds: z.array(z.enum(WEBHOOK_KINDS)),
  state: z.enum(["active", "disabled"]),
  createdAt: at,
}) satisfies z.ZodType<WebhookView>;
const delivery = z.strictObject({
  id,
  webhook: id,
  kind: z.enum(WEBHOOK_KINDS),
  order: id.exactOptional(),
  state: z.enum(["waiting", "delivered", "dead"]),
  tries: count,
  lastStatus: z.int().exactOptional(),
  lastFault: z.string().exactOptional(),
  createdAt: at,
  endedAt: at.exactOptional(),
}) satisfies z.ZodType<DeliveryView>;
const session = z.strictObject({
  token: z.string(),
  expiresAt: at,
}) satisfies z.ZodType<SessionReply>;
const EVENT = "/v1/organizer/events/{event}";

export const ORGANIZER_REPLIES: Replies = {
  "POST /v1/organizer/sessions": { 200: session },
  [`PUT ${EVENT}`]: { 200: written, 201: written },
  [`GET ${EVENT}`]: { 200: eventPutSchema },
  [`PUT ${EVENT}/seats`]: { 200: written },
  [`POST ${EVENT}/seats/block`]: { 200: seats },
  [`POST ${EVENT}/seats/unblock`]: { 200: seats },
  [`POST ${EVENT}/complimentary`]: { 201: z.strictObject({ order: id, seats: z.array(id) }) },
  "GET /v1/organizer/orders": { 200: z.strictObject({ orders: z.array(listed) }) },
  "GET /v1/organizer/orders/{id}": { 200: order },
  "POST /v1/organizer/orders/{id}/refunds": { 201: refund },
  "GET /v1/organizer/idempotency/shadow": {
    200: z.strictObject({ report: z.array(report), entries: z.array(shadow) }),
  },
  "POST /v1/organizer/reconciliations": { 200: z.strictObject({ run: id, counts }) },
  "GET /v1/organizer/reconciliations": {
    200: z.strictObject({ runs: z.array(run), queue: z.array(discrepancy) }),
  },
  "GET /v1/organizer/payments/causes": { 200: causes },
  "POST /v1/organizer/incidents": { 202: incident },
  "GET /v1/organizer/incidents/{id}": { 200: incident },
  [`POST ${EVENT}/checkins`]: { 200: z.strictObject({ scans: z.array(scan) }) },
  [`GET ${EVENT}/void-list`]: { 200: voidList },
  "GET /v1/organizer/keys": { 200: z.strictObject({ keys: z.array(organizerKey) }) },
  "POST /v1/organizer/keys": { 201: z.strictObject({ id, key: z.string() }) },
  "GET /v1/organizer/audit": {
    200: z.strictObject({ lines: z.array(auditLine), next: count.exactOptional() }),
  },
  [`POST ${EVENT}/webhooks`]: { 201: z.strictObject({ id, secret: z.string() }) },
  [`GET ${EVENT}/webhooks`]: { 200: z.strictObject({ webhooks: z.array(webhook) }) },
  [`GET ${EVENT}/webhooks/deliveries`]: {
    200: z.strictObject({ deliveries: z.array(delivery) }),
  },
  [`POST ${EVENT}/webhooks/deliveries/{id}/resend`]: { 202: empty },
};
