import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "../../../core/db/db.ts";
import { type House, openHouse } from "../house.ts";
import { counterOf, findDisagreements } from "./agreement.ts";
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

const three = (event: string, who = person()) => [
  () => holdSeats(db, event, who, ["A-1-1", "A-1-2", "A-1-3"]),
  () => holdBest(db, event, who, { quantity: 3 }),
  () => holdZone(db, event, who, 3),
];

describe("limits", () => {
  it("per order hold for every kind of hold, and nothing is held", async () => {
    const event = await putHouse(db, { perOrderMax: 2 });
    for (const ask of three(event))
      expect(await ask()).toEqual({ result: "limit_exceeded", limit: "order", max: 2 });
    expect((await holdZone(db, event, person(), 200)).result).toBe("limit_exceeded");
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("per account count what is bought and what is held, also across parallel requests", async () => {
    const event = await putHouse(db, { perAccountMax: 5, capacity: 100 });
    await db.write("update events set holds_per_person = 20 where event_id = $1", [event]);
    const who = person({ account: "issuer|someone" });
    const first = heldOf(await holdSeats(db, event, who, ["A-1-1", "A-1-2"]));
    await db.call("sell_lines", [event, first.id, "ord_1"]);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? holdZone(db, event, { ...who, place: `plc_${index}` }, 1)
          : holdSeats(db, event, { ...who, place: `plc_${index}` }, [`A-2-${1 + (index % 10)}`]),
      ),
    );
    expect(verdicts.filter(({ result }) => result === "held")).toHaveLength(3);
    const refused = verdicts.find(({ result }) => result === "limit_exceeded");
    expect(refused).toMatchObject({ limit: "account", max: 5, remaining: 0 });
    expect(await counterOf(db, event, who)).toEqual({ held: 3, sold: 2 });
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("lowered below what somebody holds refuse more, and let what is held be bought", async () => {
    const event = await putHouse(db, { perAccountMax: 4, perOrderMax: 4 });
    const who = person();
    const hold = heldOf(await holdSeats(db, event, who, ["A-1-1", "A-1-2", "A-1-3"]));
    await putHouse(db, { perAccountMax: 1, perOrderMax: 1 }, event);
    const sold = await db.call<{ result: string }>("sell_lines", [event, hold.id, "ord_1"]);
    expect(sold.result).toBe("sold");
    expect((await holdZone(db, event, who, 1)).result).toBe("limit_exceeded");
    expect(await counterOf(db, event, who)).toEqual({ held: 0, sold: 3 });
  });

  it("come back with a release", async () => {
    const event = await putHouse(db, { perAccountMax: 3 });
    const who = person();
    const hold = heldOf(await holdZone(db, event, who, 3));
    await release(db, event, hold.id, who);
    expect((await holdZone(db, event, who, 3)).result).toBe("held");
  });
});

describe("the sale window", () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  it("is refused before with the opening time, and after its end", async () => {
    const opensAt = inMs(60_000);
    const early = await putHouse(db, { saleOpensAt: opensAt });
    for (const ask of three(early))
      expect(await ask()).toEqual({ result: "sale_not_open", opensAt });
    const late = await putHouse(db, { saleClosesAt: inMs(-1_000) });
    for (const ask of three(late)) expect(await ask()).toEqual({ result: "sale_closed" });
  });

  it("by the database clock: refused one millisecond before, accepted at the instant", async () => {
    const alone = await openHouse();
    try {
      const at = (instant: string) =>
        alone.deps.db.write(
          `create or replace function sale_clock() returns timestamptz language sql volatile as
           $$ select timestamptz '${instant}' $$`,
        );
      // In Istanbul this is noon, and no clock of any process knows it.
      const event = await putHouse(alone.deps.db, { saleOpensAt: "2031-05-01T12:00:00+03:00" });
      await at("2031-05-01 08:59:59.999+00");
      expect((await holdSeats(alone.deps.db, event, person(), ["A-1-1"])).result).toBe(
        "sale_not_open",
      );
      await at("2031-05-01 09:00:00+00");
      expect((await holdSeats(alone.deps.db, event, person(), ["A-1-1"])).result).toBe("held");
    } finally {
      await alone.close();
    }
  });

  it("of a cancelled event is closed", async () => {
    const event = await putHouse(db);
    await db.write("update events set state = 'cancelled' where event_id = $1", [event]);
    expect((await holdZone(db, event, person(), 1)).result).toBe("sale_closed");
  });
});

describe("an admission", () => {
  it("that was closed, or is of an older generation, holds nothing more", async () => {
    const event = await putHouse(db);
    const who = person({ gen: 2 });
    const hold = heldOf(await holdZone(db, event, who, 1));
    await release(db, event, hold.id, who);
    expect((await holdZone(db, event, { ...who, gen: 1 }, 1)).result).toBe("admission_closed");
    expect((await holdZone(db, event, { ...who, gen: 3 }, 1)).result).toBe("held");
    expect((await holdSeats(db, event, who, ["A-1-1"])).result).toBe("admission_closed");
    await db.call("close_admission", [event, who.place, 3]);
    expect((await holdZone(db, event, { ...who, gen: 3 }, 1)).result).toBe("admission_closed");
  });

  it("from before the room's reset is refused, one from after it is not", async () => {
    const event = await putHouse(db);
    await db.call("raise_admissions_not_before", [event, new Date().toISOString()]);
    expect((await holdZone(db, event, person({ iat: Date.now() - 60_000 }), 1)).result).toBe(
      "admission_closed",
    );
    expect((await holdZone(db, event, person({ iat: Date.now() + 1_000 }), 1)).result).toBe("held");
  });

  it("is written down by the first hold", async () => {
    const event = await putHouse(db);
    const who = person({ gen: 4 });
    await holdZone(db, event, who, 1);
    const rows = await db.read<{ gen: number; used: boolean }>(
      `select gen, first_used_at is not null as used from admissions
       where event_id = $1 and place = $2`,
      [event, who.place],
    );
    expect(rows).toEqual([{ gen: 4, used: true }]);
  });
});

describe("a countdown", () => {
  const lasts = (hold: { expiresAt: string; now: string }) =>
    Math.round((Date.parse(hold.expiresAt) - Date.parse(hold.now)) / 1_000);

  it("is the event's, and shorter for who let holds run out again and again", async () => {
    const event = await putHouse(db, { holdMs: 480_000 });
    const who = person();
    const seconds: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      const hold = heldOf(await holdZone(db, event, who, 2));
      seconds.push(lasts(hold));
      await age(db, event, hold.id, 500);
      if (times % 2 === 0) await sweep(db, event);
    }
    expect(seconds).toEqual([480, 480, 240, 120, 60, 60]);
    expect(lasts(heldOf(await holdZone(db, event, person(), 2)))).toBe(480);
  });

  it("is not shortened by holds that were given back", async () => {
    const event = await putHouse(db);
    const who = person();
    for (let times = 0; times < 4; times += 1)
      await release(db, event, heldOf(await holdZone(db, event, who, 2)).id, who);
    expect(lasts(heldOf(await holdZone(db, event, who, 2)))).toBe(600);
  });
});

describe("abandoned maximum carts", () => {
  it("never end as sold out with nothing sold", async () => {
    const event = await putHouse(db, {
      sections: [{ id: "A", rows: rowsOf(4, 8) }],
      capacity: 16,
    });
    for (let wave = 0; wave < 3; wave += 1) {
      const verdicts = [
        ...(await Promise.all(
          Array.from({ length: 4 }, () => holdBest(db, event, person(), { quantity: 8 })),
        )),
        ...(await Promise.all([1, 2].map(() => holdZone(db, event, person(), 8)))),
      ];
      expect(verdicts.map(({ result }) => result)).toEqual(Array(6).fill("held"));
      await age(db, event, null);
    }
    expect(await findDisagreements(db, event)).toEqual([]);
  });
});
