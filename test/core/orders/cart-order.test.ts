// A cart becomes lines of the order in the call that makes it; its stock moves with the hold, and
// comes back with a refund.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runRefunds } from "../../../core/payments/refunds.ts";
import { startTestCore, type TestCore } from "../payments/harness.ts";
import {
  asBuyer,
  type Buyer,
  holdSeats,
  openSale,
  pay,
  type Sale,
  SEAT_PRICE,
  seat,
  unique,
} from "../payments/sale.ts";

const SCARF = 2_500;
let core: TestCore;
beforeAll(async () => {
  core = await startTestCore();
  await core.control({ webhooks: "off" });
});
afterAll(() => core.stop());

async function saleWithScarves(stock: number): Promise<Sale> {
  const sale = await openSale(core);
  await core.db.write(
    `insert into addons (event_id, addon_id, variant, name, price, stock)
      values ($1, 'scarf', 'red', 'Scarf', $2, $3)`,
    [sale.event, SCARF, stock],
  );
  return sale;
}

const stockOf = async (sale: Sale) =>
  (await core.db.read("select held, sold from addons where event_id = $1", [sale.event]))[0];

/** The cart is written as the shopper would; who it is, is the harness's stand-in for an admission. */
async function order(sale: Sale, place: string, seats: string[], items: unknown[]) {
  const key = `${core.ctx.redis.cache.prefix}cart:{${sale.event}}:${place}`;
  for (const item of items) {
    const [field, quantity] = item as [string, number];
    await core.ctx.redis.cache.client.hset(key, field, quantity);
  }
  const hold = await holdSeats(core, sale, { place }, seats);
  const reply = await core.call("POST", "/v1/orders", {
    body: { holdId: hold, buyer: { email: "fan@example.com", name: "Ayşe" }, cart: true },
    headers: { "x-test-place": place, "x-test-event": sale.event },
  });
  const { id = "", orderToken = "", total } = reply.body;
  const buyer: Buyer = { place, order: id, token: orderToken, hold, total: total?.amount ?? 0 };
  return { reply, buyer, hold, key };
}

const RED = '["scarf","red"]';

describe("a cart", () => {
  it("becomes order lines, is paid with the seats, and its stock returns with the refund", async () => {
    const sale = await saleWithScarves(5);
    const { reply, buyer, key } = await order(sale, unique("plc"), [seat(1)], [[RED, 2]]);
    expect(reply.status).toBe(201);
    expect(reply.body.total?.amount).toBe(SEAT_PRICE + 2 * SCARF);
    expect(reply.body.lines).toContainEqual(
      expect.objectContaining({ kind: "addon", id: "scarf", quantity: 2 }),
    );
    expect(await stockOf(sale)).toEqual({ held: 2, sold: 0 });
    expect(await core.ctx.redis.cache.client.hlen(key)).toBe(0);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    expect(await stockOf(sale)).toEqual({ held: 0, sold: 2 });
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ amount: SEAT_PRICE + 2 * SCARF }]);
    const [ticket] =
      (await core.call("GET", `/v1/orders/${buyer.order}`, { headers: asBuyer(buyer) })).body
        .tickets ?? [];
    const refund = async (amount: number | null, tickets: string[] | null) => {
      await core.db.call("create_refund", [
        unique("ref"),
        buyer.order,
        null,
        amount,
        tickets,
        "asked",
        unique("k"),
        "",
        "test",
        "req",
      ]);
      await runRefunds(core.ctx);
    };
    await refund(null, [ticket?.id ?? ""]);
    expect(await stockOf(sale)).toEqual({ held: 0, sold: 2 });
    await refund(null, null);
    expect(await stockOf(sale)).toEqual({ held: 0, sold: 0 });
  });

  it("with more than there is makes no order and takes nothing", async () => {
    const sale = await saleWithScarves(1);
    const { reply } = await order(sale, unique("plc"), [seat(1)], [[RED, 2]]);
    expect([reply.status, reply.body.code]).toEqual([409, "addon_sold_out"]);
    expect(await stockOf(sale)).toEqual({ held: 0, sold: 0 });
    expect(await core.db.read("select 1 from orders where event_id = $1", [sale.event])).toEqual(
      [],
    );
  });

  it("with something that is not sold here is refused by name", async () => {
    const sale = await saleWithScarves(1);
    const { reply } = await order(sale, unique("plc"), [seat(1)], [['["hat"]', 1]]);
    expect([reply.status, reply.body.code]).toEqual([422, "unknown_addon"]);
  });

  it("of several people never sells more than there is", async () => {
    const sale = await saleWithScarves(3);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        order(sale, unique("plc"), [seat(i + 1)], [[RED, 1]]).then(({ reply }) => reply.status),
      ),
    );
    expect(replies.filter((status) => status === 201)).toHaveLength(3);
    expect(await stockOf(sale)).toEqual({ held: 3, sold: 0 });
  });

  it("is given back with the hold when the order is cancelled", async () => {
    const sale = await saleWithScarves(3);
    const { buyer } = await order(sale, unique("plc"), [seat(1)], [[RED, 3]]);
    await core.call("POST", `/v1/orders/${buyer.order}/cancel`, { headers: asBuyer(buyer) });
    expect(await stockOf(sale)).toEqual({ held: 0, sold: 0 });
  });
});
