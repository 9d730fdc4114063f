import { Context } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CART_MS, takeOutOfCart } from "../../../core/carts/cart.ts";
import { createPresenceReader } from "../../../core/live/presence.ts";
import { type House, openHouse } from "../house.ts";
import { makeEvent } from "../sold.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const PATH = "/v1/carts/me";

describe("a cart", () => {
  test("is empty, then what was put, then what was changed", async () => {
    const fan = await house.shopper("alpha");
    expect((await fan.call("GET", PATH)).body).toEqual({ event: "alpha", items: [] });
    const items = [
      { id: "scarf", variant: 'red & "blue"', quantity: 2 },
      { id: "parking", quantity: 1 },
    ];
    const put = await fan.call("PUT", PATH, { body: { items } });
    expect(put.status).toBe(200);
    expect(put.body["items"]).toHaveLength(2);
    const patched = await fan.call("PATCH", PATH, {
      body: {
        items: [
          { id: "parking", quantity: 0 },
          { id: "poster", quantity: 3 },
        ],
      },
    });
    expect(patched.body["items"]).toEqual(
      expect.arrayContaining([items[0], { id: "poster", quantity: 3 }]),
    );
    expect(patched.body["items"]).toHaveLength(2);
  });

  test("is somebody's own, and one for each event", async () => {
    const fan = await house.shopper("alpha");
    await fan.call("PUT", PATH, { body: { items: [{ id: "scarf", quantity: 1 }] } });
    const same = await house.shopper("beta", { sub: fan.place });
    const stranger = await house.shopper("alpha");
    for (const who of [same, stranger])
      expect((await who.call("GET", PATH)).body["items"]).toEqual([]);
  });

  test("belongs to the account where there is one, whatever the place", async () => {
    const acct = "https://club.test|42";
    const phone = await house.shopper("alpha", { acct });
    await phone.call("PUT", PATH, { body: { items: [{ id: "scarf", quantity: 1 }] } });
    const laptop = await house.shopper("alpha", { acct });
    expect((await laptop.call("GET", PATH)).body["items"]).toEqual([{ id: "scarf", quantity: 1 }]);
  });

  test("lives thirty days from the last touch, as one hash", async () => {
    const fan = await house.shopper("alpha");
    await fan.call("PUT", PATH, { body: { items: [{ id: "scarf", quantity: 1 }] } });
    const { client } = house.deps.redis.cache;
    const key = `cart:{alpha}:${fan.place}`;
    expect(await client.type(key)).toBe("hash");
    const ttl = await client.pttl(key);
    expect(ttl).toBeLessThanOrEqual(CART_MS);
    expect(ttl).toBeGreaterThan(CART_MS - 60_000);
  });

  test("has a bound", async () => {
    const fan = await house.shopper("alpha");
    const items = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `item${from + i}`, quantity: 1 }));
    expect((await fan.call("PUT", PATH, { body: { items: items(0, 50) } })).status).toBe(200);
    const more = await fan.call("PATCH", PATH, { body: { items: items(50, 1) } });
    expect([more.status, more.body["code"]]).toEqual([422, "limit_exceeded"]);
    expect((await fan.call("GET", PATH)).body["items"]).toHaveLength(50);
    const flood = await fan.call("PUT", PATH, { body: { items: items(0, 51) } });
    expect(flood.body["code"]).toBe("invalid_request");
  });

  test("refuses unknown fields and needs an admission", async () => {
    const fan = await house.shopper("alpha");
    const bad = await fan.call("PUT", PATH, {
      body: { items: [{ id: "scarf", quantity: 1, price: 0 }] },
    });
    expect(bad.body["errors"]).toEqual([{ field: "items.0.price", message: "unknown field" }]);
    expect((await house.request("GET", PATH)).body["code"]).toBe("admission_required");
  });

  test("gives up what an order took over, in every variant, and keeps the rest", async () => {
    const fan = await house.shopper("alpha");
    const items = [
      { id: "scarf", variant: "red", quantity: 2 },
      { id: "scarf", variant: "blue", quantity: 1 },
      { id: "poster", quantity: 3 },
    ];
    await fan.call("PUT", PATH, { body: { items } });
    const actor = await house.deps.admissions.admitAnywhere(
      new Context(
        new Request("http://core.test/v1/carts/me", { headers: fan.headers("GET", PATH) }),
      ),
    );
    await takeOutOfCart({ redis: house.deps.redis, actor }, ["scarf"]);
    expect((await fan.call("GET", PATH)).body["items"]).toEqual([{ id: "poster", quantity: 3 }]);
  });

  test("is not there without Redis, and says so", async () => {
    const cutOff = await openHouse({
      beside: house,
      env: { REDIS_LOCKS_URL: "redis://127.0.0.1:9", REDIS_CACHE_URL: "redis://127.0.0.1:9" },
    });
    const fan = await cutOff.shopper("alpha");
    const reply = await fan.call("GET", PATH);
    expect([reply.status, reply.body["code"]]).toEqual([503, "unavailable"]);
    await cutOff.close();
  });
});

describe("presence", () => {
  test("counts each shopper once, in the section looked at last", async () => {
    const event = await makeEvent(house);
    const [one, two] = [await house.shopper(event), await house.shopper(event)];
    const look = (fan: typeof one, section: string) =>
      fan.call("PUT", `/v1/events/${event}/presence`, { body: { section } });
    await look(one, "A");
    await look(two, "A");
    const answer = await look(one, "B");
    expect(answer.status).toBe(200);
    expect(answer.body["sections"]).toBeTypeOf("object");
    expect(await createPresenceReader(house.deps)(event)).toEqual({ A: 1, B: 1 });
  });

  test("ends by itself", async () => {
    const event = await makeEvent(house);
    const fan = await house.shopper(event);
    await fan.call("PUT", `/v1/events/${event}/presence`, { body: { section: "A" } });
    const later = { redis: house.deps.redis, clock: { now: () => Date.now() + 60_000 } };
    expect(await createPresenceReader(later)(event)).toEqual({});
  });
});
