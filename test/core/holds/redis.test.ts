import { Redis as IoRedis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { type House, openHouse, type Reply } from "../house.ts";
import { findDisagreements, statusOf } from "./agreement.ts";
import { putHouse, rowsOf } from "./inventory.ts";

// Two core processes of one deployment, on a Redis that this file may hurt.
let redis: RunningRedis;
let one: House;
let two: House;
let admin: IoRedis;
beforeAll(async () => {
  redis = await startRedis();
  one = await openHouse({ env: { REDIS_LOCKS_URL: redis.url, REDIS_CACHE_URL: redis.url } });
  two = await openHouse({ beside: one });
  admin = new IoRedis(redis.url, { maxRetriesPerRequest: 0, retryStrategy: () => 100 });
  admin.on("error", () => undefined);
});
afterAll(async () => {
  admin.disconnect();
  await two.close();
  await one.close();
  await redis.stop();
});
afterEach(async () => {
  await admin.flushall().catch(() => undefined);
});

const SEATS = 24;
const lockOf = (event: string, seat: string) =>
  `${one.deps.redis.locks.prefix}seat:{${event}}:${seat}`;
const hold = async (house: House, event: string, seats: string[]): Promise<Reply> =>
  (await house.shopper(event)).call("POST", `/v1/events/${event}/holds`, { body: { seats } });

/** Everybody wants every seat, at both processes, again and again until the house is full. */
async function rush(event: string): Promise<void> {
  const wanted = Array.from(
    { length: SEATS },
    (_, index) => `A-${1 + (index % 3)}-${1 + (index % 8)}`,
  );
  for (let round = 0; round < 4; round += 1) {
    const replies = await Promise.all(
      wanted.flatMap((seat, index) =>
        [one, two].map(async (house) => ({
          seat,
          reply: await hold(house, event, [seat, `B-${1 + (index % 3)}-${1 + (index % 8)}`]),
        })),
      ),
    );
    for (const { reply } of replies) expect([201, 409, 503]).toContain(reply.status);
  }
}

async function expectFullAndRight(event: string): Promise<void> {
  expect(await findDisagreements(one.deps.db, event)).toEqual([]);
  const lines = await one.deps.db.read<{ n: number }>(
    `select count(*)::int as n from hold_seats where event_id = $1 and state = 'live'
     group by seat_id having count(*) > 1`,
    [event],
  );
  expect(lines).toEqual([]);
  // Every seat that nobody has can be had, at either process.
  const free = await one.deps.db.read<{ seat_id: string }>(
    "select seat_id from seats where event_id = $1 and status = 'available' order by seat_id",
    [event],
  );
  for (const [index, { seat_id }] of free.entries()) {
    let reply = await hold(index % 2 === 0 ? one : two, event, [seat_id]);
    // A lock that was left behind costs two seconds at the most.
    for (let tries = 0; reply.status !== 201 && tries < 30; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      reply = await hold(index % 2 === 0 ? one : two, event, [seat_id]);
    }
    expect(reply.status).toBe(201);
  }
  expect(await statusOf(one.deps.db, event)).toEqual({ held: 2 * SEATS });
}

const put = () =>
  putHouse(one.deps.db, {
    sections: [
      { id: "A", rows: rowsOf(3, 8) },
      { id: "B", rows: rowsOf(3, 8) },
    ],
  });

describe("seat locks", () => {
  it("turn the second person away while the first one's statement runs, and leave no trace", async () => {
    const event = await put();
    await admin.set(lockOf(event, "A-1-1"), "somebody else", "PX", 2_000);
    const refused = await hold(one, event, ["A-1-1", "A-1-2"]);
    expect(refused.body).toMatchObject({ code: "seats_unavailable", unavailable: ["A-1-1"] });
    expect(await statusOf(one.deps.db, event)).toEqual({ available: 2 * SEATS });
    expect(await admin.keys("*seat:*")).toEqual([lockOf(event, "A-1-1")]);
    // Somebody else's lock is not given back by whoever was refused.
    expect(await admin.get(lockOf(event, "A-1-1"))).toBe("somebody else");
  });

  it("are one's own for one's own requests, and are given back after the statement", async () => {
    const event = await put();
    const shopper = await one.shopper(event);
    await admin.set(lockOf(event, "A-1-1"), shopper.place, "PX", 2_000);
    const body = { seats: ["A-1-1"] };
    const reply = await shopper.call("POST", `/v1/events/${event}/holds`, { body });
    expect(reply.status).toBe(201);
    const refused = await hold(two, event, ["A-1-1", "A-1-2"]);
    expect(refused.status).toBe(409);
    await expect.poll(() => admin.keys("*seat:*")).toEqual([]);
  });
});

describe("the same house is sold", () => {
  it("with Redis in health", async () => {
    const event = await put();
    await rush(event);
    await expectFullAndRight(event);
  });

  it("with Redis lying: locks deleted, foreign locks set, pauses, no memory", async () => {
    const event = await put();
    let lying = true;
    const liar = (async () => {
      for (let turn = 0; lying; turn += 1) {
        const keys = await admin.keys("*seat:*");
        if (keys.length > 0) await admin.del(...keys);
        const seat = `A-${1 + (turn % 3)}-${1 + (turn % 8)}`;
        // Out of memory it cannot lie either.
        await admin.set(lockOf(event, seat), "ghost", "PX", 2_000).catch(() => undefined);
        if (turn % 5 === 0) await admin.client("PAUSE", 80);
        if (turn % 7 === 0) await admin.config("SET", "maxmemory", "1");
        if (turn % 7 === 3) await admin.config("SET", "maxmemory", "0");
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    await rush(event);
    lying = false;
    await liar;
    await admin.config("SET", "maxmemory", "0");
    await expectFullAndRight(event);
  });

  it("with one of two processes cut off from Redis", async () => {
    const event = await put();
    two.deps.redis.locks.client.disconnect();
    await rush(event);
    await expectFullAndRight(event);
    await two.deps.redis.locks.client.connect();
  });

  it("with Redis dead", async () => {
    const event = await put();
    await redis.kill();
    await rush(event);
    await expectFullAndRight(event);
  });
});
