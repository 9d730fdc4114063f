// More time on request, and what is said when a hold's time is over.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "../../../core/db/db.ts";
import { extendSlotHandler } from "../../../core/jobs/extend-slot.ts";
import { jobCtx } from "../../../core/jobs/schedule.ts";
import { type House, openHouse, type Shopper } from "../house.ts";
import { findDisagreements } from "./agreement.ts";
import { age, heldOf, holdSeats, holdZone, person, putHouse, release, sweep } from "./inventory.ts";

let house: House;
let db: Db;
beforeAll(async () => {
  house = await openHouse();
  db = house.deps.db;
});
afterAll(() => house.close());

const MINUTE_MS = 60_000;
const addons = [{ id: "poster", name: "Poster", price: 1, stock: 9 }];

async function hold(event: string, body: object) {
  const fan = await house.shopper(event);
  const made = await fan.call("POST", `/v1/events/${event}/holds`, { body });
  expect(made.status, made.text).toBe(201);
  return { fan, id: String(made.body["id"]), endMs: Date.parse(String(made.body["expiresAt"])) };
}
const extend = (fan: Shopper, id: string) => fan.call("POST", `/v1/holds/${id}/extend`);

describe("POST /v1/holds/{id}/extend", () => {
  it("gives as long again, once, for every kind of unit; asked again it moves nothing", async () => {
    const event = await putHouse(db, { holdMs: 10 * MINUTE_MS, addons });
    for (const body of [
      { seats: ["A-1-1", "A-1-2"], addons: [{ id: "poster", quantity: 1 }] },
      { zone: "floor", quantity: 2 },
    ]) {
      const { fan, id, endMs } = await hold(event, body);
      const more = await extend(fan, id);
      expect(more.status, more.text).toBe(200);
      expect(more.body["extended"]).toBe(true);
      expect(Date.parse(String(more.body["expiresAt"]))).toBe(endMs + 10 * MINUTE_MS);
      const again = await extend(fan, id);
      expect([again.status, again.body["expiresAt"]]).toEqual([200, more.body["expiresAt"]]);
      expect((await fan.call("GET", `/v1/holds/${id}`)).body["extended"]).toBe(true);
    }
    const untils = await db.read<{ until: string }>(
      `select iso_time(held_until) as until from seats where event_id = $1 and status = 'held'
       union all select iso_time(due_at) from rows where event_id = $1 and due_at is not null
       union all select iso_time(held_until) from hold_zones where event_id = $1
       union all select iso_time(held_until) from hold_addons where event_id = $1`,
      [event],
    );
    expect(untils).toHaveLength(5);
    for (const { until } of untils)
      expect(Date.parse(until)).toBeGreaterThan(Date.now() + 19 * MINUTE_MS);
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("ends with the thirty minutes that no hold may pass", async () => {
    const event = await putHouse(db, { holdMs: 15 * MINUTE_MS });
    const { fan, id } = await hold(event, { seats: ["A-1-1"] });
    await db.write("update holds set cap_at = created_at + interval '20 minutes' where id = $1", [
      id,
    ]);
    const more = await extend(fan, id);
    const [row] = await db.read<{ left: number }>(
      "select extract(epoch from cap_at - expires_at)::float8 as left from holds where id = $1",
      [id],
    );
    expect([more.status, row?.left]).toEqual([200, 0]);
  });

  it("is its owner's alone, and nobody's when the hold has ended", async () => {
    const event = await putHouse(db, {});
    const { fan, id } = await hold(event, { seats: ["A-1-1"] });
    expect((await extend(await house.shopper(event), id)).status).toBe(404);
    expect((await house.request("POST", `/v1/holds/${id}/extend`)).status).toBe(401);
    await age(db, event, id);
    expect((await extend(fan, id)).body["code"]).toBe("hold_expired");
    const other = await hold(event, { seats: ["A-1-3"] });
    await other.fan.call("DELETE", `/v1/holds/${other.id}`);
    expect((await extend(other.fan, other.id)).body["code"]).toBe("hold_not_live");
  });

  it("many times at once is one extension, and the gate keeps the slot as long", async () => {
    const event = await putHouse(db, { holdMs: 5 * MINUTE_MS });
    const { fan, id, endMs } = await hold(event, { seats: ["A-1-1"] });
    const answers = await Promise.all(Array.from({ length: 5 }, () => extend(fan, id)));
    const untilMs = endMs + 5 * MINUTE_MS;
    for (const { body } of answers) expect(Date.parse(String(body["expiresAt"]))).toBe(untilMs);
    const told = await db.read<{ id: string; payload: Record<string, unknown> }>(
      "select id, payload from outbox where event_id = $1 and kind = 'hold.extended'",
      [event],
    );
    expect(told).toMatchObject([{ payload: { hold: id, place: fan.place, untilMs } }]);
    const [row] = told;
    if (row)
      await extendSlotHandler.handle(jobCtx(house.deps, "test", "req_test"), {
        ...row,
        kind: "hold.extended",
      });
    expect(house.gate.notes.at(-1)).toMatchObject({
      path: `/api/rooms/${event}/slots/${fan.place}`,
      body: { action: "extend", untilMs },
    });
  });
});

describe("a hold whose time is over", () => {
  const told = async (event: string) =>
    (
      await db.read<{ hold: string }>(
        `select payload ->> 'hold' as hold from outbox
         where event_id = $1 and kind = 'hold.expired' order by 1`,
        [event],
      )
    ).map((row) => row.hold);

  it("is told once, found by the sweeper, by others, or by both", async () => {
    const event = await putHouse(db, { capacity: 4, addons });
    const one = heldOf(await holdSeats(db, event, person(), ["A-1-1", "A-2-1"]));
    const two = heldOf(await holdZone(db, event, person(), 4));
    const poster = [{ id: "poster", quantity: 9 }];
    const three = heldOf(await holdSeats(db, event, person(), ["A-3-1"], { addons: poster }));
    const four = heldOf(await holdSeats(db, event, person(), ["A-4-1"]));
    await age(db, event, null);
    // Lazily: one of the first's two seats, the zone, and the add-on of the third.
    heldOf(await holdSeats(db, event, person(), ["A-1-1"]));
    heldOf(await holdZone(db, event, person(), 1));
    heldOf(await holdSeats(db, event, person(), ["A-1-5"], { addons: poster }));
    expect(await told(event)).toEqual([one.id, two.id, three.id].sort());
    await Promise.all([sweep(db, event), sweep(db, event)]);
    expect(await told(event)).toEqual([one.id, two.id, three.id, four.id].sort());
    expect(await findDisagreements(db, event)).toEqual([]);
  });

  it("and which its owner gave back in time is not", async () => {
    const event = await putHouse(db, {});
    const who = person();
    const { id } = heldOf(await holdSeats(db, event, who, ["A-1-1"]));
    await release(db, event, id, who);
    await sweep(db, event);
    expect(await told(event)).toEqual([]);
  });
});
