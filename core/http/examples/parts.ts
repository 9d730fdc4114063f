/** What examples of several calls have in common. */

export type Example = {
  /** A request body. */
  body?: unknown;
  /** By status; replies of another kind than JSON have none. */
  replies?: Readonly<Record<number, unknown>>;
};
export type Examples = Readonly<Record<string, Example>>;

export const EVENT = "spring-final";
export const AT = "2031-05-01T09:00:00.000Z";
export const TOKEN =
  "eyJhbGciOiJFUzI1NiIsInR5cCI6Im9yZGVyK2p3dCJ9.eyJhdWQiOiJvcmRlci9vcmRfMSJ9.c2ln";
export const money = (amount: number) => ({ amount, currency: "TRY" });

export const hold = {
  id: "hold_s177MGr1AuhcohvxH6F9Xw",
  event: EVENT,
  seats: [
    {
      id: "A-1-25",
      section: "A",
      row: "1",
      number: 25,
      zone: "stalls",
      price: money(10_000),
    },
  ],
  zones: [{ id: "floor", quantity: 2, price: money(5_000) }],
  addons: [{ id: "scarf", variant: "red", quantity: 1, price: money(1_500) }],
  total: money(21_500),
  expiresAt: "2031-05-01T09:10:00.000Z",
  now: AT,
  adjacent: true,
};

export const ticket = {
  id: "tkt_EUqJs04FToeCOH66gEn7lA",
  seat: "A-1-25",
  zone: "stalls",
  code: "1.EUqJs04FToeCOH66gEn7lA.1.8fdR.SVBDVAfZrBozR0vTjdXH9Q",
  transferred: true,
  state: "valid",
};

export const order = {
  id: "ord_vYF3Vm-rbIGeN5jJQNjOGA",
  event: EVENT,
  state: "paid",
  total: money(21_500),
  hold: hold.id,
  expiresAt: "2031-05-01T09:10:00.000Z",
  now: AT,
  attempts: [{ id: "att_zoZjET2j4jrQ8rrWXY71Og", state: "failed", reason: "card_declined" }],
  lines: [{ kind: "seat", id: "A-1-25", quantity: 1, price: money(10_000) }],
  refunds: [{ id: "ref_qBOOqQCROls5tPq-gwGFmg", state: "succeeded", amount: money(500) }],
  tickets: [ticket],
};

export const buyer = { email: "fan@example.com", name: "Ayşe Işık", locale: "tr" };
