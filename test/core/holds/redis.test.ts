import { Redis as IoRedis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "../../support/tcp-proxy.ts";
import { type House, openHouse, type Reply } from "../house.ts";
import { type Cores, startCores } from "../processes.ts";
import { findDisagreements, statusOf } from "./agreement.ts";
import { putHouse, rowsOf } from "./inventory.ts";

// Two core processes of one deployment, on a Redis that this file may hurt while they sell. The
// second reaches it through a wire that can be cut.
let redis: RunningRedis;
let wire: TcpProxy;
let one: House;
let two: House;
let cores: Cores;
let admin: IoRedis;
beforeAll(async () => {
  redis = await startRedis();
  wire = await startTcpProxy({ host: "127.0.0.1", port: redis.port });
  const behindWire = throughProxy(redis.url, wire);
  one = await openHouse({ env: { REDIS_LOCKS_URL: redis.url, REDIS_CACHE_URL: redis.url } });
  two = await openHouse({ beside: one });
  cores = await startCores(one, [
    {},
    { RUN_JOBS: "false", REDIS_LOCKS_URL: behindWire, REDIS_CACHE_URL: behindWire },
  ]);
  admin = new IoRedis(redis.url, { maxRetriesPerRequest: 0, retryStrategy: () => 100 });
  admin.on("error", () => undefined);
});
afterAll(async () => {
  admin.disconnect();
  await cores.stop();
  await two.close();
  await one.close();
  await wire.close();
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

/** The same at one of the two processes, over HTTP. */
const holdAt = async (at: number, event: string, seats: string[]): Promise<Reply> => {
  const path = `/v1/events/${event}/holds`;
  return cores.call(at, await one.shopper(event), { method: "POST", path, body: { seats } });
};

/** Everybody wants every seat, at both processes, again and again until the house is full. */
async function rush(event: string): Promise<Map<string, string>> {
  const wanted = Array.from(
    { length: SEATS },
    (_, index) => `A-${1 + (index % 3)}-${1 + (index % 8)}`,
  );
  const told = new Map<string, string>();
  for (let round = 0; round < 4; round += 1) {
    const replies = await Promise.all(
      wanted.flatMap((seat, index) => {
        const seats = [seat, `B-${1 + (index % 3)}-${1 + (index % 8)}`];
        return [0, 1].map(async (at) => ({ seats, reply: await holdAt(at, event, seats) }));
      }),
    );
    for (const { seats, reply } of replies) {
      expect([201, 409, 503], reply.text).toContain(reply.status);
      if (reply.status !== 201) continue;
      for (const seat of seats) {
        expect(told.has(seat), `${seat} was given twice`).toBe(false);
        told.set(seat, String(reply.body["id"]));
      }
    }
  }
  return told;
}

async function expectFullAndRight(event: string, told: Map<string, string>): Promise<void> {
  expect(await findDisagreements(one.deps.db, event)).toEqual([]);
  const lines = await one.deps.db.read<{ seat_id: string; hold_id: string }>(
    "select seat_id, hold_id from hold_seats where event_id = $1 and state = 'live'",
    [event],
  );
  // Everybody has what they were told; who was told 503 may have it too, and asks again.
  const had = new Map(lines.map(({ seat_id, hold_id }) => [seat_id, hold_id]));
  expect(had.size).toBe(lines.length);
  for (const [seat, hold] of told) expect(had.get(seat)).toBe(hold);
  // Every seat that nobody has can be had, at either process.
  const free = await one.deps.db.read<{ seat_id: string }>(
    "select seat_id from seats where event_id = $1 and status = 'available' order by seat_id",
    [event],
  );
  for (const [index, { seat_id }] of free.entries()) {
    let reply = await holdAt(index, event, [seat_id]);
    // A lock that was left behind costs two seconds at the most.
    for (let tries = 0; reply.status !== 201 && tries < 30; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      reply = await holdAt(index, event, [seat_id]);
    }
    expect(reply.status).toBe(201);
  }
  expect(await statusOf(one.deps.db, event)).toEqual({ held: 2 * SEATS });
}

/** Sells a house while something is done to Redis again and again. */
async function sellDuring(harm: (turn: number, event: string) => Promise<unknown>): Promise<void> {
  const event = await put();
  let isOver = false;
  const harming = (async () => {
    let turns = 0;
    for (; !isOver; turns += 1) {
      await harm(turns, event);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return turns;
  })();
  const told = await rush(event);
  isOver = true;
  expect(await harming).toBeGreaterThan(0);
  await expectFullAndRight(event, told);
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

describe("a seat that another request is working on", () => {
  it("is refused with others that are free, read once for all who run into it", async () => {
    const event = await put();
    await admin.set(lockOf(event, "A-1-1"), "somebody else", "PX", 2_000);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => hold(one, event, ["A-1-1", "A-1-2"])),
    );
    for (const { status, body } of replies) {
      expect([status, body["unavailable"]]).toEqual([409, ["A-1-1"]]);
      expect(body["alternatives"]).toEqual(replies[0]?.body["alternatives"]);
    }
    const offers = replies[0]?.body["alternatives"];
    const [offer] = Array.isArray(offers) ? offers : [];
    expect(offer).toHaveLength(2);
    expect((await hold(two, event, offer)).status).toBe(201);
  });
});

describe("the same house is sold", () => {
  it("with Redis in health", async () => {
    const event = await put();
    await expectFullAndRight(event, await rush(event));
    await expect.poll(() => admin.keys("*seat:*"), { timeout: 5_000 }).toEqual([]);
  });

  it("with Redis slow", async () => {
    await sellDuring((turn) => (turn % 3 === 0 ? admin.client("PAUSE", 120) : admin.ping()));
  });

  /** Locks of others disappear, and locks of nobody are there. */
  const lie = async (turn: number, event: string) => {
    const keys = await admin.keys("*seat:*");
    if (keys.length > 0) await admin.del(...keys);
    const seat = `A-${1 + (turn % 3)}-${1 + (turn % 8)}`;
    await admin.set(lockOf(event, seat), "ghost", "PX", 2_000);
  };

  it("with Redis lying: locks deleted, foreign locks set", async () => {
    await sellDuring(lie);
  });

  it("with Redis lying, pausing and refusing to one process, and the other cut off from it", async () => {
    const cuts = wire.accepted();
    await sellDuring(async (turn, event) => {
      wire.set(turn % 6 < 3 ? "hole" : "pass");
      if (turn % 6 === 5) wire.cut();
      await admin.config("SET", "maxmemory", turn % 8 < 2 ? "1" : "0");
      if (turn % 10 === 7) await admin.client("PAUSE", 80);
      else await lie(turn, event).catch(() => undefined);
    });
    await admin.config("SET", "maxmemory", "0");
    wire.set("pass");
    wire.cut();
    expect(wire.accepted()).toBeGreaterThan(cuts);
  });

  it("with Redis out of memory, now and then", async () => {
    await sellDuring((turn) =>
      admin.config("SET", "maxmemory", Math.floor(turn / 3) % 2 === 0 ? "1" : "0"),
    );
    await admin.config("SET", "maxmemory", "0");
  });

  it("with one of two processes cut off: by a reset, and by a wire that swallows everything", async () => {
    const cuts = wire.accepted();
    await sellDuring(async (turn) => {
      wire.set(turn % 4 < 2 ? "hole" : "pass");
      if (turn % 4 === 3) wire.cut();
    });
    wire.set("pass");
    wire.cut();
    expect(wire.accepted()).toBeGreaterThan(cuts);
  });

  it("with Redis dying in the middle, and dead from then on", async () => {
    const event = await put();
    const [told] = await Promise.all([
      rush(event),
      new Promise((resolve) => setTimeout(resolve, 150)).then(() => redis.kill()),
    ]);
    await expectFullAndRight(event, told);
    const dead = await put();
    await expectFullAndRight(dead, await rush(dead));
  });
});
