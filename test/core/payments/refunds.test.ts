import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refundOrder } from "../../../core/payments/refunds.ts";
import type { RefundRequest } from "../../../shared/contract/orders.ts";
import { Refusal } from "../../../shared/errors.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import {
  type Buyer,
  FLOOR_PRICE,
  holdFloor,
  newBuyer,
  openSale,
  orderFor,
  pay,
  readOrder,
  type Sale,
  SEAT_PRICE,
  seat,
  unique,
  untilQuiet,
} from "./sale.ts";

let core: TestCore;
let sale: Sale;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());

async function paidBuyer(seats: number): Promise<Buyer> {
  sale = await openSale(core);
  const wanted = Array.from({ length: seats }, (_, i) => seat(i + 1));
  const buyer = await newBuyer(core, sale, wanted);
  expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
  return buyer;
}

const refund = (buyer: Buyer, request: Omit<RefundRequest, "reason">, key = unique("refund")) =>
  refundOrder(core.ctx, { order: buyer.order, key, request: { reason: "asked for", ...request } });

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

const returned = async (buyer: Buyer) =>
  (await core.chargesOf(buyer.order)).reduce((sum, charge) => sum + charge.refunded, 0);

const ticketsOf = async (buyer: Buyer) => [...((await readOrder(core, buyer))["tickets"] ?? [])];

describe("a refund", () => {
  it("of everything returns the money, voids the tickets and frees the seats", async () => {
    const buyer = await paidBuyer(2);
    const made = await refund(buyer, {});
    expect(made).toMatchObject({ state: "succeeded", amount: { amount: 2 * SEAT_PRICE } });
    expect((await readOrder(core, buyer))["state"]).toBe("refunded");
    expect((await ticketsOf(buyer)).map((ticket) => ticket["state"])).toEqual(["void", "void"]);
    expect(await returned(buyer)).toBe(2 * SEAT_PRICE);
    const counters = await core.db.read(
      "select held, sold from purchase_counters where event_id = $1 and account = $2",
      [sale.event, buyer.place],
    );
    expect(counters).toEqual([{ held: 0, sold: 0 }]);
  });

  it("lets its seat be sold and refunded again", async () => {
    const first = await paidBuyer(1);
    await refund(first, {});
    const second = await newBuyer(core, sale, [seat(1)]);
    expect((await pay(core, second, "pm_ok")).status).toBe(201);
    expect((await ticketsOf(second)).map((ticket) => ticket["state"])).toEqual(["valid"]);
    expect((await ticketsOf(first)).map((ticket) => ticket["state"])).toEqual(["void"]);
    await refund(second, {});
    await newBuyer(core, sale, [seat(1)]);
  });

  it("of one ticket returns its price and leaves the other", async () => {
    const buyer = await paidBuyer(2);
    const [one, other] = await ticketsOf(buyer);
    const tickets = [String(one?.["id"])];
    expect((await refund(buyer, { tickets })).amount.amount).toBe(SEAT_PRICE);
    expect((await readOrder(core, buyer))["state"]).toBe("part_refunded");
    const left = await ticketsOf(buyer);
    expect(left.find((ticket) => ticket["id"] === other?.["id"])?.["state"]).toBe("valid");
    expect(await codeOf(refund(buyer, { tickets }))).toBe("refund_not_possible");
    await refund(buyer, { tickets: [String(other?.["id"])] });
    expect((await readOrder(core, buyer))["state"]).toBe("refunded");
  });

  it("of standing tickets gives the places back one by one", async () => {
    const standing = await openSale(core, { capacity: 3 });
    const place = unique("plc");
    const buyer = await orderFor(core, standing, await holdFloor(core, standing, { place }, 3), {
      place,
    });
    await pay(core, buyer, "pm_ok");
    const [one] = await ticketsOf(buyer);
    expect((await refund(buyer, { tickets: [String(one?.["id"])] })).amount.amount).toBe(
      FLOOR_PRICE,
    );
    const [zone] = await core.db.read(
      "select held, sold from zones where event_id = $1 and zone_id = 'floor'",
      [standing.event],
    );
    expect(zone).toEqual({ held: 0, sold: 2 });
  });

  it("of money only leaves the tickets valid", async () => {
    const buyer = await paidBuyer(1);
    await refund(buyer, { amount: 100 });
    expect((await readOrder(core, buyer))["state"]).toBe("part_refunded");
    expect((await ticketsOf(buyer)).map((ticket) => ticket["state"])).toEqual(["valid"]);
    expect(await returned(buyer)).toBe(100);
  });

  it("of money only is never all of it while a ticket is valid, in one or in several", async () => {
    const buyer = await paidBuyer(2);
    const whole = 2 * SEAT_PRICE;
    expect(await codeOf(refund(buyer, { tickets: [] }))).toBe("refund_not_possible");
    expect(await codeOf(refund(buyer, { amount: whole, tickets: [] }))).toBe("refund_not_possible");
    const codes = await Promise.all(
      [1, 2].map(() => codeOf(refund(buyer, { amount: SEAT_PRICE, tickets: [] }))),
    );
    expect(codes.toSorted()).toEqual(["none", "refund_not_possible"]);
    const [one, two] = (await ticketsOf(buyer)).map((ticket) => String(ticket["id"]));
    expect(await codeOf(refund(buyer, { tickets: [String(one)] }))).toBe("refund_not_possible");
    await refund(buyer, { amount: SEAT_PRICE, tickets: [String(one), String(two)] });
    expect((await readOrder(core, buyer))["state"]).toBe("refunded");
    expect((await ticketsOf(buyer)).map((ticket) => ticket["state"])).toEqual(["void", "void"]);
    expect(await returned(buyer)).toBe(whole);
  });

  it("of an amount takes the tickets along with the last of the money, and none before", async () => {
    const buyer = await paidBuyer(2);
    const states = async () => (await ticketsOf(buyer)).map((ticket) => ticket["state"]);
    await refund(buyer, { amount: SEAT_PRICE });
    expect(await states()).toEqual(["valid", "valid"]);
    const codes = await Promise.all(
      [1, 2].map(() => codeOf(refund(buyer, { amount: SEAT_PRICE }))),
    );
    expect(codes.toSorted()).toEqual(["none", "refund_exceeds_captured"]);
    expect(await states()).toEqual(["void", "void"]);
    expect((await readOrder(core, buyer))["state"]).toBe("refunded");
  });

  it("above what was paid is refused, also when many come at once", async () => {
    const buyer = await paidBuyer(1);
    expect(await codeOf(refund(buyer, { amount: SEAT_PRICE + 1 }))).toBe("refund_exceeds_captured");
    const amount = Math.floor(SEAT_PRICE / 3);
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(refund(buyer, { amount }))),
    );
    expect(codes.filter((code) => code === "none")).toHaveLength(3);
    expect(codes.filter((code) => code === "refund_exceeds_captured")).toHaveLength(5);
    expect(await returned(buyer)).toBe(3 * amount);
  });

  it("pressed twice with one key is one refund; another body under it is refused", async () => {
    const buyer = await paidBuyer(1);
    const key = unique("refund");
    const made = await Promise.all([1, 2, 3].map(() => refund(buyer, { amount: 10 }, key)));
    expect(new Set(made.map((one) => one.id)).size).toBe(1);
    expect(await returned(buyer)).toBe(10);
    expect(await codeOf(refund(buyer, { amount: 11 }, key))).toBe("idempotency_key_reused");
  });

  it("whose answer is lost counts for the sum, is inquired about, and happens once", async () => {
    const buyer = await paidBuyer(1);
    await core.control({ nextDrop: true, webhooks: "off" });
    const made = await refund(buyer, {});
    expect(made.state).toBe("unknown");
    expect((await ticketsOf(buyer)).map((ticket) => ticket["state"])).toEqual(["valid"]);
    expect(await codeOf(refund(buyer, { amount: 1 }))).toBe("refund_exceeds_captured");
    await untilQuiet(core, buyer);
    expect((await readOrder(core, buyer))["state"]).toBe("refunded");
    expect(await returned(buyer)).toBe(SEAT_PRICE);
    await core.control({ webhooks: "on" });
  });

  it("of an order that nobody paid is not possible", async () => {
    const unpaid = await newBuyer(core, await openSale(core), [seat(1)]);
    expect(await codeOf(refund(unpaid, {}))).toBe("refund_not_possible");
    expect(await codeOf(refund({ ...unpaid, order: "ord_none" }, {}))).toBe("not_found");
  });
});
