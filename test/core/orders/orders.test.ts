import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../shared/ids.ts";
import { startTestCore, type TestCore } from "../payments/harness.ts";
import {
  asBuyer,
  endHoldTime,
  holdSeats,
  newBuyer,
  openSale,
  pay,
  readOrder,
  type Sale,
  seat,
  unique,
  until,
} from "../payments/sale.ts";

let core: TestCore;
let sale: Sale;
beforeAll(async () => {
  core = await startTestCore();
  sale = await openSale(core);
});
afterAll(() => core.stop());

let nextSeat = 0;
const freshSeat = () => {
  nextSeat += 1;
  return seat(nextSeat);
};
const post = (holdId: string, place: string, more: Record<string, unknown> = {}) =>
  core.call("POST", "/v1/orders", {
    body: { holdId, buyer: { email: "fan@example.com", name: "Fan" }, ...more },
    headers: { "x-test-place": place, "x-test-event": sale.event },
  });
const eventsOf = async (order: string) =>
  (
    await core.db.read<{ kind: string }>(
      "select kind from outbox where order_id = $1 order by seq",
      [order],
    )
  ).map((row) => row.kind);

describe("an order", () => {
  it("is made once per hold, also by parallel requests, and priced by it", async () => {
    const place = unique("plc");
    const hold = await holdSeats(core, sale, { place }, [freshSeat(), freshSeat()]);
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(hold, place)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body["id"])).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({
      state: "pending",
      hold,
      event: sale.event,
      total: { amount: 24_690, currency: "TRY" },
      attempts: [],
    });
    expect(answers[0]?.body["orderToken"]).toBeTypeOf("string");
  });

  it("lists seats and tickets as a person reads them, by number and not by letter", async () => {
    const sale = await openSale(core, { price: 0 });
    const buyer = await newBuyer(core, sale, [seat(20), seat(4), seat(8), seat(11)]);
    const inOrder = [seat(4), seat(8), seat(11), seat(20)];
    const order = await readOrder(core, buyer);
    expect((order.lines ?? []).map(({ id }) => id)).toEqual(inOrder);
    expect((order.tickets ?? []).map((ticket) => ticket.seat)).toEqual(inOrder);
  });

  it("cannot be made of a stranger's, an ended or an invented hold, or with unknown fields", async () => {
    const place = unique("plc");
    const hold = await holdSeats(core, sale, { place }, [freshSeat()]);
    expect((await post(hold, unique("plc"))).status).toBe(404);
    expect((await post(newId("hold"), place)).status).toBe(404);
    const unknown = await post(hold, place, { total: 1 });
    expect(unknown.body).toMatchObject({ status: 422, code: "invalid_request" });
    await endHoldTime(core, hold);
    expect((await post(hold, place)).body["code"]).toBe("hold_expired");
    const released = await holdSeats(core, sale, { place }, [freshSeat()]);
    await core.db.call("release_hold", [sale.event, released, place]);
    expect((await post(released, place)).body["code"]).toBe("hold_not_live");
  });

  it("is reached by its own token alone", async () => {
    const [mine, other] = [
      await newBuyer(core, sale, [freshSeat()]),
      await newBuyer(core, sale, [freshSeat()]),
    ];
    const get = (authorization?: string) =>
      core.call("GET", `/v1/orders/${mine.order}`, {
        headers: authorization === undefined ? {} : { authorization },
      });
    expect((await get(`Order ${mine.token}`)).status).toBe(200);
    expect((await get(`Order ${other.token}`)).status).toBe(404);
    const [header, payload, signature] = mine.token.split(".");
    for (const wrong of [
      undefined,
      `Bearer ${mine.token}`,
      "Order nonsense",
      `Order ${header}.${payload}.${(signature ?? "").split("").reverse().join("")}`,
      `Order ${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`,
    ]) {
      const answer = await get(wrong);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).not.toBeNull();
    }
  });

  it("of nothing to pay that a crash cut short is paid by the repeat", async () => {
    const free = await openSale(core, { price: 0 });
    const place = unique("plc");
    const hold = await holdSeats(core, free, { place }, [seat(1)]);
    const args = [free.event, hold, place, "jti", "fan@example.com", "Fan", null, false];
    await core.db.call("create_order", [newId("ord"), newId("pi"), ...args]);
    const again = await core.call("POST", "/v1/orders", {
      body: { holdId: hold, buyer: { email: "fan@example.com", name: "Fan" } },
      headers: { "x-test-place": place, "x-test-event": free.event },
    });
    expect([again.status, again.body["state"]]).toEqual([200, "paid"]);
    expect(again.body["tickets"]).toHaveLength(1);
  });

  it("refuses a name of more than one line, which would stand in the head of a mail", async () => {
    for (const name of ["Fan\r\nBcc: else@example.com", "Fan\u0085", "Fan\u007f"]) {
      const refused = await post("hold_any", unique("plc"), {
        buyer: { email: "fan@example.com", name },
      });
      expect([refused.status, refused.body.code]).toEqual([422, "invalid_request"]);
    }
  });

  it("of nothing to pay is paid by being made", async () => {
    const free = await openSale(core, { price: 0 });
    const buyer = await newBuyer(core, free, [seat(1)]);
    const order = await readOrder(core, buyer);
    expect(order["state"]).toBe("paid");
    expect(order["tickets"]).toHaveLength(1);
  });

  it("lets its buyer be corrected, and nothing else", async () => {
    const buyer = await newBuyer(core, sale, [freshSeat()]);
    const patch = (body: unknown) =>
      core.call("PATCH", `/v1/orders/${buyer.order}/buyer`, { body, headers: asBuyer(buyer) });
    expect((await patch({ email: "right@example.com" })).status).toBe(200);
    expect(
      await core.db.read("select buyer_email from orders where id = $1", [buyer.order]),
    ).toEqual([{ buyer_email: "right@example.com" }]);
    for (const wrong of [{}, { email: "no" }, { state: "paid" }]) {
      expect((await patch(wrong)).status).toBe(422);
    }
  });

  it("expires when its hold has, and says so once", async () => {
    const buyer = await newBuyer(core, sale, [freshSeat()]);
    await endHoldTime(core, buyer.hold);
    await core.runJobs();
    await core.runJobs();
    expect((await readOrder(core, buyer))["state"]).toBe("expired");
    expect((await pay(core, buyer, "pm_ok")).body["code"]).toBe("order_not_payable");
    expect(await eventsOf(buyer.order)).toEqual(["order.expired"]);
    // Whoever lets the time run out has given up: the gate gets the slot back, and the admission ends.
    const [told] = await core.db.read<{ jti: string; closed: boolean }>(
      `select o.payload ->> 'jti' as jti, a.closed_at is not null as closed
       from outbox o join admissions a on a.place = o.payload ->> 'place'
       where o.order_id = $1`,
      [buyer.order],
    );
    expect(told).toEqual({ jti: `jti-${buyer.place}`, closed: true });
  });

  it("says each thing that it caused in one outbox row, and ends the admission when it is paid", async () => {
    const buyer = await newBuyer(core, sale, [freshSeat()]);
    await pay(core, buyer, "pm_ok");
    expect(await eventsOf(buyer.order)).toEqual(["order.paying", "order.paid"]);
    const [admission] = await core.db.read<{ closed: boolean }>(
      "select closed_at is not null as closed from admissions where place = $1",
      [buyer.place],
    );
    expect(admission).toEqual({ closed: true });
    const [row] = await core.db.read<{ payload: { jti: string } }>(
      "select payload from outbox where order_id = $1 and kind = 'order.paid'",
      [buyer.order],
    );
    expect(row?.payload.jti).toBe(`jti-${buyer.place}`);
  });
});

describe("cancelling", () => {
  const cancel = (buyer: Parameters<typeof asBuyer>[0] & { order: string }) =>
    core.call("POST", `/v1/orders/${buyer.order}/cancel`, { headers: asBuyer(buyer) });

  it("frees the seats at once, and again is the same", async () => {
    const wanted = freshSeat();
    const buyer = await newBuyer(core, sale, [wanted]);
    expect((await cancel(buyer)).body["state"]).toBe("cancelled");
    expect((await cancel(buyer)).status).toBe(200);
    await newBuyer(core, sale, [wanted]);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(409);
  });

  it("with an attempt in flight first cancels that at the provider", async () => {
    const buyer = await newBuyer(core, sale, [freshSeat()]);
    await pay(core, buyer, "pm_error");
    expect((await cancel(buyer)).body["state"]).toBe("cancelled");
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ state: "cancelled" }]);
  });

  it("after the money moved is refused, and the order is paid", async () => {
    const buyer = await newBuyer(core, sale, [freshSeat()]);
    await pay(core, buyer, "pm_lost");
    expect((await cancel(buyer)).body["code"]).toBe("order_not_cancellable");
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
    expect((await cancel(buyer)).body["code"]).toBe("order_not_cancellable");
  });

  it("while the provider does not know is told to wait", async () => {
    const buyer = await newBuyer(core, sale, [freshSeat()]);
    await pay(core, buyer, "pm_lagging");
    const answer = await cancel(buyer);
    expect(answer.body["code"]).toBe("attempt_in_flight");
    expect(answer.headers.get("retry-after")).not.toBeNull();
    await until(
      core,
      () => readOrder(core, buyer),
      (order) => order["state"] === "paid",
    );
  });
});
