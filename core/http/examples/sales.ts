import { AT, EVENT, type Examples, money, order, TOKEN } from "./parts.ts";

/** One example of every call about a whole sale. */

const act = {
  id: "inc_6Bh1IV3NRyYuvmFLQhjsZQ",
  kind: "cancelled",
  reason: "a storm is coming",
  createdAt: AT,
  orders: 120,
  done: 80,
  refunds: { succeeded: 79, failed: 0, open: 1 },
  mails: 80,
};
const plan = { fans: 120, arriveMs: 30_000, absentPercent: 20, buyPercent: 60 };
const rehearsal = {
  id: "reh_8Wq0cVvKJ0b3Qb5zDgqjYw",
  event: EVENT,
  copy: `${EVENT}-rehearsal-bdgqjyw`,
  state: "running",
  plan,
  startedBy: "organizer:key_60t40rj9RsWF17ZcLynYMw",
  startedAt: AT,
};
const random = "q5cKzGm1rXo6WgJ0o8Z2l4nF7hVtYbXeUdPsRaQw3kE";
const ofEvent = "/v1/organizer/events/{event}";

export const SALE_EXAMPLES: Examples = {
  "GET /v1/organizer/events": { replies: { 200: { events: [] } } },
  [`GET ${ofEvent}/figures`]: {
    replies: {
      200: {
        at: AT,
        state: "active",
        zones: [
          {
            id: "stalls",
            name: "Stalls",
            kind: "seated",
            price: money(10_000),
            available: 14,
            held: 2,
            sold: 8,
            blocked: 1,
          },
        ],
        holds: { live: 1, units: 2, paying: 1 },
        orders: { paid: 4, pending: 1 },
        money: { currency: "TRY", captured: 80_000, refunded: 0, refunding: 0 },
        payments: { unknown: 0, oldestUnknownS: 0, review: 0, failed: 1, succeeded: 4 },
        tickets: { valid: 8 },
        health: {
          database: {
            answeredMs: 4,
            serviceMs: 0.8,
            connections: 6,
            busy: 1,
            waiting: 0,
            shed: 0,
          },
          redis: { locks: true, cache: true },
          requests: { inFlight: 3, p95Ms: 12.5, errors: 0, withinS: 300 },
        },
      },
    },
  },
  [`GET ${ofEvent}/history`]: {
    replies: { 200: { minutes: [{ at: AT, orders: 4, captured: 80_000, refunded: 0 }] } },
  },
  [`POST ${ofEvent}/cancel`]: { body: { reason: act.reason }, replies: { 202: act } },
  [`POST ${ofEvent}/postpone`]: {
    body: { startsAt: "2031-07-01T20:00:00+03:00", reason: "the singer is ill" },
    replies: { 202: { ...act, kind: "postponed", reason: "the singer is ill" } },
  },
  [`GET ${ofEvent}/acts`]: { replies: { 200: { acts: [act] } } },
  "GET /v1/organizer/orders/{id}/history": {
    replies: {
      200: {
        entries: [
          {
            at: AT,
            kind: "order",
            what: "created",
            details: { amount: order.total.amount, currency: "TRY" },
          },
        ],
      },
    },
  },
  "POST /v1/organizer/orders/{id}/mail": {
    body: { reason: "the buyer lost the first one" },
    replies: { 202: {} },
  },
  "POST /v1/organizer/discrepancies/{id}": {
    body: { do: "dismiss", reason: "settled by phone" },
    replies: {
      200: { id: "dis_lO3mW1v3S5mBqGdQeV3mYA", state: "dismissed", repair: "settled by phone" },
    },
  },
  [`GET ${ofEvent}/rehearsals`]: { replies: { 200: { rehearsals: [rehearsal] } } },
  [`POST ${ofEvent}/rehearsals`]: {
    body: { ...plan, reason: "before the big day" },
    replies: { 201: rehearsal },
  },
  [`DELETE ${ofEvent}/rehearsals/{id}`]: {
    replies: { 200: { ...rehearsal, state: "ended", endedAt: AT } },
  },
  "GET /v1/organizer/oidc": {
    replies: { 200: { providers: [{ id: "work", name: "Work account" }] } },
  },
  "POST /v1/organizer/oidc/{provider}/start": {
    body: { state: random, nonce: random, codeChallenge: random },
    replies: { 200: { url: "https://login.example/authorize?response_type=code" } },
  },
  "POST /v1/organizer/oidc/{provider}/sessions": {
    body: { code: "SplxlOBeZQQYbYS6WxSbIA", codeVerifier: random, nonce: random },
    replies: { 200: { token: TOKEN, expiresAt: AT } },
  },
};
