// Add-ons with limited stock: an atomic counter in Redis in front, the database behind, two processes.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { STOCK_MS, unitsOf } from "../../../core/holds/addon-stock.ts";
import { sweepHolds } from "../../../core/holds/sweep-holds.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type House, openHouse, type Reply, type Shopper } from "../house.ts";
import { findDisagreements } from "./agreement.ts";
import { age, putHouse } from "./inventory.ts";

let house: House;
let other: House;
let dry: House;
beforeAll(async () => {
  house = await openHouse();
  other = await openHouse({ beside: house });
  dry = await openHouse({
    beside: house,
    env: { REDIS_LOCKS_URL: "redis://127.0.0.1:9", REDIS_CACHE_URL: "redis://127.0.0.1:9" },
  });
  await waitFor(() => [house, other].every(({ deps }) => deps.redis.cache.available()));
});
afterAll(async () => {
  for (const each of [dry, other, house]) await each.close();
});
afterEach(() => cache().flushdb());

const db = () => house.deps.db;
const cache = () => house.deps.redis.cache.client;
const keyOf = (event: string, variant = "M") => `addon:{${event}}:shirt/${variant}`;
const STOCK = 7;
const put = () =>
  putHouse(db(), {
    capacity: 500,
    addons: [{ id: "shirt", name: "Shirt", price: 500, stock: STOCK, variants: ["M", "S"] }],
  });
const wish = (quantity = 1, variant = "M") => ({
  zone: "floor",
  quantity: 1,
  addons: [{ id: "shirt", variant, quantity }],
});
const post = (fan: Shopper, event: string, body: unknown, at = house): Promise<Reply> => {
  const path = `/v1/events/${event}/holds`;
  return at.request("POST", path, { headers: fan.headers("POST", path), body });
};
const ask = async (at: House, event: string, body: unknown = wish()) =>
  post(await house.shopper(event), event, body, at);
const stockOf = async (event: string, variant = "M") => {
  const [row] = await db().read<{ held: number; sold: number }>(
    "select held, sold from addons where event_id = $1 and variant = $2",
    [event, variant],
  );
  return row;
};
/** Statements that hold something, of this database. */
const holdCalls = async () => {
  const [row] = await db().read<{ calls: number }>(
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
     where query ~ '^select hold_' and toplevel
       and dbid = (select oid from pg_database where datname = current_database())`,
  );
  return row?.calls ?? 0;
};

describe("add-on stock", () => {
  it("goes to exactly as many as there are, of forty at two processes at once", async () => {
    const event = await put();
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => ask(n % 2 ? house : other, event)),
    );
    const won = replies.filter(({ status }) => status === 201);
    expect(won).toHaveLength(STOCK);
    for (const { status, body } of replies.filter((reply) => reply.status !== 201))
      expect([status, body["code"], body["addon"]]).toEqual([409, "addon_sold_out", "shirt"]);
    expect(await stockOf(event)).toEqual({ held: STOCK, sold: 0 });
    expect(Number(await cache().get(keyOf(event)))).toBeGreaterThanOrEqual(0);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });

  it("that is gone is refused by the counter, before it costs a hold statement", async () => {
    const event = await put();
    expect((await ask(house, event, wish(STOCK))).status).toBe(201);
    expect((await ask(house, event)).body["code"]).toBe("addon_sold_out");
    const before = await holdCalls();
    for (let times = 0; times < 20; times += 1)
      expect((await ask(other, event)).body["code"]).toBe("addon_sold_out");
    // Where Redis does not answer in time the database does, so on a busy machine a few may pass.
    expect((await holdCalls()) - before).toBeLessThan(5);
    expect((await ask(house, event, wish(1, "S"))).status).toBe(201);
  });

  it("that came to nothing is given back to the counter", async () => {
    const event = await put();
    const fan = await house.shopper(event);
    expect((await post(fan, event, wish(2))).status).toBe(201);
    expect(await cache().get(keyOf(event))).toBe(String(STOCK - 2));
    expect((await post(fan, event, wish(2))).status).toBe(200);
    expect((await post(fan, event, wish(3))).body["code"]).toBe("hold_exists");
    const greedy = await ask(house, event, { ...wish(4), quantity: 50 });
    expect(greedy.body["code"]).toBe("limit_exceeded");
    await expect.poll(() => cache().get(keyOf(event))).toBe(String(STOCK - 2));
  });

  it("that its owner has is answered to its owner, however empty the counter is", async () => {
    const event = await put();
    const fan = await house.shopper(event);
    const first = await post(fan, event, wish(STOCK));
    for (const at of [house, other]) {
      const again = await post(fan, event, wish(STOCK), at);
      expect([again.status, again.body["id"]]).toEqual([200, first.body["id"]]);
    }
  });

  it("comes back with a release and with a hold that ran out, swept or not, once", async () => {
    const event = await put();
    const fan = await house.shopper(event);
    const made = await post(fan, event, wish(STOCK));
    const gone = () => cache().del(keyOf(event));
    expect((await fan.call("DELETE", `/v1/holds/${made.body["id"]}`)).status).toBe(204);
    // The counter is told of no release: its two seconds are passed over here.
    await gone();
    expect((await ask(house, event, wish(STOCK))).status).toBe(201);
    await age(db(), event, null);
    await gone();
    expect((await ask(other, event, wish(STOCK))).status).toBe(201);
    await age(db(), event, null);
    await sweepHolds(house.deps);
    expect(await stockOf(event)).toEqual({ held: 0, sold: 0 });
    await gone();
    expect((await ask(house, event, wish(STOCK))).status).toBe(201);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });
});

describe("a counter that lies", () => {
  it("too high sells nothing twice", async () => {
    const event = await put();
    await cache().set(keyOf(event), 1_000, "PX", STOCK_MS);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(n % 2 ? house : other, event, wish(2))),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await stockOf(event)).toEqual({ held: 6, sold: 0 });
  });

  it("too low, below zero or no number refuses for two seconds at the most", async () => {
    for (const lie of ["0", "-5", "many"]) {
      const event = await put();
      await cache().set(keyOf(event), lie, "PX", STOCK_MS);
      await expect
        .poll(async () => (await ask(house, event)).status, { timeout: 10_000 })
        .toBe(201);
      expect(await stockOf(event)).toEqual({ held: 1, sold: 0 });
    }
  });

  it("or is wiped again and again changes no sale", async () => {
    const event = await put();
    let isOver = false;
    const wiping = (async () => {
      while (!isOver) await cache().flushdb();
    })();
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => ask(n % 2 ? house : other, event)),
    );
    isOver = true;
    await wiping;
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(STOCK);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });

  it("or is not there at all changes no sale", async () => {
    const event = await put();
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(dry, event)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(STOCK);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });
});

describe("what is asked of the counters", () => {
  it("is one number for each kind, in one order", () => {
    const addons = [
      { id: "b", quantity: 1 },
      { id: "a", variant: "x", quantity: 2 },
      { id: "b", quantity: 3 },
    ];
    expect(
      unitsOf("p:", { event: "e", addons }).map(({ key, quantity }) => [key, quantity]),
    ).toEqual([
      ["p:addon:{e}:a/x", 2],
      ["p:addon:{e}:b/", 4],
    ]);
  });
});
