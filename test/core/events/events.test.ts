import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeEventId } from "../../support/events.ts";
import { findDisagreements, statusOf } from "../holds/agreement.ts";
import {
  age,
  describeHouse,
  type HouseChanges,
  heldOf,
  holdBest,
  holdSeats,
  holdZone,
  person,
  rowsOf,
  seatsOf,
} from "../holds/inventory.ts";
import { type House, openHouse } from "../house.ts";

let house: House;
let bearer: { authorization: string };
beforeAll(async () => {
  house = await openHouse();
  bearer = { authorization: `Bearer ${await house.organizerToken()}` };
});
afterAll(() => house.close());

const db = () => house.deps.db;
const put = (event: string, body: unknown) =>
  house.request("PUT", `/v1/organizer/events/${event}`, { body, headers: bearer });
const describeBody = (changes: HouseChanges = {}) => describeHouse(changes);

describe("PUT /v1/organizer/events/{event}", () => {
  it("creates, then changes, and the public reads it", async () => {
    const event = makeEventId();
    const body = describeBody({ addons: [{ id: "shirt", name: "Shirt", price: 5, stock: 2 }] });
    const made = await put(event, body);
    expect([made.status, made.body]).toEqual([201, { event, seats: 40 }]);
    const changed = await put(event, { ...body, name: "Another evening" });
    expect([changed.status, changed.body]).toEqual([200, { event, seats: 40 }]);
    const read = await house.request("GET", `/v1/events/${event}`);
    expect(read.body).toMatchObject({
      id: event,
      name: "Another evening",
      saleOpensAt: "2020-01-01T00:00:00.000Z",
      timeZone: "Europe/Istanbul",
      limits: { perOrder: 8, perAccount: 8 },
      zones: [
        {
          id: "stalls",
          kind: "seated",
          price: { amount: 10_000, currency: "TRY" },
          soldOut: false,
        },
        { id: "floor", kind: "standing", soldOut: false },
      ],
      sections: [{ id: "A", name: "Section A" }],
      addons: [{ id: "shirt", soldOut: false }],
      fees: { amount: 0, currency: "TRY" },
    });
    const priced = { ...body, fees: { perTicket: 500, perOrder: 300, taxBasisPoints: 2_000 } };
    const zones = body.zones.map((zone) => (zone.id === "floor" ? { ...zone, fee: 0 } : zone));
    expect((await put(event, { ...priced, zones })).status).toBe(200);
    expect((await house.request("GET", `/v1/events/${event}`)).body).toMatchObject({
      fees: { amount: 500, currency: "TRY" },
      orderFee: { amount: 300, currency: "TRY" },
      taxBasisPoints: 2_000,
      zones: [{ id: "stalls" }, { id: "floor", fee: { amount: 0, currency: "TRY" } }],
    });
    const list = await house.request("GET", "/v1/events");
    expect(JSON.stringify(list.body["events"])).toContain(event);
    expect((await house.request("GET", "/v1/events/nothing-here")).body["code"]).toBe(
      "unknown_event",
    );
  });

  it("gives back what was put, so that a part can be changed", async () => {
    const event = makeEventId();
    const sections = [
      {
        id: "A",
        rows: [
          { id: "1", zone: "stalls", seats: [1, 2, 3, 7], accessible: [1], companions: [2] },
          { id: "2", zone: "stalls", seats: 5 },
        ],
      },
    ];
    const addons = [{ id: "shirt", name: "Shirt", price: 5, stock: 2, variants: ["M", "S"] }];
    const fees = { perTicket: 500, perOrder: 0, taxBasisPoints: 1_900 };
    await put(
      event,
      describeBody({ sections, addons, fees, saleClosesAt: "2039-01-01T00:00:00.000Z" }),
    );
    const read = await house.request("GET", `/v1/organizer/events/${event}`, { headers: bearer });
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({ sections, addons, fees });
    expect((await put(event, read.body)).status).toBe(200);
    const again = await house.request("GET", `/v1/organizer/events/${event}`, { headers: bearer });
    expect(again.body).toEqual(read.body);
  });

  it("is an organizer's alone, and refuses bad descriptions naming the field", async () => {
    const event = makeEventId();
    const body = describeBody();
    const bare = await house.request("PUT", `/v1/organizer/events/${event}`, { body });
    expect([bare.status, bare.body["code"]]).toEqual([401, "organizer_required"]);
    const cases: [object, string][] = [
      [{ ...body, colour: "red" }, "colour"],
      [{ ...body, timeZone: "Mars/Olympus" }, "timeZone"],
      [{ ...body, perOrderMax: 0 }, "perOrderMax"],
      [{ ...body, saleOpensAt: "0000-01-01T00:00:00Z" }, "saleOpensAt"],
      [{ ...body, startsAt: "9999-12-31T23:59:59-01:00" }, "startsAt"],
      [{ ...body, fees: { perTicket: -1 } }, "fees.perTicket"],
      [{ ...body, fees: { taxBasisPoints: 10_001 } }, "fees.taxBasisPoints"],
      [{ ...body, zones: body.zones.map((zone) => ({ ...zone, fee: 0.5 })) }, "zones.0.fee"],
      [{ ...body, saleClosesAt: "2019-01-01T00:00:00Z" }, "saleClosesAt"],
      [
        {
          ...body,
          sections: [
            { id: "A", name: "A", rows: rowsOf(1, 2).map((row) => ({ ...row, zone: "x" })) },
          ],
        },
        "sections.0.rows.0.zone",
      ],
    ];
    for (const [bad, field] of cases) {
      const answer = await put(event, bad);
      expect([answer.status, answer.body["code"]], field).toEqual([422, "invalid_request"]);
      expect(JSON.stringify(answer.body["errors"])).toContain(`"${field}"`);
    }
    expect((await put("NOT_AN_EVENT", body)).status).toBe(422);
  });

  it("loads a stadium of 60,000 seats, and a change of it, without losing one", async () => {
    const event = makeEventId();
    const sections = Array.from({ length: 30 }, (_, index) => ({
      id: `S${index + 1}`,
      rows: rowsOf(80, 25),
    }));
    const made = await put(event, describeBody({ sections }));
    expect([made.status, made.body["seats"]]).toEqual([201, 60_000]);
    const sold = await holdBest(db(), event, person(), { quantity: 4 });
    await db().call("sell_lines", [event, heldOf(sold).id, "ord_1"]);
    const changed = await put(event, describeBody({ sections: sections.slice(0, 29) }));
    expect([changed.status, changed.body["seats"]]).toEqual([200, 58_000]);
    expect(await statusOf(db(), event)).toEqual({ available: 57_996, sold: 4 });
  });
});

describe("a change of an event with sales", () => {
  const sold = async () => {
    const event = makeEventId();
    await put(event, describeBody({ capacity: 10 }));
    const seats = heldOf(await holdSeats(db(), event, person(), ["A-1-1", "A-1-2"]));
    await db().call("sell_lines", [event, seats.id, "ord_1"]);
    const places = heldOf(await holdZone(db(), event, person(), 4));
    await db().call("sell_lines", [event, places.id, "ord_2"]);
    return event;
  };

  it("that would lose a sold seat or place is refused, naming it, and changes nothing", async () => {
    const event = await sold();
    const held = heldOf(await holdSeats(db(), event, person(), ["A-1-3"]));
    const without = await put(
      event,
      describeBody({ sections: [{ id: "A", rows: rowsOf(4, 10).slice(1) }], capacity: 3 }),
    );
    expect([without.status, without.body["code"]]).toEqual([409, "event_in_use"]);
    expect(without.body["problems"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: "seat", id: "A-1-1" }),
        expect.objectContaining({ what: "seat", id: "A-1-3" }),
        expect.objectContaining({ what: "zone", id: "floor" }),
      ]),
    );
    expect(await statusOf(db(), event)).toEqual({ available: 37, held: 1, sold: 2 });
    const otherCurrency = await put(event, { ...describeBody({ capacity: 10 }), currency: "EUR" });
    expect(otherCurrency.body["code"]).toBe("event_in_use");
    // What is only held and due is no reason.
    await age(db(), event, held.id);
    const rows = rowsOf(4, 10).map((row) => ({ ...row, seats: row.id === "1" ? 2 : 10 }));
    expect((await put(event, describeBody({ sections: [{ id: "A", rows }] }))).status).toBe(200);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });

  it("that raises the capacity sells more, and one that lowers it to the sold sells no more", async () => {
    const event = await sold();
    expect((await holdZone(db(), event, person(), 7)).result).toBe("sold_out");
    await put(event, describeBody({ capacity: 11 }));
    expect((await holdZone(db(), event, person(), 7)).result).toBe("held");
    expect((await put(event, describeBody({ capacity: 10 }))).body["code"]).toBe("event_in_use");
    await age(db(), event, null);
    expect((await put(event, describeBody({ capacity: 4 }))).status).toBe(200);
    expect((await holdZone(db(), event, person(), 1)).result).toBe("sold_out");
    expect(await findDisagreements(db(), event)).toEqual([]);
  });

  it("that adds and moves seats keeps the sold ones, and new seats can be had", async () => {
    const event = await sold();
    const rows = [{ id: "0", zone: "stalls", seats: 3 }, ...rowsOf(4, 12)];
    expect((await put(event, describeBody({ sections: [{ id: "A", rows }] }))).status).toBe(200);
    expect(await statusOf(db(), event)).toEqual({ available: 49, sold: 2 });
    const best = await holdBest(db(), event, person(), { quantity: 3 });
    expect(seatsOf(best)).toEqual(["A-0-1", "A-0-2", "A-0-3"]);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });

  it("under way at the same time as holds loses neither", async () => {
    const event = makeEventId();
    await put(event, describeBody());
    const grow = (seats: number) =>
      put(event, describeBody({ sections: [{ id: "A", rows: rowsOf(4, seats) }] }));
    const [puts, holds] = await Promise.all([
      Promise.all([12, 11, 13].map(grow)),
      Promise.all(
        Array.from({ length: 20 }, () => holdBest(db(), event, person(), { quantity: 2 })),
      ),
    ]);
    for (const answer of puts) expect([200, 409]).toContain(answer.status);
    const seats = holds.filter(({ result }) => result === "held").flatMap(seatsOf);
    expect(seats.length).toBeGreaterThan(0);
    expect((await statusOf(db(), event))["held"]).toBe(seats.length);
    expect(await findDisagreements(db(), event)).toEqual([]);
  });
});

describe("PUT /v1/organizer/events/{event}/seats", () => {
  const send = (event: string, csv: string) =>
    house.request("PUT", `/v1/organizer/events/${event}/seats`, {
      raw: csv,
      headers: { ...bearer, "content-type": "text/csv" },
    });

  it("replaces the seat map by a file and keeps everything else", async () => {
    const event = makeEventId();
    await put(event, describeBody({ capacity: 7 }));
    const lines = Array.from({ length: 6 }, (_, index) => `B,1,${index + 1},stalls,general`);
    const done = await send(event, ["section,row,number,zone,kind", ...lines].join("\n"));
    expect([done.status, done.body]).toEqual([200, { event, seats: 6 }]);
    const read = await house.request("GET", `/v1/organizer/events/${event}`, { headers: bearer });
    expect(read.body).toMatchObject({ name: "An evening", sections: [{ id: "B" }] });
    expect((await holdZone(db(), event, person(), 7)).result).toBe("held");
  });

  it("names the line of a fault, and changes nothing", async () => {
    const event = makeEventId();
    await put(event, describeBody());
    const bad = await send(event, "section,row,number,zone\nA,1,1,stalls\nA,1,1,stalls\n");
    expect([bad.status, bad.body["code"]]).toEqual([422, "invalid_request"]);
    expect(bad.body["detail"]).toContain("line 3");
    const stranger = await send(event, "section,row,number,zone\nA,1,1,nowhere\n");
    expect(stranger.body["detail"]).toContain('line 2: no zone "nowhere"');
    expect(await statusOf(db(), event)).toEqual({ available: 40 });
  });
});

describe("what the public reads of events", () => {
  it("is asked of the database once for a crowd, and a change made here is seen at once", async () => {
    const event = makeEventId();
    await put(event, describeBody());
    const count = async () => {
      const [row] = await db().read<{ calls: number }>(
        `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
         where query like '%jsonb_strip_nulls%from events e%' and toplevel
           and dbid = (select oid from pg_database where datname = current_database())`,
      );
      return row?.calls ?? 0;
    };
    const before = await count();
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        house.request("GET", index % 2 === 0 ? "/v1/events" : `/v1/events/${event}`),
      ),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect((await count()) - before).toBeLessThanOrEqual(4);
    await put(event, { ...describeBody(), name: "A later evening" });
    const read = await house.request("GET", `/v1/events/${event}`);
    expect(read.body["name"]).toBe("A later evening");
  });
});
