// The open page of an order hears of its payment from the outbox event that mails the tickets, at
// whichever process that event is handled.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jobCtx } from "../../../core/jobs/schedule.ts";
import { createLive } from "../../../core/live/create.ts";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import { orderPageHandler } from "../../../core/orders/told.ts";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { startTestCore, type TestCore } from "../payments/harness.ts";
import { asBuyer, type Buyer, newBuyer, openSale, pay, type Sale, seat } from "../payments/sale.ts";

let core: TestCore;
let sale: Sale;
beforeAll(async () => {
  core = await startTestCore();
  sale = await openSale(core);
});
afterAll(() => core.stop());

/** What a page reads, order by order, until it has seen enough. */
async function listen(buyer: Pick<Buyer, "order" | "token">) {
  const leaving = new AbortController();
  const response = await fetch(`${core.origin}/v1/orders/${buyer.order}/stream`, {
    headers: { authorization: `Order ${buyer.token}` },
    signal: leaving.signal,
  });
  const orders: OrderView[] = [];
  const reading = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines)
        if (line.startsWith("data: ")) orders.push(JSON.parse(line.slice("data: ".length)));
    }
  })().catch(() => undefined);
  return { response, orders, reading, leave: () => leaving.abort() };
}
const states = (orders: readonly OrderView[]) => orders.map(({ state }) => state);

/** As the queue does with the order's event. */
async function handleOutbox(order: string, live = core.ctx.live): Promise<void> {
  const rows = await core.db.read<{ id: string; kind: string }>(
    "select id, kind from outbox where order_id = $1 and kind = any ($2)",
    [order, orderPageHandler.kinds],
  );
  const ctx = { ...jobCtx(core.ctx, "order-page", "req_test"), live };
  for (const row of rows) await orderPageHandler.handle(ctx, { ...row, order, payload: {} });
}

describe("the page of an order", () => {
  it("gets its tickets in the moment it is paid", async () => {
    const buyer = await newBuyer(core, sale, [seat(1), seat(2)]);
    const page = await listen(buyer);
    expect(page.response.headers.get("content-type")).toBe("text/event-stream");
    await expect.poll(() => states(page.orders)).toEqual(["pending"]);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    await handleOutbox(buyer.order);
    await expect.poll(() => states(page.orders)).toEqual(["pending", "paid"]);
    expect(page.orders.at(-1)?.tickets?.map(({ seat: of }) => of)).toEqual([seat(1), seat(2)]);
    expect(page.orders.at(-1)?.tickets?.every(({ code }) => code.length > 0)).toBe(true);
    page.leave();
    await page.reading;
    await expect.poll(() => core.ctx.live.orderListeners()).toBe(0);
  });

  it("gets them also when another process handles the event", async () => {
    const { db, redis, clock, log } = core.ctx;
    const other = createLive({
      db,
      cache: redis.cache,
      clock,
      log,
      metrics: createMetrics(),
    });
    const buyer = await newBuyer(core, sale, [seat(3)]);
    const page = await listen(buyer);
    await expect.poll(() => states(page.orders)).toEqual(["pending"]);
    await pay(core, buyer, "pm_ok");
    await handleOutbox(buyer.order, other);
    await expect.poll(() => states(page.orders)).toEqual(["pending", "paid"]);
    page.leave();
    await other.close();
  });

  it("is told nothing twice, and nothing of another's order", async () => {
    const [mine, theirs] = [
      await newBuyer(core, sale, [seat(4)]),
      await newBuyer(core, sale, [seat(5)]),
    ];
    const page = await listen(mine);
    await expect.poll(() => states(page.orders)).toEqual(["pending"]);
    await pay(core, theirs, "pm_ok");
    await handleOutbox(theirs.order);
    for (let i = 0; i < 5; i += 1) core.ctx.live.tellOrder(mine.order);
    await core.call("POST", `/v1/orders/${mine.order}/cancel`, { headers: asBuyer(mine) });
    await handleOutbox(mine.order);
    await expect.poll(() => states(page.orders)).toEqual(["pending", "cancelled"]);
    page.leave();
    const stranger = await listen({ order: mine.order, token: theirs.token });
    expect(stranger.response.status).toBe(404);
  });
});
