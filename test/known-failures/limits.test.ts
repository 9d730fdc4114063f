// Known failures 6 and 8: limits kept only in the form, per line or per order instead of per account,
// or not under parallel requests; capacity that is raised and not sold, or lowered below what is sold.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDisagreements } from "../core/holds/agreement.ts";
import { describeHouse, type HouseChanges, putHouse } from "../core/holds/inventory.ts";
import { type House, openHouse, type Reply } from "../core/house.ts";

let house: House;
let other: House;
let bearer: { authorization: string };
beforeAll(async () => {
  house = await openHouse();
  other = await openHouse({ beside: house });
  bearer = { authorization: `Bearer ${await house.organizerToken()}` };
});
afterAll(async () => {
  await other.close();
  await house.close();
});

const db = () => house.deps.db;
const put = (changes: HouseChanges, event?: string) => putHouse(db(), changes, event);
/** As somebody with this account, at one of two processes, from a place of their own. */
const ask = async (at: House, event: string, acct: string, body: unknown): Promise<Reply> =>
  (await at.shopper(event, { acct })).call("POST", `/v1/events/${event}/holds`, { body });
const unitsOf = async (event: string, acct: string) => {
  const [row] = await db().read<{ units: number }>(
    "select held + sold as units from purchase_counters where event_id = $1 and account = $2",
    [event, acct],
  );
  return row?.units ?? 0;
};

describe("a quantity that no form would send", () => {
  it.each([200, 51, 0, -1, 1.5, 1e9, 2 ** 53, "2", null, [2], true])(
    "%j is refused and holds nothing",
    async (quantity) => {
      const event = await put({ capacity: 500 });
      for (const body of [{ zone: "floor", quantity }, { best: { quantity } }]) {
        const reply = await ask(house, event, "club|greedy", body);
        expect(reply.status, reply.text).toBe(422);
      }
      expect(await unitsOf(event, "club|greedy")).toBe(0);
    },
  );

  it("200 chosen seats in one request are refused, and so are 9 where 8 may be had", async () => {
    const event = await put({
      sections: [{ id: "A", rows: [{ id: "1", zone: "stalls", seats: 60 }] }],
    });
    const seats = (count: number) => Array.from({ length: count }, (_, n) => `A-1-${n + 1}`);
    expect((await ask(house, event, "club|a", { seats: seats(200) })).status).toBe(422);
    const nine = await ask(house, event, "club|a", { seats: seats(9) });
    expect(nine.body).toMatchObject({ code: "limit_exceeded", limit: "order", max: 8 });
    expect(await findDisagreements(db(), event)).toEqual([]);
  });
});

describe("a limit per account", () => {
  it("holds for one account at many places, kinds, processes and orders at once", async () => {
    const event = await put({ perOrderMax: 3, perAccountMax: 5, capacity: 100 });
    await db().write("update events set holds_per_person = 20 where event_id = $1", [event]);
    const acct = "club|parallel";
    const wishes = (n: number) =>
      [
        { zone: "floor", quantity: 1 + (n % 3) },
        { best: { quantity: 1 + (n % 3) } },
        { seats: [`A-4-${1 + (n % 10)}`] },
      ][n % 3];
    const replies = await Promise.all(
      Array.from({ length: 36 }, (_, n) => ask(n % 2 ? house : other, event, acct, wishes(n))),
    );
    expect(await unitsOf(event, acct)).toBeLessThanOrEqual(5);
    expect(replies.some(({ body }) => body["code"] === "limit_exceeded")).toBe(true);
    // What is left of the limit can be had to the unit, and not one more.
    const left = 5 - (await unitsOf(event, acct));
    for (let unit = 0; unit < left; unit += 1) {
      const body = { seats: [`A-3-${1 + unit}`] };
      expect((await ask(house, event, acct, body)).status).toBe(201);
    }
    const beyond = await ask(other, event, acct, { zone: "floor", quantity: 1 });
    expect(beyond.body).toMatchObject({ code: "limit_exceeded", limit: "account", max: 5 });
    expect(await findDisagreements(db(), event)).toEqual([]);
  });

  it("is another account's own, also when both shop through one address", async () => {
    const event = await put({ perOrderMax: 2, perAccountMax: 2, capacity: 10 });
    for (const acct of ["club|one", "club|two"])
      expect((await ask(house, event, acct, { zone: "floor", quantity: 2 })).status).toBe(201);
  });

  it("lowered in the middle of a rush lets nobody beyond it afterwards, and takes nothing back", async () => {
    const event = await put({ perOrderMax: 6, perAccountMax: 6, capacity: 200 });
    await db().write("update events set holds_per_person = 20 where event_id = $1", [event]);
    const acct = "club|rush";
    const rush = Array.from({ length: 12 }, (_, n) =>
      ask(n % 2 ? house : other, event, acct, { zone: "floor", quantity: 1 }),
    );
    const lowered = put({ perOrderMax: 2, perAccountMax: 2, capacity: 200 }, event);
    await Promise.all([...rush, lowered]);
    const had = await unitsOf(event, acct);
    expect(had).toBeLessThanOrEqual(6);
    const more = await ask(house, event, acct, { best: { quantity: 2 } });
    if (had >= 2) expect(more.body).toMatchObject({ code: "limit_exceeded", limit: "account" });
    expect(await unitsOf(event, acct)).toBeGreaterThanOrEqual(had);
    const counted = await db().read<{ units: number }>(
      "select coalesce(sum(quantity), 0)::int as units from hold_zones where event_id = $1 and state = 'live'",
      [event],
    );
    expect(counted).toEqual([{ units: await unitsOf(event, acct) }]);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });
});

describe("a capacity that changes while people buy", () => {
  const capacity = async (event: string, units: number) =>
    house.request("PUT", `/v1/organizer/events/${event}`, {
      headers: bearer,
      body: describeHouse({ capacity: units }),
    });

  it("raised is sold at once, also where people have just been told sold out", async () => {
    const event = await put({ capacity: 4 });
    for (let n = 0; n < 2; n += 1)
      expect((await ask(house, event, `club|c${n}`, { zone: "floor", quantity: 2 })).status).toBe(
        201,
      );
    const told = await ask(house, event, "club|late", { zone: "floor", quantity: 2 });
    expect(told.body["code"]).toBe("sold_out");
    expect((await capacity(event, 6)).status).toBe(200);
    await expect
      .poll(
        async () => (await ask(house, event, "club|late", { zone: "floor", quantity: 2 })).status,
        {
          timeout: 10_000,
        },
      )
      .toBe(201);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });

  it("lowered at the same time as a rush never ends below what is held", async () => {
    const event = await put({ capacity: 60 });
    const [lowered, replies] = await Promise.all([
      Promise.all([40, 20, 10].map((units) => capacity(event, units))),
      Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          ask(n % 2 ? house : other, event, `club|l${n}`, { zone: "floor", quantity: 2 }),
        ),
      ),
    ]);
    for (const { status } of lowered) expect([200, 409]).toContain(status);
    const held = 2 * replies.filter(({ status }) => status === 201).length;
    const [floor] = await db().read<{ capacity: number; held: number }>(
      "select capacity, held from zones where event_id = $1 and zone_id = 'floor'",
      [event],
    );
    expect(floor?.held).toBe(held);
    expect(floor?.capacity).toBeGreaterThanOrEqual(held);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });
});
