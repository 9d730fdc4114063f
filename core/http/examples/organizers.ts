import { AT, buyer, EVENT, type Examples, money, order, TOKEN, ticket } from "./parts.ts";

/** One example of every call that organizers and operators make. */

const put = {
  name: "Spring final",
  venue: "The old stadium",
  startsAt: "2031-06-01T20:00:00+03:00",
  saleOpensAt: AT,
  timeZone: "Europe/Istanbul",
  currency: "TRY",
  holdMs: 600_000,
  perOrderMax: 8,
  perAccountMax: 8,
  fees: { perTicket: 500, perOrder: 300, taxBasisPoints: 2_000 },
  zones: [
    { id: "stalls", name: "Stalls", price: 10_000, kind: "seated" },
    { id: "floor", name: "Standing", price: 5_000, fee: 250, kind: "standing", capacity: 500 },
  ],
  sections: [{ id: "A", name: "Section A", rows: [{ id: "1", zone: "stalls", seats: 25 }] }],
  addons: [{ id: "scarf", name: "Scarf", price: 1_500, stock: 40, variants: ["red"] }],
};
const written = { event: EVENT, seats: 25 };
const act = { seats: ["A-1-25"], reason: "a camera stands there" };
const incident = {
  id: "inc_6Bh1IV3NRyYuvmFLQhjsZQ",
  reason: "the provider charged twice",
  voucher: null,
  createdAt: AT,
  orders: 2,
  done: 1,
  refunds: { open: 1, succeeded: 1, failed: 0 },
  mails: 1,
};
const attempt = "att_zoZjET2j4jrQ8rrWXY71Og";
const hook = {
  id: "wh_axO6RGamzApzDlYDXXx7Pw",
  event: EVENT,
  url: "https://shop.example/hook",
  kinds: ["order.paid"],
  state: "active",
  createdAt: AT,
};

export const ORGANIZER_EXAMPLES: Examples = {
  "POST /v1/organizer/sessions": {
    body: { key: "sira_75vJh1LCZ7Gi91xeFm1KcQUO5loEmKN1" },
    replies: { 200: { token: TOKEN, expiresAt: AT } },
  },
  "PUT /v1/organizer/events/{event}": { body: put, replies: { 200: written, 201: written } },
  "GET /v1/organizer/events/{event}": { replies: { 200: put } },
  "PUT /v1/organizer/events/{event}/seats": {
    body: "section,row,number,zone,kind\nA,1,1,stalls,accessible\nA,1,2,stalls,companion\n",
    replies: { 200: written },
  },
  "POST /v1/organizer/events/{event}/seats/block": {
    body: act,
    replies: { 200: { seats: act.seats } },
  },
  "POST /v1/organizer/events/{event}/seats/unblock": {
    body: act,
    replies: { 200: { seats: act.seats } },
  },
  "POST /v1/organizer/events/{event}/complimentary": {
    body: { ...act, buyer },
    replies: { 201: { order: order.id, seats: act.seats } },
  },
  "GET /v1/organizer/orders": {
    replies: {
      200: {
        orders: [
          {
            id: order.id,
            state: "paid",
            email: buyer.email,
            name: buyer.name,
            total: money(21_500),
            createdAt: AT,
            paidAt: null,
            review: false,
          },
        ],
      },
    },
  },
  "GET /v1/organizer/orders/{id}": { replies: { 200: order } },
  "POST /v1/organizer/orders/{id}/refunds": {
    body: { amount: 500, reason: "a broken seat" },
    replies: {
      201: {
        id: "ref_qBOOqQCROls5tPq-gwGFmg",
        order: order.id,
        attempt,
        state: "succeeded",
        amount: money(500),
        tickets: [ticket.id],
        reason: "a broken seat",
      },
    },
  },
  "GET /v1/organizer/idempotency/shadow": {
    replies: { 200: { report: [], entries: [] } },
  },
  "PATCH /v1/organizer/idempotency/shadow/{id}": { body: { mark: "true_positive" } },
  "POST /v1/organizer/reconciliations": {
    body: { day: "2031-05-01", zone: "Europe/Istanbul" },
    replies: { 200: { run: "rec_TlDQIXicDHmU3KFsF68YQg", counts: {} } },
  },
  "GET /v1/organizer/reconciliations": {
    replies: {
      200: {
        runs: [
          {
            id: "rec_TlDQIXicDHmU3KFsF68YQg",
            provider: "simulator",
            day: "2031-05-01",
            state: "done",
            counts: {},
            error: null,
            startedAt: AT,
          },
        ],
        queue: [],
      },
    },
  },
  "GET /v1/organizer/payments/causes": {
    replies: { 200: { attempts: { press: 2 }, doubles: [], unknowns: [], pages: {} } },
  },
  "POST /v1/organizer/incidents": {
    body: { charges: [attempt], reason: "the provider charged twice" },
    replies: { 202: incident },
  },
  "GET /v1/organizer/incidents/{id}": { replies: { 200: incident } },
  "POST /v1/organizer/events/{event}/checkins": {
    body: { gate: "North", scans: [{ id: "scan-00000001", code: ticket.code }] },
    replies: {
      200: {
        scans: [
          {
            id: "scan-00000001",
            result: "admitted",
            ticket: ticket.id,
            seat: "A-1-25",
            zone: "stalls",
            holder: buyer.name,
          },
        ],
      },
    },
  },
  "GET /v1/organizer/events/{event}/void-list": {
    replies: {
      200: {
        event: EVENT,
        madeAt: AT,
        void: ["tkt_neJV6P1QTHqfwN-7Mk_4iQ"],
        used: [ticket.id],
        issues: { "tkt_neJV6P1QTHqfwN-7Mk_4iQ": 2 },
        keys: [
          { kid: "ticket-2031-05-01-e66fb8e7", kty: "EC", crv: "P-256", x: "cFKr", y: "P9xs" },
        ],
      },
    },
  },
  "GET /v1/organizer/keys": {
    replies: {
      200: {
        keys: [
          {
            id: "key_60t40rj9RsWF17ZcLynYMw",
            name: "The door",
            role: "operator",
            events: [EVENT],
            createdAt: AT,
          },
        ],
      },
    },
  },
  "POST /v1/organizer/keys": {
    body: { name: "The door", role: "operator", events: [EVENT] },
    replies: { 201: { id: "key_60t40rj9RsWF17ZcLynYMw", key: "sk_OpizLiXGyelf_h0U6L2Frub" } },
  },
  "GET /v1/organizer/audit": {
    replies: {
      200: {
        lines: [
          {
            seq: 6,
            at: AT,
            actor: "organizer:key_60t40rj9RsWF17ZcLynYMw",
            action: "order.refund",
            event: EVENT,
            target: order.id,
            details: { reason: "a broken seat" },
            requestId: "req_srF_rE9FcSQNnrmF9cEV7A",
          },
        ],
        next: 5,
      },
    },
  },
  "POST /v1/organizer/events/{event}/webhooks": {
    body: { url: hook.url, kinds: hook.kinds },
    replies: { 201: { id: hook.id, secret: "whsec_DWgyH++j/i0F7X++541WCWPOXhi1R+UK" } },
  },
  "GET /v1/organizer/events/{event}/webhooks": { replies: { 200: { webhooks: [hook] } } },
  "GET /v1/organizer/events/{event}/webhooks/deliveries": {
    replies: {
      200: {
        deliveries: [
          {
            id: "41",
            webhook: hook.id,
            kind: "order.paid",
            order: order.id,
            state: "delivered",
            tries: 1,
            lastStatus: 204,
            createdAt: AT,
            endedAt: AT,
          },
        ],
      },
    },
  },
  "POST /v1/organizer/events/{event}/webhooks/deliveries/{id}/resend": { replies: { 202: {} } },
};
