// Sold out is told at once and from memory (R7), and is never told longer than it is true.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../../../core/context.ts";
import { SOLD_OUT_MS } from "../../../core/holds/sold-out.ts";
import { type House, openHouse, type Reply } from "../house.ts";
import { putHouse, rowsOf } from "./inventory.ts";

// Time stands still until a test moves it, so that nothing runs out under a slow machine.
let nowMs = Date.now();
const clock: Clock = { now: () => nowMs };
const pass = (ms: number) => {
  nowMs += ms;
};

let house: House;
let other: House;
beforeAll(async () => {
  house = await openHouse({ clock });
  other = await openHouse({ beside: house, clock });
});
afterAll(async () => {
  await other.close();
  await house.close();
});

const ask = async (at: House, event: string, body: object): Promise<Reply> =>
  (await at.shopper(event)).call("POST", `/v1/events/${event}/holds`, { body });
const expectSoldOut = ({ status, body }: Reply, available = 0) =>
  expect([status, body["code"], body["available"]]).toEqual([409, "sold_out", available]);

/** Everything that this database has run, whoever ran it, but for this question. */
async function statements(): Promise<number> {
  const [row] = await house.deps.db.read<{ calls: number }>(
    `select sum(calls)::int as calls from pg_stat_statements
     where toplevel and query not like '%pg_stat_statements%'
       and dbid = (select oid from pg_database where datname = current_database())`,
  );
  return row?.calls ?? 0;
}

const HOPELESS = [
  { kind: "standing", body: { zone: "floor", quantity: 2 } },
  { kind: "best available", body: { best: { quantity: 2 } } },
] as const;

const putFull = async () => {
  const event = await putHouse(house.deps.db, {
    sections: [{ id: "A", rows: rowsOf(1, 4) }],
    capacity: 4,
  });
  const holders = [await house.shopper(event), await house.shopper(event)];
  const bodies = [{ best: { quantity: 4 } }, { zone: "floor", quantity: 4 }];
  for (const [index, body] of bodies.entries()) {
    const made = await holders[index]?.call("POST", `/v1/events/${event}/holds`, { body });
    expect(made?.status).toBe(201);
  }
  return { event, holders, bodies };
};

describe.each(HOPELESS)("a hopeless request for $kind", ({ body }) => {
  it("costs no statement and so no transaction: five hundred cost none", async () => {
    const { event } = await putFull();
    expectSoldOut(await ask(house, event, body));
    // The first after that may wait for the one read that is made for all of them.
    expectSoldOut(await ask(house, event, body));
    const before = await statements();
    for (let round = 0; round < 10; round += 1) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => ask(house, event, body)));
      for (const reply of replies) expectSoldOut(reply);
    }
    expect(await statements()).toBe(before);
  });

  it("is asked of the database again after a second, and not before", async () => {
    const { event } = await putFull();
    expectSoldOut(await ask(house, event, body));
    pass(SOLD_OUT_MS - 1);
    expectSoldOut(await ask(house, event, body));
    const before = await statements();
    pass(1);
    expectSoldOut(await ask(house, event, body));
    expect(await statements()).toBeGreaterThan(before);
  });
});

describe("who is owed another answer", () => {
  it("gets it: their own hold, at whichever process", async () => {
    const { event, holders, bodies } = await putFull();
    for (const { body } of HOPELESS) {
      expectSoldOut(await ask(house, event, body));
      expectSoldOut(await ask(other, event, body));
    }
    for (const at of [house, other])
      for (const [index, holder] of holders.entries()) {
        const path = `/v1/events/${event}/holds`;
        const headers = holder.headers("POST", path);
        const again = await at.request("POST", path, { headers, body: bodies[index] });
        expect([again.status, again.body["event"]]).toEqual([200, event]);
        const more = await at.request("POST", path, {
          headers: holder.headers("POST", path),
          body: { zone: "floor", quantity: 3 },
        });
        expect([more.status, more.body["code"]]).toEqual([409, "hold_exists"]);
      }
  });

  it("gets the recorded answer of a key that was lost on the way", async () => {
    const { event } = await putFull();
    const fan = await house.shopper(event);
    const path = `/v1/events/${event}/holds`;
    const body = { zone: "floor", quantity: 3 };
    const headers = { "idempotency-key": "lost-answer" };
    const first = await fan.call("POST", path, { body, headers });
    const again = await fan.call("POST", path, { body, headers });
    expectSoldOut(first);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("seats that come back", () => {
  it("can be had at once where they came back, and a second later everywhere else", async () => {
    for (const index of [0, 1]) {
      const { event, holders, bodies } = await putFull();
      const body = bodies[index] ?? {};
      expectSoldOut(await ask(house, event, body));
      expectSoldOut(await ask(other, event, body));
      const path = `/v1/events/${event}/holds`;
      const holder = holders[index];
      const mine = await holder?.call("POST", path, { body });
      const gone = await holder?.call("DELETE", `/v1/holds/${mine?.body["id"]}`);
      expect(gone?.status).toBe(204);
      if (index === 1) pass(SOLD_OUT_MS);
      const at = index === 0 ? house : other;
      expect((await ask(at, event, body)).status).toBe(201);
    }
  });

  it("are seen by themselves when a hold runs out that nobody gave back", async () => {
    const { event } = await putFull();
    const body = { zone: "floor", quantity: 4 };
    expectSoldOut(await ask(other, event, body));
    await house.deps.db.write(
      `update hold_zones set held_until = now() - interval '1 second' where event_id = $1`,
      [event],
    );
    await house.deps.db.write(
      `update holds set expires_at = now() - interval '1 second' where event_id = $1`,
      [event],
    );
    pass(SOLD_OUT_MS);
    expect((await ask(other, event, body)).status).toBe(201);
  });

  it("after a burst every free place can be bought, at both processes", async () => {
    const event = await putHouse(house.deps.db, { capacity: 60 });
    const body = { zone: "floor", quantity: 7 };
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(index % 2 ? house : other, event, body)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(8);
    for (const quantity of [3, 1])
      expect((await ask(house, event, { zone: "floor", quantity })).status).toBe(201);
    pass(SOLD_OUT_MS);
    expectSoldOut(await ask(other, event, { zone: "floor", quantity: 1 }));
  });
});
