// One call of every kind at a running core, in the order of a sale, with what was answered.
import { randomUUID } from "node:crypto";
import { codeMailHandler } from "../../../core/accounts/mail-code.ts";
import { jobCtx } from "../../../core/jobs/schedule.ts";
import type { Mailbox } from "../../../tools/mailbox/server.ts";
import { describeSmallEvent, makeEventId } from "../../support/events.ts";
import type { Call, House, Reply } from "../house.ts";

export type Answered = { operation: string; body: unknown; reply: Reply };

/** @param house has a payment simulator and this mailbox. */
export async function walkTheApi(house: House, mailbox: Mailbox): Promise<Answered[]> {
  const answered: Answered[] = [];
  /** `operation` as the document writes it; names in braces are filled in by `names`. */
  const call = async (operation: string, names: Record<string, string> = {}, more: Call = {}) => {
    const [method = "", pattern = ""] = operation.split(" ");
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name);
    const query = names["query"] ? `?${names["query"]}` : "";
    const reply = await house.request(method, path + query, more);
    answered.push({ operation, body: more.body, reply });
    return reply;
  };
  const owner = { authorization: `Bearer ${await house.organizerToken()}` };
  const as = (headers: Record<string, string>, body?: unknown): Call =>
    body === undefined ? { headers } : { headers, body };
  const event = makeEventId();
  const addons = [{ id: "scarf", name: "Scarf", price: 1_500, stock: 40, variants: ["red"] }];

  for (const path of ["/healthz", "/readyz", "/.well-known/jwks.json"]) await call(`GET ${path}`);
  await call("POST /v1/organizer/sessions", {}, { body: { key: house.keys.organizerKey } });
  await call(
    "PUT /v1/organizer/events/{event}",
    { event },
    as(owner, describeSmallEvent({ addons })),
  );
  await call(
    "PUT /v1/organizer/events/{event}",
    { event },
    as(owner, describeSmallEvent({ addons })),
  );
  await call("GET /v1/organizer/events/{event}", { event }, as(owner));
  await call("GET /v1/events");
  await call("GET /v1/events/{event}", { event });
  await call("GET /v1/events/{event}/seats", { event });
  const act = { seats: ["A-4-9"], reason: "a camera stands there" };
  await call("POST /v1/organizer/events/{event}/seats/block", { event }, as(owner, act));
  await call("POST /v1/organizer/events/{event}/seats/unblock", { event }, as(owner, act));
  const gift = { ...act, buyer: { email: "guest@example.com", name: "A guest" } };
  await call("POST /v1/organizer/events/{event}/complimentary", { event }, as(owner, gift));

  const fan = async (operation: string, names: Record<string, string>, body?: unknown) => {
    const [method = "", pattern = ""] = operation.split(" ");
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name);
    return call(operation, names, as(shopper.headers(method, path), body));
  };
  const shopper = await house.shopper(event);
  const wish = {
    seats: ["A-1-1", "A-1-2"],
    addons: [{ id: "scarf", variant: "red", quantity: 1 }],
  };
  const hold = await fan("POST /v1/events/{event}/holds", { event }, wish);
  await fan("POST /v1/events/{event}/holds", { event }, wish);
  await fan("POST /v1/events/{event}/holds", { event }, { best: { quantity: 1 } });
  const id = String(hold.body["id"]);
  await fan("GET /v1/holds/{id}", { id });
  await fan("POST /v1/holds/{id}/extend", { id });
  await fan("POST /v1/events/{event}/stream", { event });
  await fan("PUT /v1/events/{event}/presence", { event }, { section: "A" });
  const cart = { items: [{ id: "scarf", variant: "red", quantity: 1 }] };
  await fan("PUT /v1/carts/me", {}, cart);
  await fan("PATCH /v1/carts/me", {}, cart);
  await fan("GET /v1/carts/me", {});
  const buyer = { email: "fan@example.com", name: "Ayşe Işık", locale: "tr" };
  const made = await fan("POST /v1/orders", {}, { holdId: id, buyer });
  await fan("POST /v1/orders", {}, { holdId: id, buyer });

  const order = String(made.body["id"]);
  const token = { authorization: `Order ${made.body["orderToken"]}` };
  await call("GET /v1/orders/{id}", { id: order }, as(token));
  await call("PATCH /v1/orders/{id}/buyer", { id: order }, as(token, { name: "Ayşe I." }));
  const pageEvents = { events: [{ kind: "pressed" }] };
  await call("POST /v1/orders/{id}/page-events", { id: order }, as(token, pageEvents));
  for (const [method, key] of [
    ["pm_declined", "press-1"],
    ["pm_ok", "press-2"],
  ] as const)
    await call(
      "POST /v1/orders/{id}/attempts",
      { id: order },
      as({ ...token, "idempotency-key": key }, { method, origin: "press" }),
    );
  await call("GET /v1/orders/{id}", { id: order }, as(token));
  const tickets = await call("GET /v1/orders/{id}/tickets", { id: order }, as(token));
  const list = tickets.body["tickets"];
  const [ticket, second] = Array.isArray(list) ? list : [];
  await call("POST /v1/orders/{id}/mail", { id: order }, as(token));
  await call("GET /v1/orders/{id}/export", { id: order }, as(token));
  await call("POST /v1/orders/links", {}, { body: { email: "fan@example.com" } });
  for (const kind of ["", ".svg", ".pdf", ".ics"])
    await call(`GET /v1/tickets/{id}${kind}`, { id: ticket.id }, as(token));
  const scans = [{ id: randomUUID(), code: ticket.code }];
  await call(
    "POST /v1/organizer/events/{event}/checkins",
    { event },
    as(owner, { gate: "North", scans }),
  );
  const heir = { email: "friend@example.com", name: "A friend" };
  await call("POST /v1/tickets/{id}/transfer", { id: second.id }, as(token, heir));

  const other = await house.shopper(event);
  const spare = await other.call("POST", `/v1/events/${event}/holds`, {
    body: { zone: "floor", quantity: 1 },
  });
  const unpaid = await other.call("POST", "/v1/orders", {
    body: { holdId: spare.body["id"], buyer },
  });
  const spareToken = { authorization: `Order ${unpaid.body["orderToken"]}` };
  await call("POST /v1/orders/{id}/cancel", { id: String(unpaid.body["id"]) }, as(spareToken));
  await fan("DELETE /v1/holds/{id}", { id });
  const third = await house.shopper(event);
  const back = await third.call("POST", `/v1/events/${event}/holds`, {
    body: { zone: "floor", quantity: 1 },
  });
  const released = `/v1/holds/${back.body["id"]}`;
  const ending = as(third.headers("DELETE", released));
  await call("DELETE /v1/holds/{id}", { id: String(back.body["id"]) }, ending);

  await call("GET /v1/organizer/orders", { query: `event=${event}` }, as(owner));
  await call("GET /v1/organizer/orders/{id}", { id: order }, as(owner));
  await call("GET /v1/organizer/events/{event}/void-list", { event }, as(owner));
  await call(
    "POST /v1/organizer/orders/{id}/refunds",
    { id: order },
    as({ ...owner, "idempotency-key": "refund-1" }, { amount: 500, reason: "a broken seat" }),
  );
  await call("GET /v1/organizer/audit", { query: `event=${event}` }, as(owner));
  await call("GET /v1/organizer/idempotency/shadow", {}, as(owner));
  await call("POST /v1/organizer/reconciliations", {}, as(owner, { day: "2026-11-30" }));
  await call("GET /v1/organizer/reconciliations", {}, as(owner));
  const attempts = answered.findLast(({ operation }) => operation.endsWith("/attempts"));
  const charges = [String(attempts?.reply.body["id"])];
  const incident = await call(
    "POST /v1/organizer/incidents",
    {},
    as({ ...owner, "idempotency-key": "incident-1" }, { charges, reason: "charged twice" }),
  );
  await call("GET /v1/organizer/incidents/{id}", { id: String(incident.body["id"]) }, as(owner));
  await call("GET /v1/organizer/payments/causes", {}, as(owner));
  const key = await call(
    "POST /v1/organizer/keys",
    {},
    as(owner, { name: "The door", role: "operator", events: [event] }),
  );
  await call("GET /v1/organizer/keys", {}, as(owner));
  await call("DELETE /v1/organizer/keys/{id}", { id: String(key.body["id"]) }, as(owner));
  const hook = await call(
    "POST /v1/organizer/events/{event}/webhooks",
    { event },
    as(owner, { url: "http://127.0.0.1:9/hook", kinds: ["order.paid"] }),
  );
  await call("GET /v1/organizer/events/{event}/webhooks", { event }, as(owner));
  await call("GET /v1/organizer/events/{event}/webhooks/deliveries", { event }, as(owner));
  await call(
    "DELETE /v1/organizer/events/{event}/webhooks/{id}",
    { event, id: String(hook.body["id"]) },
    as(owner),
  );

  await walkTheSale({ call, as, owner, event, order });

  const email = "member@example.com";
  await call("POST /v1/accounts", {}, { body: { email } });
  const cookie = await signIn(house, mailbox, email, (body) =>
    call("POST /v1/accounts/verify", {}, { body }),
  );
  await call("POST /v1/events/{event}/registrations", { event }, as({ cookie }));
  await call("POST /v1/events/{event}/registrations", { event }, as({ cookie }));
  await call("GET /v1/accounts/me", {}, as({ cookie }));
  await call("GET /v1/accounts/me/export", {}, as({ cookie }));
  await call("DELETE /v1/accounts/session", {}, as({ cookie }));

  const gate = { authorization: `Bearer ${await house.serviceToken()}` };
  const place = shopper.place;
  const near = { email: "fan@example.com", locale: "tr", number: 12 };
  await call("POST /v1/admissions/{event}/{place}/nearly", { event, place }, as(gate, near));
  await call("POST /v1/admissions/{event}/{place}/close", { event, place }, as(gate, { gen: 0 }));
  const notBefore = { notBefore: new Date().toISOString(), reason: "the room was reset" };
  await call("POST /v1/admissions/{event}/not-before", { event }, as(gate, notBefore));
  await call("GET /v1/holds/{id}", { id });
  await call("GET /v1/events/{event}", { event: "nothing-here" });
  return answered;
}

type Walk = {
  call: (operation: string, names?: Record<string, string>, more?: Call) => Promise<Reply>;
  as: (headers: Record<string, string>, body?: unknown) => Call;
  owner: Record<string, string>;
  event: string;
  order: string;
};

/** What the console asks and does of the sale as a whole. */
async function walkTheSale({ call, as, owner, event, order }: Walk): Promise<void> {
  const at = "/v1/organizer/events/{event}";
  await call("GET /v1/organizer/events", {}, as(owner));
  await call("GET /v1/organizer/oidc");
  for (const what of ["figures", "history", "acts", "rehearsals"])
    await call(`GET ${at}/${what}`, { event }, as(owner));
  await call(`GET ${at}/exports/{what}`, { event, what: "orders.csv" }, as(owner));
  await call("GET /v1/organizer/orders/{id}/history", { id: order }, as(owner));
  const reason = "a walk";
  await call("POST /v1/organizer/orders/{id}/mail", { id: order }, as(owner, { reason }));
  const keyed = { ...owner, "idempotency-key": "walk-1" };
  const startsAt = "2031-07-01T17:00:00Z";
  await call(`POST ${at}/postpone`, { event }, as(keyed, { startsAt, reason }));
  const other = makeEventId();
  await call("PUT /v1/organizer/events/{event}", { event: other }, as(owner, describeSmallEvent()));
  await call(`POST ${at}/cancel`, { event: other }, as({ ...keyed }, { reason }));
}

/** The code goes the way it always goes: outbox, mail. */
async function signIn(
  house: House,
  mailbox: Mailbox,
  email: string,
  verify: (body: object) => Promise<Reply>,
): Promise<string> {
  const rows = await house.deps.db.write<{ id: string; payload: Record<string, unknown> }>(
    "delete from outbox where kind = 'account.code' returning id, payload",
  );
  const ctx = jobCtx(house.deps, "code-mail", "req_test");
  for (const row of rows) await codeMailHandler.handle(ctx, { ...row, kind: "account.code" });
  const mail = mailbox.mails().findLast(({ to }) => to.includes(email));
  const [, code = ""] = /(\d{4} \d{4})/.exec(mail?.parts[0]?.content.toString() ?? "") ?? [];
  const reply = await verify({ email, code });
  return (reply.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}
