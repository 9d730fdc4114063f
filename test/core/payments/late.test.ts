// Successes that come after the hold's time: each ends in a paid order or in money that went back.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCore, type TestCore, webhook } from "./harness.ts";
import {
  asBuyer,
  type Buyer,
  endHoldTime,
  holdFloor,
  newBuyer,
  openSale,
  orderFor,
  pay,
  readOrder,
  type Sale,
  seat,
  unique,
  untilQuiet,
} from "./sale.ts";

let core: TestCore;
let sale: Sale;
beforeAll(async () => {
  core = await startTestCore();
  // What the provider tells unasked would hide what these tests look for.
  await core.control({ webhooks: "off" });
  sale = await openSale(core);
});
afterAll(() => core.stop());

let nextSeat = 0;
async function freshSeats(count: number): Promise<string[]> {
  if (nextSeat + count > 20) {
    sale = await openSale(core);
    nextSeat = 0;
  }
  nextSeat += count;
  return Array.from({ length: count }, (_, i) => seat(nextSeat - i));
}

/** A buyer whose charge went through and who does not know it. */
async function unknowing(seats: string[], more: { acceptEqualSeats?: boolean } = {}) {
  const buyer = await newBuyer(core, sale, seats, more);
  const key = unique("key");
  expect((await pay(core, buyer, "pm_lost", key)).status).toBe(202);
  return { buyer, key };
}

const refundedOf = async (buyer: Buyer) =>
  (await core.chargesOf(buyer.order)).map((charge) => charge.refunded);

async function expectLost(buyer: Buyer, key: string) {
  const order = await untilQuiet(core, buyer);
  expect(order["state"]).toBe("expired");
  expect(order["tickets"]).toBeUndefined();
  expect(await refundedOf(buyer)).toEqual([buyer.total]);
  expect((await pay(core, buyer, "pm_lost", key)).body).toMatchObject({
    status: 409,
    code: "reservation_lost_refunded",
  });
}

describe("a success found after the hold's time", () => {
  it("still pays when nobody took the seats", async () => {
    const { buyer } = await unknowing(await freshSeats(2));
    await endHoldTime(core, buyer.hold);
    await core.db.call("sweep_holds", [sale.event, 100]);
    const order = await untilQuiet(core, buyer);
    expect(order["state"]).toBe("paid");
    expect(order["tickets"]).toHaveLength(2);
    expect(await refundedOf(buyer)).toEqual([0]);
  });

  it("goes back by itself when somebody else has a seat", async () => {
    const seats = await freshSeats(2);
    const { buyer, key } = await unknowing(seats);
    await endHoldTime(core, buyer.hold);
    const other = await newBuyer(core, sale, seats.slice(0, 1));
    expect((await pay(core, other, "pm_ok")).status).toBe(201);
    await expectLost(buyer, key);
    expect((await readOrder(core, other))["state"]).toBe("paid");
    const [free] = await core.db.read(
      "select status from seats where event_id = $1 and seat_id = $2",
      [sale.event, seats[1] ?? ""],
    );
    expect(free).toEqual({ status: "available" });
  });

  it("gives equal seats to a buyer who agreed to them", async () => {
    sale = await openSale(core);
    nextSeat = 0;
    const seats = await freshSeats(2);
    const { buyer } = await unknowing(seats, { acceptEqualSeats: true });
    await endHoldTime(core, buyer.hold);
    const other = await newBuyer(core, sale, seats.slice(0, 1));
    expect((await pay(core, other, "pm_ok")).status).toBe(201);
    const order = await untilQuiet(core, buyer);
    expect(order["state"]).toBe("paid");
    const mine = [...(order["tickets"] ?? [])].map((ticket) => String(ticket["seat"]));
    expect(mine).toHaveLength(2);
    expect(mine).toContain(seats[1]);
    expect(mine).not.toContain(seats[0]);
    expect(await refundedOf(buyer)).toEqual([0]);
    sale = await openSale(core);
    nextSeat = 0;
  });

  it("goes back when the buyer has meanwhile bought other seats", async () => {
    const [first = "", second = ""] = await freshSeats(2);
    const { buyer, key } = await unknowing([first]);
    await endHoldTime(core, buyer.hold);
    await core.db.call("sweep_holds", [sale.event, 100]);
    await core.db.write("update admissions set closed_at = null where place = $1", [buyer.place]);
    const again = await newBuyer(core, sale, [second], { place: buyer.place });
    expect((await pay(core, again, "pm_ok")).status).toBe(201);
    await expectLost(buyer, key);
  });

  it("of standing places pays while there is room, and goes back when there is none", async () => {
    const small = await openSale(core, { capacity: 4 });
    const buyers: { buyer: Buyer; key: string }[] = [];
    for (const _ of [1, 2]) {
      const place = unique("plc");
      const buyer = await orderFor(core, small, await holdFloor(core, small, { place }, 2), {
        place,
      });
      const key = unique("key");
      expect((await pay(core, buyer, "pm_lost", key)).status).toBe(202);
      await endHoldTime(core, buyer.hold);
      buyers.push({ buyer, key });
    }
    await core.db.call("sweep_holds", [small.event, 100]);
    const place = unique("plc");
    const other = await orderFor(core, small, await holdFloor(core, small, { place }, 2), {
      place,
    });
    expect((await pay(core, other, "pm_ok")).status).toBe(201);
    const states = await Promise.all(
      buyers.map(async ({ buyer }) => (await untilQuiet(core, buyer))["state"]),
    );
    expect([...states].sort()).toEqual(["expired", "paid"]);
    const [zone] = await core.db.read(
      "select held, sold from zones where event_id = $1 and zone_id = 'floor'",
      [small.event],
    );
    expect(zone).toEqual({ held: 0, sold: 4 });
  });

  it("of a cancelled order goes back", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    await pay(core, buyer, "pm_declined");
    const [charge] = await core.chargesOf(buyer.order);
    await core.call("POST", `/v1/orders/${buyer.order}/cancel`, { headers: asBuyer(buyer) });
    await webhook(core, "charge.succeeded", { ...charge, state: "succeeded" });
    const rows = await core.db.read("select reason from refunds where order_id = $1", [
      buyer.order,
    ]);
    expect(rows).toEqual([{ reason: "reservation_lost" }]);
    expect((await readOrder(core, buyer))["state"]).toBe("cancelled");
  });
});
