import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "../../../core/db/db.ts";
import { type House, openHouse } from "../house.ts";
import { counterOf, findDisagreements, statusOf } from "./agreement.ts";
import {
  age,
  heldOf,
  holdBest,
  holdSeats,
  holdZone,
  manyConnections,
  person,
  putHouse,
  release,
  rowsOf,
  sweep,
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

const sellAll = async (event: string, seats: number) => {
  const verdicts = await Promise.all(
    Array.from({ length: seats / 4 }, () => holdBest(db, event, person(), { quantity: 4 })),
  );
  return verdicts.map(heldOf);
};

describe("without the sweeper", () => {
  it("every hold function takes back what is due in its own way", async () => {
    const event = await putHouse(db, {
      sections: [{ id: "A", rows: rowsOf(2, 8) }],
      capacity: 6,
    });
    await sellAll(event, 16);
    for (let index = 0; index < 3; index += 1) heldOf(await holdZone(db, event, person(), 2));
    expect((await holdBest(db, event, person(), { quantity: 1 })).result).toBe("sold_out");
    expect((await holdZone(db, event, person(), 1)).result).toBe("sold_out");
    await age(db, event, null);
    expect((await holdSeats(db, event, person(), ["A-1-1", "A-2-8"])).result).toBe("held");
    expect((await holdBest(db, event, person(), { quantity: 4 })).result).toBe("held");
    expect((await holdZone(db, event, person(), 6)).result).toBe("held");
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("a seat found due by its own columns is free, whatever the row's record says", async () => {
    const event = await putHouse(db, { sections: [{ id: "A", rows: rowsOf(1, 4) }] });
    heldOf(await holdBest(db, event, person(), { quantity: 4 }));
    await db.write(
      "update seats set held_until = now() - interval '1 second' where event_id = $1 and status = 'held'",
      [event],
    );
    expect((await holdSeats(db, event, person(), ["A-1-2"])).result).toBe("held");
    expect((await holdBest(db, event, person(), { quantity: 3, together: false })).result).toBe(
      "held",
    );
  });

  it("one's own due units do not stand in the way of one's limit", async () => {
    const event = await putHouse(db, { perAccountMax: 4, perOrderMax: 4 });
    const who = person();
    const hold = heldOf(await holdSeats(db, event, who, ["A-1-1", "A-1-2", "A-2-1", "A-2-2"]));
    await age(db, event, hold.id);
    expect((await holdZone(db, event, who, 4)).result).toBe("held");
    expect(await counterOf(db, event, who)).toEqual({ held: 4, sold: 0 });
    expect(await statusOf(db, event)).toEqual({ available: 40 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("a burst on a house whose holds are all due sells every seat", async () => {
    const event = await putHouse(db, { sections: [{ id: "A", rows: rowsOf(10, 8) }] });
    await sellAll(event, 80);
    await age(db, event, null);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, () => holdBest(db, event, person(), { quantity: 4 })),
    );
    const late: typeof verdicts = [];
    for (const verdict of verdicts.filter(({ result }) => result !== "held")) {
      expect(verdict.result).toBe("contended");
      late.push(await holdBest(db, event, person(), { quantity: 4 }));
    }
    expect(late.every(({ result }) => result === "held")).toBe(true);
    expect(await statusOf(db, event)).toEqual({ held: 80 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });
});

describe("the sweeper", () => {
  it("gives back everything that is due, once, and the counters agree to the unit", async () => {
    const event = await putHouse(db, {
      sections: [{ id: "A", rows: rowsOf(4, 8) }],
      capacity: 40,
      addons: [{ id: "poster", name: "Poster", price: 1, stock: 9 }],
    });
    await sellAll(event, 32);
    const addons = [{ id: "poster", quantity: 1 }];
    for (let index = 0; index < 9; index += 1)
      heldOf(await holdZone(db, event, person(), 2, { addons }));
    expect(await sweep(db, event)).toMatchObject({ swept: 0 });
    await age(db, event, null);
    const swept = await Promise.all([1, 2, 3].map(() => sweep(db, event, 10)));
    await sweep(db, event);
    expect(swept.every((answer) => answer.swept <= 10)).toBe(true);
    expect(await statusOf(db, event)).toEqual({ available: 32 });
    const [zone] = await db.read<{ held: number }>(
      "select held from zones where event_id = $1 and zone_id = 'floor'",
      [event],
    );
    expect(zone).toEqual({ held: 0 });
    const [counters] = await db.read<{ units: number }>(
      "select sum(held + sold)::int as units from purchase_counters where event_id = $1",
      [event],
    );
    expect(counters).toEqual({ units: 0 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("ends holds that others have taken the units of, and leaves those units alone", async () => {
    const event = await putHouse(db);
    const first = heldOf(await holdSeats(db, event, person(), ["A-1-1", "A-1-2"]));
    await age(db, event, first.id);
    const next = heldOf(await holdSeats(db, event, person(), ["A-1-1"]));
    await sweep(db, event);
    const states = await db.read<{ id: string; state: string }>(
      "select id, state from holds where event_id = $1 order by created_at",
      [event],
    );
    expect(states).toEqual([
      { id: first.id, state: "expired" },
      { id: next.id, state: "live" },
    ]);
    expect(await statusOf(db, event)).toEqual({ available: 39, held: 1 });
  });

  it("and lazy expiry at once count each unit once", async () => {
    const event = await putHouse(db, { sections: [{ id: "A", rows: rowsOf(5, 8) }] });
    await sellAll(event, 40);
    await age(db, event, null);
    await Promise.all([
      ...Array.from({ length: 5 }, () => sweep(db, event, 5)),
      ...Array.from({ length: 20 }, (_, index) =>
        holdSeats(db, event, person(), [`A-${1 + (index % 5)}-${1 + (index % 8)}`]),
      ),
    ]);
    await sweep(db, event);
    expect(await findDisagreements(db, event)).toEqual([]);
  });
});

describe("a hold that is being paid for", () => {
  const protect = (event: string, hold: string, minutes: number) =>
    db.call<{ result: string }>("protect_lines", [
      event,
      hold,
      new Date(Date.now() + minutes * 60_000),
    ]);

  it("is nobody else's after its own time, and everybody's after the protection", async () => {
    const event = await putHouse(db, { capacity: 2 });
    const who = person();
    const hold = heldOf(await holdSeats(db, event, who, ["A-1-1"]));
    const standing = heldOf(await holdZone(db, event, person(), 2));
    for (const id of [hold.id, standing.id])
      expect((await protect(event, id, 15)).result).toBe("protected");
    await age(db, event, null, 700);
    await db.write(
      `update seats set paying_until = now() + interval '4 minutes'
       where event_id = $1 and status = 'held'`,
      [event],
    );
    expect((await holdSeats(db, event, person(), ["A-1-1"])).result).toBe("seats_unavailable");
    expect((await holdZone(db, event, person(), 1)).result).toBe("sold_out");
    expect(await sweep(db, event)).toMatchObject({ swept: 0 });
    expect((await release(db, event, hold.id, who)).result).toBe("attempt_in_flight");
    await age(db, event, null, 700);
    expect((await holdSeats(db, event, person(), ["A-1-1"])).result).toBe("held");
    expect((await holdZone(db, event, person(), 1)).result).toBe("held");
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("is not protected once it is due, or when its thirty minutes are nearly over", async () => {
    const event = await putHouse(db);
    const late = heldOf(await holdSeats(db, event, person(), ["A-1-1"]));
    await age(db, event, late.id);
    expect((await protect(event, late.id, 15)).result).toBe("hold_expired");
    const old = heldOf(await holdSeats(db, event, person(), ["A-1-2"]));
    await db.write(
      "update holds set cap_at = now() + interval '90 seconds', expires_at = now() + interval '80 seconds' where id = $1",
      [old.id],
    );
    expect((await protect(event, old.id, 15)).result).toBe("hold_too_short");
  });

  it("keeps what is left of its own time when the payment failed", async () => {
    const event = await putHouse(db);
    const who = person();
    const hold = heldOf(await holdSeats(db, event, who, ["A-1-1"]));
    await protect(event, hold.id, 15);
    await db.call("unprotect_lines", [event, hold.id]);
    const again = heldOf(await holdSeats(db, event, who, ["A-1-1"]));
    expect(again.expiresAt).toBe(hold.expiresAt);
    await age(db, event, hold.id);
    expect((await holdSeats(db, event, person(), ["A-1-1"])).result).toBe("held");
  });
});

describe("lines after a payment", () => {
  const sell = (event: string, hold: string, order: string) =>
    db.call<{ result: string; lost?: string[] }>("sell_lines", [event, hold, order]);

  it("are sold once and together; a repeat says so", async () => {
    const event = await putHouse(db);
    const who = person();
    const hold = heldOf(await holdSeats(db, event, who, ["A-1-1", "A-1-2"]));
    const answers = await Promise.all([1, 2, 3].map(() => sell(event, hold.id, "ord_1")));
    expect(answers.every(({ result }) => result === "sold")).toBe(true);
    expect(await statusOf(db, event)).toEqual({ available: 38, sold: 2 });
    expect(await counterOf(db, event, who)).toEqual({ held: 0, sold: 2 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("of which one was lost are not sold at all, and can be taken again or replaced", async () => {
    const event = await putHouse(db, { sections: [{ id: "A", rows: rowsOf(2, 4) }] });
    const hold = heldOf(await holdSeats(db, event, person(), ["A-1-1", "A-1-2"]));
    await age(db, event, hold.id);
    const thief = person();
    const theirs = heldOf(await holdSeats(db, event, thief, ["A-1-1"]));
    expect(await sell(event, hold.id, "ord_1")).toEqual({
      result: "lost",
      lost: ["A-1-1", "A-1-2"],
    });
    const retake = (equal: boolean) =>
      db.call<{ result: string; reseated?: { from: string; to: string }[] }>("retake_lines", [
        event,
        hold.id,
        equal,
      ]);
    expect((await retake(false)).result).toBe("lost");
    expect(await findDisagreements(db, event)).toEqual([]);
    const retaken = await retake(true);
    expect(retaken).toMatchObject({ result: "retaken", reseated: [{ from: "A-1-1" }] });
    expect((await sell(event, hold.id, "ord_1")).result).toBe("sold");
    expect(await statusOf(db, event)).toEqual({ available: 5, held: 1, sold: 2 });
    expect((await release(db, event, theirs.id, thief)).result).toBe("released");
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("that nobody has taken are taken again as they were", async () => {
    const event = await putHouse(db, { capacity: 3 });
    const hold = heldOf(await holdZone(db, event, person(), 3));
    await age(db, event, hold.id);
    await sweep(db, event);
    const retaken = await db.call<{ result: string }>("retake_lines", [event, hold.id, false]);
    expect(retaken.result).toBe("retaken");
    expect((await sell(event, hold.id, "ord_1")).result).toBe("sold");
    expect((await holdZone(db, event, person(), 1)).result).toBe("sold_out");
    expect(await findDisagreements(db, event)).toEqual([]);
  });
});
