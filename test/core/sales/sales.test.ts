// What an organizer sees and does of a whole sale, against the tables themselves.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csvOf } from "../../../core/sales/exports.ts";
import type { EventAct, OrderHistory, SaleFigures } from "../../../shared/contract/sales.ts";
import { describeSmallEvent } from "../../support/events.ts";
import { type House, openHouse, type Reply } from "../house.ts";
import { makeEvent, sellSeats } from "../sold.ts";

let house: House;
let token: string;
beforeAll(async () => {
  house = await openHouse();
  token = await house.organizerToken();
});
afterAll(() => house.close());

const ask = (
  method: string,
  path: string,
  more: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> =>
  house.request(method, `/v1/organizer${path}`, {
    headers: { authorization: `Bearer ${token}`, ...more.headers },
    ...(more.body === undefined ? {} : { body: more.body }),
  });
const sql = <Row>(text: string, args: string[] = []) => house.deps.db.read<Row>(text, args);

describe("the figures of a sale", () => {
  test("are what SQL counts", async () => {
    const event = await makeEvent(house);
    await sellSeats(house, { event, seats: 3 });
    await sellSeats(house, { event, seats: 2 });
    await house.deps.db.call("block_seats", [event, ["A-1-20"], true, "test", "pillar", "req"]);
    const shopper = await house.shopper(event);
    const held = await shopper.call("POST", `/v1/events/${event}/holds`, {
      body: { zone: "floor", quantity: 2 },
    });
    expect(held.status).toBe(201);
    const reply = await ask("GET", `/events/${event}/figures`);
    const figures = reply.body as SaleFigures;
    const [seats] = await sql<Record<string, number>>(
      `select count(*) filter (where status = 'available') as available,
         count(*) filter (where status = 'held') as held,
         count(*) filter (where status = 'sold') as sold,
         count(*) filter (where status = 'blocked') as blocked
       from seats where event_id = $1`,
      [event],
    );
    const zone = (id: string) => figures.zones.find((each) => each.id === id);
    expect(zone("stalls")).toMatchObject({ ...seats });
    expect(zone("floor")).toMatchObject({ held: 2, sold: 0, available: 98 });
    expect(figures.holds).toEqual({ live: 1, units: 2, paying: 0 });
    expect(figures.orders).toEqual({ paid: 2 });
    expect(figures.tickets).toEqual({ valid: 5 });
    expect(figures.health.redis).toEqual({ locks: true, cache: true });
    const history = await ask("GET", `/events/${event}/history`);
    const minutes = history.body["minutes"] as { orders: number }[];
    expect(minutes.reduce((sum, { orders }) => sum + orders, 0)).toBe(2);
  });

  test("of an event that is not there are not there either", async () => {
    expect((await ask("GET", "/events/nowhere/figures")).body["code"]).toBe("unknown_event");
  });
});

describe("an order", () => {
  test("is found by name, address, seat and id", async () => {
    const event = await makeEvent(house);
    const { order, tickets } = await sellSeats(house, { event, email: "deniz@example.com" });
    await sellSeats(house, { event, email: "other@example.com" });
    const found = async (q: string) => {
      const query = new URLSearchParams({ event, q });
      const { body } = await ask("GET", `/orders?${query}`);
      return (body["orders"] as { id: string }[]).map(({ id }) => id);
    };
    expect(await found("DENIZ@")).toEqual([order]);
    expect(await found("Işık")).toHaveLength(2);
    expect(await found("A-1-1")).toEqual([order]);
    expect(await found(order)).toEqual([order]);
    expect(await found(tickets[0] ?? "")).toEqual([order]);
    expect(await found("100%")).toEqual([]);
  });

  test("tells its whole history, with who had its tickets sent again and why", async () => {
    const { order } = await sellSeats(house);
    const sent = await ask("POST", `/orders/${order}/mail`, { body: { reason: "lost her phone" } });
    expect(sent.status).toBe(202);
    const { body } = await ask("GET", `/orders/${order}/history`);
    const entries = body["entries"] as OrderHistory["entries"];
    expect(entries.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      "order created",
      "order paid",
      "audit order.mail",
    ]);
    expect(entries.at(-1)?.details["reason"]).toBe("lost her phone");
  });
});

describe("an event", () => {
  const put = (event: string, headers: Record<string, string>, name = "A small event") =>
    ask("PUT", `/events/${event}`, { body: describeSmallEvent({ name }), headers });

  test("is not written over by somebody who has not seen the last change", async () => {
    expect((await put("version", {})).status).toBe(201);
    const seen = (await ask("GET", "/events/version")).headers.get("etag") ?? "";
    expect((await put("version", { "if-match": seen }, "Mine")).status).toBe(200);
    const late = await put("version", { "if-match": seen }, "Theirs");
    expect([late.status, late.body["code"]]).toEqual([412, "version_conflict"]);
    expect((await ask("GET", "/events/version")).body["name"]).toBe("Mine");
  });

  test("that is called off voids its tickets and sells nothing more, once", async () => {
    const event = await makeEvent(house);
    const { order } = await sellSeats(house, { event });
    const off = (key: string) =>
      ask("POST", `/events/${event}/cancel`, {
        body: { reason: "storm" },
        headers: { "idempotency-key": key },
      });
    const [one, two] = await Promise.all([off("a"), off("b")]);
    expect([one.status, two.status]).toEqual([202, 202]);
    expect(one.body["id"]).toBe(two.body["id"]);
    while ((await house.deps.db.call<{ order: string | null }>("advance_incident", [])).order);
    const states = await sql("select state from tickets where order_id = $1", [order]);
    expect(states).toEqual([{ state: "void" }]);
    const told = await sql("select kind from outbox where order_id = $1 and kind like 'event.%'", [
      order,
    ]);
    expect(told).toEqual([{ kind: "event.cancelled" }]);
    const acts = (await ask("GET", `/events/${event}/acts`)).body["acts"] as EventAct[];
    expect(acts).toMatchObject([{ kind: "cancelled", orders: 1, done: 1, reason: "storm" }]);
    const shopper = await house.shopper(event);
    const late = await shopper.call("POST", `/v1/events/${event}/holds`, {
      body: { zone: "floor", quantity: 1 },
    });
    expect(late.body["code"]).toBe("sale_closed");
  });

  test("that is moved keeps its tickets and tells every buyer the new time", async () => {
    const event = await makeEvent(house);
    const { order } = await sellSeats(house, { event });
    const moved = await ask("POST", `/events/${event}/postpone`, {
      body: { startsAt: "2031-05-01T18:00:00Z", reason: "the singer is ill" },
      headers: { "idempotency-key": "k" },
    });
    expect(moved.status).toBe(202);
    while ((await house.deps.db.call<{ order: string | null }>("advance_incident", [])).order);
    expect(await sql("select state from tickets where order_id = $1", [order])).toEqual([
      { state: "valid" },
    ]);
    const told = await sql("select kind from outbox where order_id = $1 and kind like 'event.%'", [
      order,
    ]);
    expect(told).toEqual([{ kind: "event.postponed" }]);
    const [row] = await sql<{ at: string }>(
      "select iso_time(starts_at) as at from events where event_id = $1",
      [event],
    );
    expect(row?.at).toMatch(/^2031-05-01T18:00:00/);
  });
});

describe("an export", () => {
  test("has a line for each row, and no cell that a spreadsheet would run", async () => {
    const event = await makeEvent(house);
    const { order } = await sellSeats(house, { event, seats: 2, email: "=cmd@example.com" });
    const orders = await ask("GET", `/events/${event}/exports/orders.csv`);
    expect(orders.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(orders.text.split("\r\n")[1]).toContain(`${order},paid,`);
    expect(orders.text).toContain("'=cmd@example.com");
    const tickets = await ask("GET", `/events/${event}/exports/tickets.csv`);
    expect(tickets.text.trim().split("\r\n")).toHaveLength(3);
    const refunds = await ask("GET", `/events/${event}/exports/refunds.csv`);
    expect(refunds.text).toBe(
      "refund,order,attempt,state,created,ended,amount_minor,currency,tickets,reason,by,failure\r\n",
    );
    expect((await ask("GET", `/events/${event}/exports/secrets.csv`)).status).toBe(404);
  });

  test("quotes what needs quotes", () => {
    expect(csvOf(["a", "b"], [{ a: 'say "hi", you', b: -3 }])).toBe(
      'a,b\r\n"say ""hi"", you",-3\r\n',
    );
  });
});

describe("a difference of the books", () => {
  test("is laid aside with a reason, once, and stays in the log", async () => {
    await house.deps.db.write(
      "insert into reconciliation_runs (id, provider, day) values ('rec_t', 'simulator', '2027-01-01')",
    );
    await house.deps.db.write(
      `insert into discrepancies (id, run_id, provider, day, class, reference, state)
       values ('dis_t', 'rec_t', 'simulator', '2027-01-01', 'amount_differs', 'ch_1', 'queued')`,
    );
    const body = { do: "dismiss", reason: "settled by phone" };
    const done = await ask("POST", "/discrepancies/dis_t", { body });
    expect(done.body).toMatchObject({ state: "dismissed" });
    expect((await ask("POST", "/discrepancies/dis_t", { body })).body["state"]).toBe("dismissed");
    const lines = await sql("select 1 from audit_log where action = 'reconciliation.dismiss'");
    expect(lines).toHaveLength(1);
  });
});
