import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "../../../core/db/db.ts";
import type { Verdict } from "../../../core/holds/verdict.ts";
import { createZoneCombiner, takeBatch, type ZoneAsk } from "../../../core/holds/zone-combiner.ts";
import { newId } from "../../../shared/ids.ts";
import { type House, openHouse } from "../house.ts";
import { counterOf, findDisagreements } from "./agreement.ts";
import {
  heldOf,
  holdZone,
  manyConnections,
  type Person,
  person,
  putHouse,
  random,
} from "./inventory.ts";

let house: House;
let db: Db;
beforeAll(async () => {
  house = await openHouse();
  db = manyConnections(house);
});
afterAll(async () => {
  await db.close();
  await house.close();
});

const askOf = (quantity: number, changes: Partial<ZoneAsk> = {}): ZoneAsk => ({
  hold: newId("hold"),
  who: person(),
  quantity,
  idem: null,
  ...changes,
});
const batch = (event: string, asks: readonly ZoneAsk[], zone = "floor") =>
  db.call<Verdict[]>("hold_zone_batch", [event, zone, JSON.stringify(asks)]);
const floorOf = async (event: string) => {
  const [zone] = await db.read<{ held: number; sold: number; capacity: number }>(
    "select held, sold, capacity from zones where event_id = $1 and zone_id = 'floor'",
    [event],
  );
  return zone;
};

describe("a batch of requests for one zone", () => {
  it("is judged in order, first fit, each by itself", async () => {
    const event = await putHouse(db, { capacity: 10 });
    const verdicts = await batch(event, [askOf(4), askOf(5), askOf(3), askOf(1), askOf(1)]);
    expect(verdicts.map(({ result }) => result)).toEqual([
      "held",
      "held",
      "sold_out",
      "held",
      "sold_out",
    ]);
    expect(verdicts[2]).toEqual({ result: "sold_out", available: 1 });
    expect(verdicts[0]).toMatchObject({
      hold: {
        seats: [],
        zones: [{ id: "floor", quantity: 4, price: { amount: 5_000, currency: "TRY" } }],
        total: { amount: 20_000, currency: "TRY" },
      },
    });
    expect(await floorOf(event)).toEqual({ held: 10, sold: 0, capacity: 10 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("lets one buyer's fault be only that buyer's", async () => {
    const event = await putHouse(db, { capacity: 20, perAccountMax: 4 });
    const holder = person();
    await holdZone(db, event, holder, 2);
    const closed = person();
    await db.call("close_admission", [event, closed.place, 0]);
    const verdicts = await batch(
      event,
      [
        askOf(2),
        askOf(2, { who: holder }),
        askOf(3, { who: holder, hold: newId("hold") }),
        askOf(5),
        askOf(1, { who: closed }),
        askOf(1),
      ].filter((_, index) => index !== 2),
    );
    expect(verdicts.map(({ result }) => result)).toEqual([
      "held",
      "same",
      "limit_exceeded",
      "admission_closed",
      "held",
    ]);
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("has one request per account, and add-ons only alone", async () => {
    const event = await putHouse(db);
    const who = person();
    await expect(batch(event, [askOf(1, { who }), askOf(1, { who })])).rejects.toThrow("account");
    const addons = [{ id: "poster", quantity: 1 }];
    await expect(batch(event, [askOf(1, { addons }), askOf(1)])).rejects.toThrow("batch of one");
    expect(await floorOf(event)).toMatchObject({ held: 0 });
  });

  it("in a zone that is not there, or has seats, is refused", async () => {
    const event = await putHouse(db);
    for (const zone of ["nowhere", "stalls"])
      expect(await batch(event, [askOf(1)], zone)).toEqual([{ result: "unknown_zone" }]);
    expect(await batch("nothing-here", [askOf(1)])).toEqual([{ result: "unknown_event" }]);
  });
});

describe("who goes together", () => {
  const item = (account: string, more: Partial<ZoneAsk> = {}) => ({
    ask: askOf(1, { who: person({ account }), ...more }),
  });

  it("is up to fifty in order of arrival, each account once, add-ons alone", () => {
    const many = Array.from({ length: 60 }, (_, index) => item(`a${index}`));
    expect(takeBatch(many).batch).toEqual(many.slice(0, 50));
    expect(takeBatch(many).rest).toEqual(many.slice(50));

    const [one, two, again] = [item("a"), item("b"), item("a")];
    const rich = item("c", { addons: [{ id: "poster", quantity: 1 }] });
    expect(takeBatch([one, again, rich, two])).toEqual({ batch: [one, two], rest: [again, rich] });
    expect(takeBatch([rich, one])).toEqual({ batch: [rich], rest: [one] });
  });
});

describe("four processes and two hundred clients at one zone", () => {
  it("sell it to the last place, and each client got what it was told", async () => {
    const capacity = 3_000;
    const event = await putHouse(db, { capacity, perAccountMax: 8 });
    const combiners = Array.from({ length: 4 }, () => createZoneCombiner(db));
    const dice = random(3);
    const told: { who: Person; verdict: Verdict }[] = [];
    const client = async (index: number) => {
      for (let times = 0; times < 8; times += 1) {
        const who = person();
        const combiner = combiners[index % combiners.length];
        if (!combiner) throw new Error("no combiner");
        const ask = askOf(1 + dice.below(4), { who });
        told.push({ who, verdict: await combiner.hold({ event, zone: "floor", ask }) });
      }
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => client(index)));
    const won = told.flatMap(({ who, verdict }) =>
      verdict.result === "held" ? [{ who, hold: verdict.hold }] : [],
    );
    expect(told.every(({ verdict }) => ["held", "sold_out"].includes(verdict.result))).toBe(true);
    const units = won.reduce((sum, { hold }) => sum + (hold.zones[0]?.quantity ?? 0), 0);
    expect(await floorOf(event)).toEqual({ held: units, sold: 0, capacity });
    expect(units).toBe(capacity);
    const lines = await db.read<{ hold_id: string; quantity: number }>(
      "select hold_id, quantity from hold_zones where event_id = $1 and state = 'live'",
      [event],
    );
    expect(new Map(lines.map((line) => [line.hold_id, line.quantity]))).toEqual(
      new Map(won.map(({ hold }) => [hold.id, hold.zones[0]?.quantity])),
    );
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("who are the same person end with one hold", async () => {
    const event = await putHouse(db, { capacity: 100 });
    const combiners = Array.from({ length: 4 }, () => createZoneCombiner(db));
    const who = person();
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        combiners[index % 4]?.hold({ event, zone: "floor", ask: askOf(2, { who }) }),
      ),
    );
    const ids = new Set(verdicts.map((verdict) => (verdict ? heldOf(verdict).id : "")));
    expect(ids.size).toBe(1);
    expect(await counterOf(db, event, who)).toEqual({ held: 2, sold: 0 });
    expect(await floorOf(event)).toMatchObject({ held: 2 });
  });
});

describe("a batch that fails as a whole", () => {
  it("is run one by one, so that one bad request spoils nobody's", async () => {
    const event = await putHouse(db);
    const combiner = createZoneCombiner(db);
    // Three statements' worth at once: the first two start alone, the rest is combined.
    const asks = [askOf(1), askOf(1), askOf(1), askOf(-1), askOf(1)];
    const answers = await Promise.allSettled(
      asks.map((ask) => combiner.hold({ event, zone: "floor", ask })),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await floorOf(event)).toMatchObject({ held: 4 });
  });
});
