import { AT, buyer, EVENT, type Examples, hold, money, order, TOKEN, ticket } from "./parts.ts";

/** One example of every call that people, their pages and the gate make. */

const view = {
  id: EVENT,
  name: "Spring final",
  venue: "The old stadium",
  startsAt: "2031-06-01T17:00:00.000Z",
  saleOpensAt: AT,
  saleClosesAt: "2031-06-01T16:00:00.000Z",
  timeZone: "Europe/Istanbul",
  currency: "TRY",
  holdMs: 600_000,
  limits: { perOrder: 8, perAccount: 8 },
  zones: [
    { id: "stalls", name: "Stalls", kind: "seated", price: money(10_000), soldOut: false },
    {
      id: "floor",
      name: "Standing",
      kind: "standing",
      price: money(5_000),
      fee: money(250),
      soldOut: true,
    },
  ],
  sections: [{ id: "A", name: "Section A" }],
  addons: [{ id: "scarf", name: "Scarf", price: money(1_500), variants: ["red"], soldOut: false }],
  fees: money(500),
  orderFee: money(300),
  taxBasisPoints: 2_000,
};

const map = {
  event: EVENT,
  version: 48_211,
  at: AT,
  zones: [
    { id: "stalls", name: "Stalls", kind: "seated", price: money(10_000), available: 8 },
    { id: "floor", name: "Standing", kind: "standing", price: money(5_000), available: 0 },
  ],
  sections: [
    {
      id: "A",
      name: "Section A",
      available: 8,
      rows: [
        {
          id: "1",
          zone: "stalls",
          numbers: 10,
          status: "aahsaaaaab",
          accessible: [1],
          companions: [2],
        },
      ],
    },
  ],
};

const shown = { name: view.name, startsAt: view.startsAt, timeZone: view.timeZone };
const cart = { event: EVENT, items: [{ id: "scarf", variant: "red", quantity: 1 }] };
const items = { items: [{ id: "scarf", variant: "red", quantity: 1 }] };
const registration = {
  event: EVENT,
  registeredAt: AT,
  pass: TOKEN,
  passExpiresAt: "2031-05-02T09:00:00.000Z",
};
const copy = {
  account: { id: "acc_at3ky5x5Aj76kaiKayP5bA", email: buyer.email, createdAt: AT },
  orders: [
    { id: order.id, event: EVENT, state: "paid", total: money(21_500), lines: [], tickets: [] },
  ],
};
const attempt = { id: "att_zoZjET2j4jrQ8rrWXY71Og", state: "succeeded", order: order.id };
const placed = { ...order, orderToken: TOKEN };

export const FAN_EXAMPLES: Examples = {
  "GET /healthz": { replies: { 200: { status: "ok" } } },
  "GET /readyz": {
    replies: { 200: { status: "ok", database: "ok", redis: { locks: "ok", cache: "ok" } } },
  },
  "GET /.well-known/jwks.json": {
    replies: {
      200: {
        keys: [
          {
            kty: "EC",
            crv: "P-256",
            x: "omYHryczWGJHbd1pw7C-dR-63WzgJF-hLWZjcSOwvE0",
            y: "Jn4Ys73jC2efOZcrJukBTx1fMQgX7dUmu9-MYMqyVGM",
            kid: "ticket-2031-05-01-f3081b8f",
            alg: "ES256",
            use: "sig",
            "sira:use": "ticket",
          },
        ],
      },
    },
  },
  "GET /v1/events": { replies: { 200: { events: [view] } } },
  "GET /v1/events/{event}": { replies: { 200: view } },
  "GET /v1/events/{event}/seats": { replies: { 200: map } },
  "POST /v1/accounts": { body: { email: buyer.email, locale: "tr" }, replies: { 202: {} } },
  "POST /v1/accounts/verify": {
    body: { email: buyer.email, code: "7573 4538" },
    replies: { 200: {} },
  },
  "GET /v1/accounts/me": {
    replies: {
      200: {
        id: "acc_at3ky5x5Aj76kaiKayP5bA",
        email: buyer.email,
        registrations: [{ event: EVENT, ...shown, at: AT }],
        orders: [{ id: order.id, event: EVENT, ...shown, state: "paid", createdAt: AT }],
      },
    },
  },
  "POST /v1/accounts/me/orders/{id}/token": { replies: { 200: { orderToken: TOKEN } } },
  "GET /v1/accounts/me/export": { replies: { 200: copy } },
  "POST /v1/events/{event}/registrations": { replies: { 200: registration, 201: registration } },
  "POST /v1/admissions/{event}/{place}/close": { body: { gen: 0, reason: "the fan left" } },
  "POST /v1/admissions/{event}/{place}/nearly": {
    body: { email: "fan@example.com", locale: "tr", number: 4_711 },
  },
  "POST /v1/admissions/{event}/not-before": { body: { notBefore: AT, reason: "a reset" } },
  "POST /v1/events/{event}/holds": {
    body: { seats: ["A-1-25"], addons: [{ id: "scarf", variant: "red", quantity: 1 }] },
    replies: { 200: hold, 201: hold },
  },
  "GET /v1/holds/{id}": { replies: { 200: hold } },
  "POST /v1/holds/{id}/extend": { replies: { 200: { ...hold, extended: true } } },
  "POST /v1/events/{event}/stream": {
    replies: {
      201: {
        ticket: "1796085938000.MTVI6uFBQpguYwfQ3ZQj5ma09krPCLYASw",
        url: `https://tickets.example/v1/events/${EVENT}/stream?ticket=1796085938000.MTVI6uFB`,
        expiresAt: AT,
      },
    },
  },
  "PUT /v1/events/{event}/presence": {
    body: { section: "A" },
    replies: { 200: { sections: { A: 12, B: 3 } } },
  },
  "GET /v1/carts/me": { replies: { 200: cart } },
  "PUT /v1/carts/me": { body: items, replies: { 200: cart } },
  "PATCH /v1/carts/me": { body: items, replies: { 200: cart } },
  "POST /v1/orders/links": { body: { email: buyer.email }, replies: { 202: {} } },
  "POST /v1/orders/{id}/mail": { replies: { 202: {} } },
  "GET /v1/orders/{id}/export": { replies: { 200: copy } },
  "PATCH /v1/orders/{id}/buyer": { body: { name: "Ayşe I." }, replies: { 200: order } },
  "POST /v1/orders": {
    body: { holdId: hold.id, buyer, acceptEqualSeats: false },
    replies: { 200: placed, 201: placed },
  },
  "GET /v1/orders/{id}": { replies: { 200: order } },
  "POST /v1/orders/{id}/attempts": {
    body: { method: "pm_ok", instalments: 3, origin: "press" },
    replies: { 201: attempt, 202: { ...attempt, state: "unknown" } },
  },
  "POST /v1/orders/{id}/cancel": { replies: { 200: { ...order, state: "cancelled" } } },
  "POST /v1/orders/{id}/page-events": { body: { events: [{ kind: "pressed" }] } },
  "GET /v1/orders/{id}/tickets": { replies: { 200: { tickets: [ticket] } } },
  "POST /v1/webhooks/{provider}": {
    replies: { 200: { received: "applied" }, 202: { received: "parked" } },
  },
  "GET /v1/tickets/{id}": {
    replies: {
      200: {
        id: ticket.id,
        event: {
          id: EVENT,
          name: view.name,
          venue: view.venue,
          startsAt: view.startsAt,
          timeZone: view.timeZone,
        },
        seat: "A-1-25",
        section: "Section A",
        row: "1",
        number: 25,
        zone: "Stalls",
        holder: buyer.name,
        state: "valid",
        code: ticket.code,
        issue: 1,
      },
    },
  },
  "POST /v1/tickets/{id}/transfer": { body: { email: "friend@example.com", name: "A friend" } },
};
