import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLoad } from "../../../core/http/load.ts";
import { capacityJob } from "../../../core/jobs/capacity.ts";
import { limitPerMinute } from "../../../core/jobs/limit-per-minute.ts";
import { jobIdOf, relayOutbox } from "../../../core/jobs/outbox.ts";
import { pruneJob } from "../../../core/jobs/prune.ts";
import { openQueues, type Queues, workQueue } from "../../../core/jobs/queues.ts";
import type { OutboxEvent, OutboxHandler } from "../../../core/jobs/registry.ts";
import { releaseSlotHandler } from "../../../core/jobs/release-slot.ts";
import { jobCtx, runEvery } from "../../../core/jobs/schedule.ts";
import { loadJob } from "../../../core/jobs/share-load.ts";
import { remoteKeys } from "../../../shared/token/remote-keys.ts";
import { verifyToken } from "../../../shared/token/verify.ts";
import { type House, openHouse } from "../house.ts";

let house: House;
const opened: Queues[] = [];

beforeAll(async () => {
  house = await openHouse();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((queues) => queues.stop()));
  await house.deps.db.write("delete from outbox");
  house.gate.notes.length = 0;
  house.gate.answer(204);
});
afterAll(() => house.close());

const ctx = (name = "test") => jobCtx(house.deps, name, "req_test-0001");

async function writeOutbox(id: string, order: string | null, kind = "order.paid"): Promise<void> {
  await house.deps.db.write(
    "insert into outbox (id, event_id, order_id, kind, payload) values ($1, 'alpha', $2, $3, $4)",
    [id, order, kind, { event: "alpha", place: "plc_1", jti: "j1", id }],
  );
}

function collector(name: string, fails: (event: OutboxEvent) => boolean = () => false) {
  const seen: string[] = [];
  const handler: OutboxHandler = {
    name,
    kinds: ["order.paid"],
    async handle(_ctx, event) {
      if (fails(event)) throw new Error("not now");
      seen.push(event.id);
    },
  };
  return { seen, handler };
}

async function open(handlers: OutboxHandler[]): Promise<Queues> {
  const queues = await openQueues(house.deps.config.database.url, house.deps.log, handlers);
  opened.push(queues);
  for (const handler of handlers) await workQueue(queues.boss, handler, () => ctx(handler.name));
  return queues;
}

describe("the outbox relay", () => {
  test("gives each handler what it asked for, once, also with many relays at work", async () => {
    const one = collector("one");
    const two = collector("two");
    const { boss } = await open([one.handler, two.handler]);
    for (let i = 0; i < 30; i += 1) await writeOutbox(`out_${i}`, `ord_${i % 5}`);
    await writeOutbox("out_other", null, "nobody.cares");
    const counts = await Promise.all(
      Array.from({ length: 6 }, () => relayOutbox(ctx(), boss, [one.handler, two.handler])),
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(31);
    for (const { seen } of [one, two]) {
      await expect.poll(() => seen.length, { timeout: 30_000 }).toBe(30);
      expect(new Set(seen).size).toBe(30);
    }
    expect(await relayOutbox(ctx(), boss, [one.handler])).toBe(0);
  });

  test("an order's events stay in order, also when one has to be tried again", async () => {
    let refusals = 1;
    const { seen, handler } = collector("ordered", (event) => {
      if (event.id !== "out_a1" || refusals === 0) return false;
      refusals -= 1;
      return true;
    });
    const { boss } = await open([handler]);
    for (const id of ["out_a1", "out_a2", "out_a3"]) await writeOutbox(id, "ord_a");
    await relayOutbox(ctx(), boss, [handler]);
    await expect.poll(() => seen, { timeout: 40_000 }).toEqual(["out_a1", "out_a2", "out_a3"]);
  });

  test("a relay that died after enqueueing makes nothing twice", async () => {
    const { seen, handler } = collector("again");
    const { boss } = await open([handler]);
    await writeOutbox("out_b", "ord_b");
    await relayOutbox(ctx(), boss, [handler]);
    await expect.poll(() => seen.length, { timeout: 30_000 }).toBe(1);
    // As if the mark had never been written.
    await house.deps.db.write("update outbox set enqueued_at = null, lease_until = null");
    expect(await relayOutbox(ctx(), boss, [handler])).toBe(1);
    const [job] = await boss.findJobs(`outbox-again`, { id: jobIdOf("out_b", "again") });
    expect(job?.state).toBe("completed");
    expect(seen).toEqual(["out_b"]);
  });

  test("what an event says comes as it was written, with what it says is not there", async () => {
    await house.deps.db.write("update outbox set enqueued_at = now()");
    const payload = { incident: "inc_1", amount: 0, currency: null, voucher: null };
    await house.deps.db.write(
      "insert into outbox (id, kind, payload) values ('out_null', 'event.postponed', $1::jsonb)",
      [JSON.stringify(payload)],
    );
    const [event] = await house.deps.db.call<OutboxEvent[]>("claim_outbox", [10, 30_000]);
    expect(event).toEqual({ id: "out_null", kind: "event.postponed", payload });
    await house.deps.db.write("update outbox set enqueued_at = now()");
  });

  test("a later event of an order is not claimed while an earlier one is with somebody else", async () => {
    await writeOutbox("out_c1", "ord_c");
    const claim = () => house.deps.db.call<OutboxEvent[]>("claim_outbox", [1, 30_000]);
    expect((await claim()).map(({ id }) => id)).toEqual(["out_c1"]);
    await writeOutbox("out_c2", "ord_c");
    await writeOutbox("out_d1", "ord_d");
    expect((await claim()).map(({ id }) => id)).toEqual(["out_d1"]);
    expect(await claim()).toEqual([]);
    await house.deps.db.write("update outbox set lease_until = now() - interval '1 second'");
    expect((await claim()).map(({ id }) => id)).toEqual(["out_c1"]);
  });
});

describe("the gate hears", () => {
  test("that a paid shopper's slot is free, with a service token that it can verify", async () => {
    const event = {
      id: "out_e",
      kind: "order.paid",
      payload: { event: "alpha", place: "plc_1", jti: "j1" },
    };
    await releaseSlotHandler.handle(ctx(), event);
    const [note] = house.gate.notes;
    expect(note?.path).toBe("/api/rooms/alpha/slots/plc_1");
    expect(note?.body).toEqual({ action: "release", jti: "j1" });
    const token = note?.authorization.replace("Bearer ", "") ?? "";
    const keys = house.deps.keys;
    const verified = await verifyToken(token, async (kid, use) => keys.verifying(kid, use), {
      use: "service",
      issuer: house.deps.config.origin,
      audience: "gate",
      now: Date.now(),
    });
    expect(verified).toMatchObject({ ok: true, value: { scope: "slots capacity exchange" } });
    expect(remoteKeys).toBeTypeOf("function");
  });

  test("again, when it did not answer; not again, when it knows no such slot", async () => {
    const payload = { event: "alpha", place: "plc_1", jti: "j1" };
    const release = () =>
      releaseSlotHandler.handle(ctx(), { id: "o", kind: "order.paid", payload });
    house.gate.answer(503);
    await expect(release()).rejects.toThrow();
    house.gate.answer(404);
    await release();
  });

  test("nothing, when there was no admission", async () => {
    const payload = { event: "alpha", place: "plc_1", jti: null };
    await releaseSlotHandler.handle(ctx(), { id: "o", kind: "order.paid", payload });
    expect(house.gate.notes).toEqual([]);
  });

  test("how busy we are, from one dated reading, for events on sale alone", async () => {
    const insert = (id: string, opens: string, closes: string | null) =>
      house.deps.db.write(
        `insert into events (event_id, name, venue, starts_at, sale_opens_at, sale_closes_at,
           time_zone, currency, per_order_max, per_account_max)
         values ($1, 'n', 'v', now(), $2::timestamptz, $3::timestamptz, 'UTC', 'EUR', 4, 4)`,
        [id, opens, closes],
      );
    const day = 86_400_000;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    await insert("on-sale", at(-day), null);
    await insert("over", at(-2 * day), at(-day));
    await insert("to-come", at(day), null);
    await house.deps.db.write(
      `insert into zones (event_id, zone_id, name, kind, price, capacity, held, sold) values
         ('on-sale', 'f', 'f', 'standing', 1, 100, 10, 5), ('on-sale', 's', 's', 'seated', 2, 0, 0, 0)`,
    );
    await house.deps.db.write(
      "insert into sections (event_id, section_id, name, ordinal) values ('on-sale', 'A', 'A', 1)",
    );
    await house.deps.db.write(
      `insert into rows (event_id, section_id, row_id, zone_id, rank, layout, map, free,
         free_accessible, longest, runs)
       values ('on-sale', 'A', '1', 's', 1, 'gggg', 'fhss', 1, 0, 1, 1)`,
    );
    const load = createLoad();
    load.count = 3;
    for (const ms of [1, 2, 3, 40]) load.note(ms);
    // Another process is slower and has seven in hand; it runs no jobs, and counts.
    const other = createLoad();
    other.count = 7;
    other.note(55);
    await loadJob(house.deps, other).run(ctx());
    expect(await capacityJob(house.deps, load).run(ctx())).toBe(1);
    const [note, ...more] = house.gate.notes;
    expect(more).toEqual([]);
    expect(note?.path).toBe("/api/rooms/on-sale/capacity");
    expect(note?.body).toMatchObject({
      inFlight: 10,
      p95Ms: 55,
      available: 86,
      held: 11,
      paying: 0,
      sold: 7,
      tiers: expect.arrayContaining([
        {
          id: expect.any(String),
          name: expect.any(String),
          price: { amount: expect.any(Number), currency: expect.any(String) },
          soldOut: false,
        },
      ]),
    });
    expect(Date.parse(String(note?.body["at"]))).toBeGreaterThan(Date.now() - 60_000);
  });

  test("from one process at a time", async () => {
    await house.deps.redis.locks.client.del("capacity-reporter");
    const job = capacityJob(house.deps, createLoad());
    const counts = await Promise.all([job.run(ctx()), job.run(ctx()), job.run(ctx())]);
    expect(counts.filter((count) => count > 0).length).toBeLessThanOrEqual(1);
  });

  test("a limit that follows the speed of the connections", () => {
    const fast = limitPerMinute({ connectionsMax: 16, serviceMs: 2 });
    const slow = limitPerMinute({ connectionsMax: 16, serviceMs: 200 });
    expect(slow).toBeLessThan(fast);
    expect(slow).toBeGreaterThan(0);
  });
});

describe("the scheduler", () => {
  test("runs a job again after it failed, never beside itself, and waits for it at the stop", async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const job = runEvery(house.deps, {
      name: "probe",
      everyMs: 5,
      async run() {
        running += 1;
        most = Math.max(most, running);
        runs += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        if (runs === 2) throw new Error("once");
        return 1;
      },
    });
    await expect.poll(() => runs).toBeGreaterThan(4);
    await job.stop();
    expect(running).toBe(0);
    expect(most).toBe(1);
    const after = runs;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(runs).toBe(after);
  });

  test("prunes what is old and keeps what is not", async () => {
    await writeOutbox("out_old", null);
    await writeOutbox("out_new", null);
    await writeOutbox("out_waiting", null);
    await house.deps.db.write(
      "update outbox set enqueued_at = now() - interval '8 days' where id = 'out_old'",
    );
    await house.deps.db.write("update outbox set enqueued_at = now() where id = 'out_new'");
    await pruneJob.run(ctx());
    const rows = await house.deps.db.read<{ id: string }>("select id from outbox order by id");
    expect(rows.map(({ id }) => id)).toEqual(["out_new", "out_waiting"]);
  });
});
