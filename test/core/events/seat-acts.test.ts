import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDisagreements, statusOf } from "../holds/agreement.ts";
import { age, heldOf, holdSeats, person, putHouse } from "../holds/inventory.ts";
import { type House, openHouse } from "../house.ts";

let house: House;
let bearer: { authorization: string };
beforeAll(async () => {
  house = await openHouse();
  bearer = { authorization: `Bearer ${await house.organizerToken()}` };
});
afterAll(() => house.close());

const db = () => house.deps.db;
const reason = "a test";
const act = (event: string, path: string, body: unknown) =>
  house.request("POST", `/v1/organizer/events/${event}/${path}`, { body, headers: bearer });

describe("blocking seats", () => {
  it("takes them off sale and puts them back, and leaves held and sold ones alone", async () => {
    const event = await putHouse(db());
    const held = heldOf(await holdSeats(db(), event, person(), ["A-1-1"]));
    const refused = await act(event, "seats/block", { seats: ["A-1-1", "A-1-2"], reason });
    expect([refused.status, refused.body["unavailable"]]).toEqual([409, ["A-1-1"]]);
    const done = await act(event, "seats/block", { seats: ["A-1-2", "A-1-3"], reason });
    expect([done.status, done.body]).toEqual([200, { seats: ["A-1-2", "A-1-3"] }]);
    expect((await holdSeats(db(), event, person(), ["A-1-2"])).result).toBe("seats_unavailable");
    expect((await act(event, "seats/block", { seats: ["A-1-2"], reason })).body).toEqual({
      seats: [],
    });
    await act(event, "seats/unblock", { seats: ["A-1-2"], reason });
    expect((await holdSeats(db(), event, person(), ["A-1-2"])).result).toBe("held");
    await age(db(), event, held.id);
    expect((await act(event, "seats/block", { seats: ["A-1-1"], reason })).status).toBe(200);
    expect((await act(event, "seats/block", { seats: ["Z-1-1"], reason })).body["code"]).toBe(
      "unknown_seat",
    );
    expect(await findDisagreements(db(), event)).toEqual([]);
    const audit = await house.request("GET", `/v1/organizer/audit?event=${event}`, {
      headers: bearer,
    });
    const lines = audit.body["lines"];
    const actions = Array.isArray(lines)
      ? lines.map((line: { action: string }) => line.action)
      : [];
    expect(actions).toEqual([
      "seats.block",
      "seats.unblock",
      "seats.block",
      "seats.block",
      "event.create",
    ]);
  });
});

describe("complimentary seats", () => {
  it("are an order of nothing with tickets, also of blocked seats, never of taken ones", async () => {
    const event = await putHouse(db());
    await act(event, "seats/block", { seats: ["A-1-1"], reason });
    await holdSeats(db(), event, person(), ["A-1-3"]);
    const buyer = { email: "guest@example.com", name: "A guest" };
    const given = await act(event, "complimentary", { seats: ["A-1-1", "A-1-2"], buyer, reason });
    expect(given.status).toBe(201);
    expect(given.body).toMatchObject({ seats: ["A-1-1", "A-1-2"] });
    const [order] = await db().read<{ state: string; complimentary: boolean; tickets: number }>(
      `select state, complimentary,
         (select count(*)::int from tickets t where t.order_id = o.id) as tickets
       from orders o where id = $1`,
      [String(given.body["order"])],
    );
    expect(order).toEqual({ state: "paid", complimentary: true, tickets: 2 });
    const taken = await act(event, "complimentary", { seats: ["A-1-2", "A-1-3"], buyer, reason });
    expect([taken.status, taken.body["unavailable"]]).toEqual([409, ["A-1-2", "A-1-3"]]);
    expect(await statusOf(db(), event)).toEqual({ available: 37, held: 1, sold: 2 });
    expect(await findDisagreements(db(), event)).toEqual([]);
  });
});
