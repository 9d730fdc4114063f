// Every way in which the provider can behave, through the real core, database and simulator.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCore, type TestCore } from "./harness.ts";
import {
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
  until,
  untilQuiet,
} from "./sale.ts";

let core: TestCore;
let sale: Sale;
beforeAll(async () => {
  core = await startTestCore();
  sale = await openSale(core, { perAccountMax: 50 });
});
afterAll(() => core.stop());

let nextSeat = 0;
const buyerOfOne = async () => {
  // A row has 20 seats; a new sale for each twenty buyers.
  if (nextSeat === 20) {
    sale = await openSale(core);
    nextSeat = 0;
  }
  nextSeat += 1;
  return newBuyer(core, sale, [seat(nextSeat)]);
};

describe("a payment", () => {
  it("that is accepted pays the order once, with tickets, for exactly its total", async () => {
    const buyer = await buyerOfOne();
    const answer = await pay(core, buyer, "pm_ok");
    expect(answer.status).toBe(201);
    expect(answer.body["state"]).toBe("succeeded");
    const order = await readOrder(core, buyer);
    expect(order["state"]).toBe("paid");
    expect(order["tickets"]).toHaveLength(1);
    expect(await core.chargesOf(buyer.order)).toMatchObject([
      { amount: SEAT_PRICE, currency: "TRY", state: "succeeded", calls: { create: 1, confirm: 1 } },
    ]);
  });

  it("that is declined says why, and leaves the hold for another card", async () => {
    const buyer = await buyerOfOne();
    const answer = await pay(core, buyer, "pm_declined");
    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({ code: "payment_failed", reason: "card_declined" });
    expect((await readOrder(core, buyer))["state"]).toBe("pending");
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    const charges = await core.chargesOf(buyer.order);
    expect(charges.map((one) => one.state).sort()).toEqual(["failed", "succeeded"]);
  });

  it.each(["pm_slow", "pm_lost"])(
    "%s: charged without an answer is unknown, and found by inquiry after one confirm",
    async (method) => {
      const buyer = await buyerOfOne();
      // On a busy machine the webhook would come before the first inquiry.
      await core.control({ webhooks: "off" });
      const answer = await pay(core, buyer, method);
      expect(answer.status).toBe(202);
      expect(answer.body["state"]).toBe("unknown");
      await until(
        core,
        () => readOrder(core, buyer),
        (order) => order["state"] === "paid",
      );
      const [charge, ...more] = await core.chargesOf(buyer.order);
      expect(more).toEqual([]);
      expect(charge).toMatchObject({ state: "succeeded", refunded: 0, calls: { confirm: 1 } });
      expect(charge?.calls.inquire).toBeGreaterThan(0);
      await core.control({ webhooks: "on" });
    },
  );

  it("pm_error: not charged and without an answer is fenced, and the next card pays", async () => {
    const buyer = await buyerOfOne();
    expect((await pay(core, buyer, "pm_error")).status).toBe(202);
    expect((await pay(core, buyer, "pm_ok")).body["code"]).toBe("attempt_in_flight");
    await untilQuiet(core, buyer);
    expect((await readOrder(core, buyer))["state"]).toBe("pending");
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    const charges = await core.chargesOf(buyer.order);
    expect(charges.map((one) => one.state).sort()).toEqual(["cancelled", "succeeded"]);
    expect(charges.every((one) => one.calls.confirm === 1)).toBe(true);
  });

  it("pm_late: charged long after the confirm is paid, or fenced before; never two", async () => {
    const buyer = await buyerOfOne();
    expect((await pay(core, buyer, "pm_late")).status).toBe(202);
    await untilQuiet(core, buyer);
    // Who is first, the fence or the money, is up to the clock; the fan can pay in either case.
    const fenced = (await readOrder(core, buyer))["state"] === "pending";
    if (fenced) expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
    const charges = await core.chargesOf(buyer.order);
    const states = charges.map((one) => one.state).sort();
    expect(states).toEqual(fenced ? ["cancelled", "succeeded"] : ["succeeded"]);
    expect(charges.every((one) => one.calls.confirm === 1)).toBe(true);
  });

  it("that inquiries cannot see for a while stays unknown until they can", async () => {
    const buyer = await buyerOfOne();
    expect((await pay(core, buyer, "pm_lagging")).status).toBe(202);
    const order = await untilQuiet(core, buyer);
    expect(order["state"]).toBe("paid");
    const [charge, ...more] = await core.chargesOf(buyer.order);
    expect(more).toEqual([]);
    expect(charge).toMatchObject({ state: "succeeded", calls: { confirm: 1 } });
  });

  it.each(["pm_dup_webhook", "pm_late_webhook"])(
    "%s: webhooks beside the answer change nothing",
    async (method) => {
      const buyer = await buyerOfOne();
      expect((await pay(core, buyer, method)).status).toBe(201);
      await until(
        core,
        () =>
          core.db.read(
            `select 1 from webhook_events e join payment_attempts a on a.provider_ref = e.provider_ref
              where a.order_id = $1`,
            [buyer.order],
          ),
        (seen) => seen.length > 0,
      );
      const order = await untilQuiet(core, buyer);
      expect(order["tickets"]).toHaveLength(1);
      expect(order["refunds"]).toBeUndefined();
    },
  );

  it("pm_only_webhook: the webhook alone pays the order", async () => {
    const buyer = await buyerOfOne();
    const answer = pay(core, buyer, "pm_only_webhook");
    await until(
      core,
      () => readOrder(core, buyer),
      (order) => order["state"] === "paid",
    );
    expect((await answer).status).toBe(201);
    expect(await core.chargesOf(buyer.order)).toMatchObject([
      { state: "succeeded", calls: { confirm: 1 } },
    ]);
  });

  it("pm_wrong_amount: is recorded as charged, never confirmed, and waits for a person", async () => {
    const buyer = await buyerOfOne();
    const answer = await pay(core, buyer, "pm_wrong_amount");
    expect(answer.status).toBe(202);
    await core.runJobs();
    expect((await readOrder(core, buyer))["state"]).toBe("pending");
    expect((await readOrder(core, buyer))["tickets"]).toBeUndefined();
    const rows = await core.db.read(
      `select amount, captured_amount, settled from payment_attempts where order_id = $1`,
      [buyer.order],
    );
    expect(rows).toEqual([
      { amount: SEAT_PRICE, captured_amount: SEAT_PRICE + 1, settled: "review" },
    ]);
    // The buyer's money is gone already: no second card.
    expect((await pay(core, buyer, "pm_ok")).status).toBe(409);
  });

  it("whose method the provider does not know is a wrong request, and no refused card", async () => {
    const buyer = await buyerOfOne();
    const key = unique("key");
    const answer = await pay(core, buyer, "pm_unheard_of", key);
    expect(answer.body).toMatchObject({ status: 422, code: "invalid_request" });
    expect(answer.body).toMatchObject({ errors: [{ field: "method" }] });
    expect((await pay(core, buyer, "pm_unheard_of", key)).text).toBe(answer.text);
    expect(await core.chargesOf(buyer.order)).toEqual([]);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
  });

  it("whose answer is lost on the way is found, also when the create's answer is lost", async () => {
    const buyer = await buyerOfOne();
    await core.control({ nextDrop: true });
    expect((await pay(core, buyer, "pm_ok")).status).toBe(402);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    const charges = await core.chargesOf(buyer.order);
    expect(charges.map((one) => one.state).sort()).toEqual(["created", "succeeded"]);
  });
});

describe("the amount at the provider", () => {
  it.each([
    ["TRY", 1_050],
    ["EUR", 1_999],
    ["JPY", 500],
    ["KWD", 12_345],
    ["UGX", 35_000],
  ])("is the order's total to the minor unit in %s", async (currency, price) => {
    const abroad = await openSale(core, { currency, price });
    const buyer = await newBuyer(core, abroad, [seat(1), seat(2)]);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    expect(buyer.total).toBe(2 * price);
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ amount: 2 * price, currency }]);
  });

  it("includes fees and tax, and the lines add up to it", async () => {
    const fees = { perUnit: 333, perOrder: 101, taxBasisPoints: 1_900 };
    const priced = await openSale(core, { price: 1_111, fees });
    const buyer = await newBuyer(core, priced, [seat(1), seat(2), seat(3)]);
    const net = 3 * 1_111 + 3 * 333 + 101;
    expect(buyer.total).toBe(net + Math.round(net * 0.19));
    const lines = [...((await readOrder(core, buyer))["lines"] ?? [])];
    const sum = lines.reduce(
      (total, line) => total + Number(line["quantity"]) * Number(line["price"]?.["amount"]),
      0,
    );
    expect(sum).toBe(buyer.total);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ amount: buyer.total }]);
    const added = lines.filter(({ kind }) => kind === "fee" || kind === "tax");
    expect(added.map(({ kind, id }) => [kind, id])).toEqual([
      ["fee", "fee per ticket"],
      ["fee", "fee per order"],
      ["tax", "tax"],
    ]);
  });

  it("has the fee of the price where that price has its own, none included", async () => {
    const fees = { perUnit: 333, perOrder: 0, taxBasisPoints: 0 };
    const priced = await openSale(core, { price: 1_111, fees });
    const set = (fee: number) =>
      core.db.write("update zones set fee = $2 where event_id = $1 and zone_id = 'floor'", [
        priced.event,
        fee,
      ]);
    for (const fee of [50, 0]) {
      await set(fee);
      const fan = { place: unique("plc") };
      const buyer = await orderFor(core, priced, await holdFloor(core, priced, fan, 2), fan);
      expect(buyer.total).toBe(2 * FLOOR_PRICE + 2 * fee);
    }
    expect((await newBuyer(core, priced, [seat(5)])).total).toBe(1_111 + 333);
  });
});
