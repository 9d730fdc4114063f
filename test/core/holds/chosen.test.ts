import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "../../../core/db/db.ts";
import { type House, openHouse } from "../house.ts";
import { counterOf, findDisagreements, statusOf } from "./agreement.ts";
import {
  age,
  heldOf,
  holdSeats,
  holdZone,
  manyConnections,
  person,
  putHouse,
  random,
  release,
  rowsOf,
  seatsOf,
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

describe("chosen seats", () => {
  it("are held with the prices, the total and the countdown of the event", async () => {
    const event = await putHouse(db);
    const verdict = await holdSeats(db, event, person(), ["A-1-2", "A-1-1"]);
    const hold = heldOf(verdict);
    expect(verdict.result).toBe("held");
    expect(hold).toMatchObject({
      event,
      seats: [
        { id: "A-1-1", section: "A", row: "1", number: 1, zone: "stalls" },
        { id: "A-1-2", section: "A", row: "1", number: 2, zone: "stalls" },
      ],
      zones: [],
      addons: [],
      total: { amount: 20_000, currency: "TRY" },
    });
    expect(Date.parse(hold.expiresAt) - Date.parse(hold.now)).toBeGreaterThan(598_000);
    expect(Date.parse(hold.expiresAt) - Date.parse(hold.now)).toBeLessThanOrEqual(600_000);
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("are all held or none, and the taken ones are named with alternatives", async () => {
    const event = await putHouse(db);
    await holdSeats(db, event, person(), ["A-1-5"]);
    const who = person();
    const verdict = await holdSeats(db, event, who, ["A-1-4", "A-1-5"]);
    expect(verdict).toMatchObject({ result: "seats_unavailable", unavailable: ["A-1-5"] });
    if (verdict.result !== "seats_unavailable") return;
    expect(verdict.alternatives).toHaveLength(3);
    for (const offer of verdict.alternatives)
      expect((await holdSeats(db, event, person(), offer)).result).toBe("held");
    expect(await statusOf(db, event)).toEqual({ available: 33, held: 7 });
    expect(await counterOf(db, event, who)).toEqual({ held: 0, sold: 0 });
  });

  it("at which forty people grasp at once go to exactly one", async () => {
    const event = await putHouse(db);
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, () => holdSeats(db, event, person(), ["A-2-3", "A-2-4"])),
    );
    expect(verdicts.filter(({ result }) => result === "held")).toHaveLength(1);
    expect(verdicts.filter(({ result }) => result === "seats_unavailable")).toHaveLength(39);
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("asked for in any order across rows never deadlock", async () => {
    const event = await putHouse(db, { sections: [{ id: "A", rows: rowsOf(6, 8) }] });
    const dice = random(11);
    const all = Array.from({ length: 6 }, (_, row) =>
      Array.from({ length: 8 }, (_, seat) => `A-${row + 1}-${seat + 1}`),
    ).flat();
    const before = await db.read<{ n: number }>(
      "select deadlocks::int as n from pg_stat_database where datname = current_database()",
    );
    const verdicts = await Promise.all(
      Array.from({ length: 300 }, () =>
        holdSeats(db, event, person(), dice.shuffle(all).slice(0, 1 + dice.below(6))),
      ),
    );
    const after = await db.read<{ n: number }>(
      "select deadlocks::int as n from pg_stat_database where datname = current_database()",
    );
    expect(after).toEqual(before);
    const held = verdicts.filter(({ result }) => result === "held").flatMap(seatsOf);
    expect(new Set(held).size).toBe(held.length);
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("that the same person holds already are the same hold with the same countdown", async () => {
    const event = await putHouse(db);
    const who = person();
    const first = await holdSeats(db, event, who, ["A-1-1", "A-1-2"]);
    const again = await holdSeats(db, event, who, ["A-1-2", "A-1-1"]);
    expect(again.result).toBe("same");
    expect(heldOf(again).id).toBe(heldOf(first).id);
    expect(heldOf(again).expiresAt).toBe(heldOf(first).expiresAt);
  });

  it("of a double click are one hold, also when both clicks arrive together", async () => {
    const event = await putHouse(db);
    const who = person();
    const verdicts = await Promise.all(
      Array.from({ length: 8 }, () => holdSeats(db, event, who, ["A-3-1", "A-3-2"])),
    );
    expect(new Set(verdicts.map((verdict) => heldOf(verdict).id)).size).toBe(1);
    expect(verdicts.filter(({ result }) => result === "held")).toHaveLength(1);
    expect(await counterOf(db, event, who)).toEqual({ held: 2, sold: 0 });
  });

  it("other than those held are refused while the hold lives, and its countdown stays", async () => {
    const event = await putHouse(db);
    const who = person();
    const first = heldOf(await holdSeats(db, event, who, ["A-1-1"]));
    for (const verdict of [
      await holdSeats(db, event, who, ["A-1-1", "A-1-2"]),
      await holdSeats(db, event, who, ["A-4-9"]),
      await holdZone(db, event, who, 1),
    ])
      expect(verdict).toMatchObject({ result: "hold_exists", hold: first.id });
    const again = heldOf(await holdSeats(db, event, who, ["A-1-1"]));
    expect(again.expiresAt).toBe(first.expiresAt);
    expect(await statusOf(db, event)).toEqual({ available: 39, held: 1 });
  });

  it("may be held beside others where the event allows more", async () => {
    const event = await putHouse(db);
    await db.write("update events set holds_per_person = 2 where event_id = $1", [event]);
    const who = person();
    const results = [];
    for (const seat of ["A-1-1", "A-1-2", "A-1-3"])
      results.push((await holdSeats(db, event, who, [seat])).result);
    expect(results).toEqual(["held", "held", "hold_exists"]);
  });

  it("that are not there are named, and a companion seat goes with its wheelchair place", async () => {
    const rows = [{ id: "1", zone: "stalls", seats: 6, accessible: [1], companions: [2] }];
    const event = await putHouse(db, { sections: [{ id: "A", rows }] });
    expect(await holdSeats(db, event, person(), ["A-1-3", "A-9-1"])).toEqual({
      result: "unknown_seat",
      unknown: ["A-9-1"],
    });
    expect((await holdSeats(db, event, person(), ["A-1-2"])).result).toBe("companion_alone");
    expect((await holdSeats(db, event, person(), ["A-1-1", "A-1-2"])).result).toBe("held");
  });

  it("of another event with the same names are another event's", async () => {
    const [one, two] = [await putHouse(db), await putHouse(db)];
    const who = person();
    expect((await holdSeats(db, one, who, ["A-1-1"])).result).toBe("held");
    expect((await holdSeats(db, two, who, ["A-1-1"])).result).toBe("held");
    expect(await statusOf(db, two)).toEqual({ available: 39, held: 1 });
  });

  it("can be had by nobody when the event is unknown", async () => {
    expect(await holdSeats(db, "nothing-here", person(), ["A-1-1"])).toEqual({
      result: "unknown_event",
    });
  });
});

describe("an Idempotency-Key", () => {
  const idem = (who: { account: string }, key: string, hash: string) => ({
    idem: { scope: `holds:${who.account}`, key, hash, requestId: `req_${key}` },
  });

  it("gets the lost answer again, a success and a refusal alike", async () => {
    const event = await putHouse(db);
    const who = person();
    const first = await holdSeats(db, event, who, ["A-1-1"], idem(who, "k1", "h1"));
    await release(db, event, heldOf(first).id, who);
    const again = await holdSeats(db, event, who, ["A-1-1"], idem(who, "k1", "h1"));
    expect(again).toMatchObject({ result: "held", replayed: true, requestId: "req_k1" });
    expect(heldOf(again)).toEqual(heldOf(first));

    await holdSeats(db, event, person(), ["A-1-2"]);
    const refused = await holdSeats(db, event, who, ["A-1-2"], idem(who, "k2", "h2"));
    const replay = await holdSeats(db, event, who, ["A-1-2"], idem(who, "k2", "h2"));
    expect(refused.result).toBe("seats_unavailable");
    expect(replay).toMatchObject({ ...refused, replayed: true });
  });

  it("used for another request is refused, and one person's key is nobody else's", async () => {
    const event = await putHouse(db);
    const [who, other] = [person(), person()];
    await holdSeats(db, event, who, ["A-1-1"], idem(who, "k", "h1"));
    expect((await holdSeats(db, event, who, ["A-1-2"], idem(who, "k", "h2"))).result).toBe(
      "idempotency_key_reused",
    );
    expect((await holdSeats(db, event, other, ["A-1-2"], idem(other, "k", "h2"))).result).toBe(
      "held",
    );
  });

  it("makes one hold of parallel repetitions", async () => {
    const event = await putHouse(db);
    const who = person();
    const verdicts = await Promise.all(
      Array.from({ length: 6 }, () => holdSeats(db, event, who, ["A-1-7"], idem(who, "same", "h"))),
    );
    expect(new Set(verdicts.map((verdict) => heldOf(verdict).id)).size).toBe(1);
    expect(verdicts.filter(({ replayed }) => replayed)).toHaveLength(5);
  });
});

describe("a release", () => {
  it("gives everything back once, and only to its owner's word", async () => {
    const event = await putHouse(db, {
      addons: [{ id: "poster", name: "Poster", price: 100, stock: 3 }],
    });
    const [who, stranger] = [person(), person()];
    const addons = [{ id: "poster", quantity: 2 }];
    const hold = heldOf(await holdSeats(db, event, who, ["A-1-1"], { addons }));
    expect(hold.total).toEqual({ amount: 10_200, currency: "TRY" });
    expect(await release(db, event, hold.id, stranger)).toEqual({ result: "not_found" });
    const answers = await Promise.all([1, 2, 3].map(() => release(db, event, hold.id, who)));
    expect(answers.map(({ result }) => result)).toEqual(["released", "released", "released"]);
    expect(await statusOf(db, event)).toEqual({ available: 40 });
    expect(await counterOf(db, event, who)).toEqual({ held: 0, sold: 0 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("of a hold whose seats others have by now takes nothing from them", async () => {
    const event = await putHouse(db);
    const [who, next] = [person(), person()];
    const hold = heldOf(await holdSeats(db, event, who, ["A-1-1"]));
    await age(db, event, hold.id);
    const theirs = await holdSeats(db, event, next, ["A-1-1"]);
    expect(theirs.result).toBe("held");
    expect((await release(db, event, hold.id, who)).result).toBe("released");
    expect(await statusOf(db, event)).toEqual({ available: 39, held: 1 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });
});

describe("add-ons", () => {
  it("come with the hold, never under zero, and seats stay free when they are sold out", async () => {
    const event = await putHouse(db, {
      addons: [{ id: "shirt", name: "Shirt", price: 500, stock: 5, variants: ["S", "M"] }],
    });
    const addons = [{ id: "shirt", variant: "M", quantity: 2 }];
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        holdSeats(db, event, person(), [`A-${1 + (index % 4)}-${1 + index}`], { addons }),
      ),
    );
    expect(verdicts.filter(({ result }) => result === "held")).toHaveLength(2);
    expect(verdicts.filter(({ result }) => result === "addon_sold_out")).toHaveLength(8);
    expect(await statusOf(db, event)).toEqual({ available: 38, held: 2 });
    expect(
      await holdSeats(db, event, person(), ["A-4-1"], { addons: [{ id: "hat", quantity: 1 }] }),
    ).toMatchObject({ result: "unknown_addon", addon: "hat" });
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("come back when the hold's time is over, without a sweeper", async () => {
    const event = await putHouse(db, {
      addons: [{ id: "poster", name: "Poster", price: 100, stock: 1 }],
    });
    const addons = [{ id: "poster", quantity: 1 }];
    const first = heldOf(await holdZone(db, event, person(), 1, { addons }));
    await age(db, event, first.id);
    expect((await holdSeats(db, event, person(), ["A-1-1"], { addons })).result).toBe("held");
    expect(await findDisagreements(db, event)).toEqual([]);
  });
});
