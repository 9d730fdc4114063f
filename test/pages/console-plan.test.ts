// What the console reckons before anybody is asked: seat maps, times, rates, checks, routes, curves.
import { describe, expect, test } from "vitest";
import {
  blockedIn,
  blockedOf,
  draftOf,
  newDraft,
  putOf,
} from "../../edge/pages/console/event/draft.ts";
import { importFile } from "../../edge/pages/console/event/import.ts";
import {
  addRows,
  countDraft,
  paintSeat,
  rowNames,
  worthOf,
} from "../../edge/pages/console/event/paint.ts";
import { isoOf, localOf } from "../../edge/pages/console/event/zone-time.ts";
import { effectOf, fromSlider, sliderOf } from "../../edge/pages/console/live/decide.ts";
import { admittedPerMinute, mergeMoments } from "../../edge/pages/console/live/history.ts";
import { countHouse, layHouse } from "../../edge/pages/console/live/house-paint.ts";
import { mergeLogs } from "../../edge/pages/console/log/merge.ts";
import { whichRate } from "../../edge/pages/console/room/calculator.ts";
import { hashOf, routeOf } from "../../edge/pages/console/shell/route.ts";
import { eventPutSchema, type SeatMap } from "../../shared/contract/events.ts";
import { describeSmallEvent } from "../support/events.ts";

const section = { id: "A", name: "A", rows: [] };
const plan = { from: "A", to: "C", firstSeat: 1, seats: 4, step: 2, zone: "P1" };

describe("a seat map", () => {
  test("is made by numbers, forwards, backwards and by letters", () => {
    expect(rowNames("1", "4")).toEqual(["1", "2", "3", "4"]);
    expect(rowNames("3", "1")).toEqual(["3", "2", "1"]);
    expect(rowNames("a", "C")).toEqual(["A", "B", "C"]);
    expect(rowNames("A", "3")).toEqual([]);
    expect(rowNames("1", "9999")).toEqual([]);
    const made = addRows(section, plan);
    expect(made.rows[0]?.seats.map(({ number }) => number)).toEqual([1, 3, 5, 7]);
    expect(addRows(made, plan).rows).toHaveLength(3);
  });

  test("is painted: a price goes to the row, everything else to one seat", () => {
    let made = addRows(section, plan);
    made = paintSeat(made, { row: 1, seat: 2 }, { kind: "price", zone: "P2" });
    made = paintSeat(made, { row: 0, seat: 0 }, { kind: "seat", seat: "accessible" });
    made = paintSeat(made, { row: 0, seat: 1 }, { kind: "seat", seat: "companion" });
    made = paintSeat(made, { row: 2, seat: 3 }, { kind: "block" });
    made = paintSeat(made, { row: 2, seat: 0 }, { kind: "remove" });
    const draft = { ...newDraft(0, "UTC"), sections: [made] };
    const put = putOf(draft);
    expect(put?.sections[0]?.rows).toEqual([
      { id: "A", zone: "P1", seats: [1, 3, 5, 7], accessible: [1], companions: [3] },
      { id: "B", zone: "P2", seats: [1, 3, 5, 7] },
      { id: "C", zone: "P1", seats: [3, 5, 7] },
    ]);
    expect([...blockedIn(draft.sections)]).toEqual(["A-C-7"]);
    expect(countDraft(draft)).toEqual({ seats: 11, standing: 0, accessible: 1, blocked: 1 });
    expect(worthOf(draft)).toBe(6 * 5_000);
  });

  test("comes back as it was saved, with what is off sale", () => {
    const put = eventPutSchema.parse({
      ...describeSmallEvent(),
      fees: { perTicket: 500, perOrder: 300, taxBasisPoints: 1_900 },
      startsAt: "2031-07-01T17:00:00.000Z",
      saleOpensAt: "2031-06-01T07:00:00.000Z",
    });
    const house = {
      sections: [
        {
          id: "A",
          name: "A",
          available: 9,
          rows: [{ id: "2", zone: "stalls", numbers: 10, status: "aabaaaaaaa" }],
        },
      ],
    };
    const draft = draftOf(put, blockedOf(house));
    expect([...blockedIn(draft.sections)]).toEqual(["A-2-3"]);
    expect(putOf(draft)).toEqual(put);
  });

  test("is read from CSV and JSON, and a fault says where it is", () => {
    const draft = newDraft(0, "UTC");
    const csv = "section,row,number,zone,kind\nA,1,1,P1,\nA,1,2,P1,accessible\nB,1,1,VIP,\n";
    const good = importFile(draft, { name: "house.csv", text: csv });
    expect(good.ok && good.draft.zones.map(({ id }) => id)).toEqual(["P1", "VIP"]);
    expect(good.ok && countDraft(good.draft)).toMatchObject({ seats: 3, accessible: 1 });
    const bad = importFile(draft, { name: "house.csv", text: `${csv}A,1,1,P1,\n` });
    expect(bad).toEqual({ ok: false, faults: ["5: seat A-1-1 stands in line 2 already"] });
    const json = JSON.stringify({
      zones: [{ id: "Z", name: "Z", price: 100, kind: "seated" }],
      sections: [{ id: "S", name: "S", rows: [{ id: "1", zone: "Z", seats: 3 }] }],
    });
    const read = importFile(draft, { name: "house.json", text: json });
    expect(read.ok && worthOf(read.draft)).toBe(300);
    expect(importFile(draft, { name: "x.json", text: "{" }).ok).toBe(false);
    expect(importFile(draft, { name: "x.json", text: '{"sections":[{}]}' }).ok).toBe(false);
  });

  test("is laid out whole, however large, and counted by its letters", () => {
    const rows = Array.from({ length: 240 }, (_, i) => ({
      id: `${i}`,
      zone: "P1",
      numbers: 250,
      status: `${"ashb".repeat(62)}aa`,
    }));
    const house: SeatMap = {
      event: "e",
      version: 1,
      at: "2027-01-01T00:00:00Z",
      zones: [],
      sections: [{ id: "A", name: "A", available: 0, rows }],
    };
    expect(layHouse(house, 700).seats).toBe(60_000);
    expect(countHouse(house)).toEqual({ a: 15_360, s: 14_880, h: 14_880, b: 14_880 });
  });
});

describe("a time at the venue", () => {
  test("is the instant at which its clocks show it, in summer and in winter", () => {
    expect(isoOf("2027-07-01T20:00", "Europe/Berlin")).toBe("2027-07-01T18:00:00.000Z");
    expect(isoOf("2027-01-01T20:00", "Europe/Berlin")).toBe("2027-01-01T19:00:00.000Z");
    expect(localOf("2027-07-01T18:00:00Z", "Europe/Berlin")).toBe("2027-07-01T20:00");
  });
  test("is none in the hour that the clocks leave out", () => {
    expect(isoOf("2027-03-28T02:30", "Europe/Berlin")).toBeUndefined();
    expect(isoOf("nonsense", "Europe/Berlin")).toBeUndefined();
  });
});

describe("the pace", () => {
  const facts = { waiting: 6_000, noShowShare: 0, ratePerMinute: 100, activeMax: 5_000 };
  test("foretells when the last one now waiting comes in", () => {
    expect(effectOf({ ...facts, sessionMs: 600_000 })).toEqual({
      lastInMs: 60 * 60_000,
      capPerMinute: 500,
      boundBy: "rate",
    });
    expect(effectOf({ ...facts, activeMax: 200, sessionMs: 600_000 })).toMatchObject({
      lastInMs: 300 * 60_000,
      boundBy: "cap",
    });
    expect(effectOf({ ...facts, noShowShare: 0.5, sessionMs: 600_000 }).lastInMs).toBe(1_800_000);
    expect(effectOf({ ...facts, waiting: 0, sessionMs: 600_000 }).lastInMs).toBeUndefined();
  });
  test("has a slider that finds every round number again", () => {
    for (const rate of [1, 6, 60, 300, 2_000, 90_000])
      expect(fromSlider(sliderOf(rate))).toBe(rate);
  });
  test("is proposed from seats, visits and what the core can bear", () => {
    const question = {
      tickets: 60_000,
      ticketsPerOrder: 2.5,
      buyPercent: 60,
      visitMs: 300_000,
      waiting: 2_000_000,
    };
    const bound = whichRate({ ...question, limitPerMinute: 2_500 });
    expect(bound).toMatchObject({ ratePerMinute: 2_000, activeMax: 10_000, boundBy: "capacity" });
    expect(bound.visits).toBe(40_000);
    expect(bound.servedShare).toBeCloseTo(0.02);
    const free = whichRate({ ...question, limitPerMinute: undefined });
    expect(free).toMatchObject({ ratePerMinute: 4_000, boundBy: "house" });
  });
});

describe("the curves", () => {
  const moment = (at: number, admitted: number) => ({
    at,
    admitted,
    issued: 0,
    waiting: 0,
    door: 0,
    inside: 0,
    calling: 0,
    rate: 60,
  });
  test("take what is newer for the same second, and forget what is too old", () => {
    const known = [1_000, 2_000, 3_100].map((at) => moment(at, 1));
    const fresh = [3_900, 4_000].map((at) => moment(at, 2));
    const merged = mergeMoments(known, fresh, { unitMs: 1_000, max: 3 });
    expect(merged.map(({ at }) => at)).toEqual([2_000, 3_900, 4_000]);
    expect(mergeMoments(known, [], { unitMs: 1_000, max: 3 })).toEqual(known);
  });
  test("count admissions over a minute, and say nothing before there is one", () => {
    const moments = Array.from({ length: 120 }, (_, i) => moment(i * 1_000, i * 5));
    const rates = admittedPerMinute(moments);
    expect(rates[10]).toBeNull();
    expect(rates[119]).toBe(300);
  });
});

describe("the console's address", () => {
  test("says event and view, and anything else is the first view", () => {
    expect(routeOf("#/my-event/orders")).toEqual({ event: "my-event", view: "orders" });
    expect(routeOf(hashOf({ event: "a-b", view: "books" }))).toEqual({
      event: "a-b",
      view: "books",
    });
    expect(routeOf("#my-event")).toEqual({ event: "my-event", view: "live" });
    expect(routeOf("#/e/nothing")).toEqual({ event: "e", view: "live" });
  });
});

describe("the log", () => {
  test("has the gate's lines and the core's, the newest first, with their reasons", () => {
    const lines = mergeLogs(
      [
        {
          id: 1,
          at: "2027-01-01T10:00:00Z",
          actor: "http://core|key_1",
          action: "pause",
          reason: "storm",
          before: { phase: "open" },
          after: { phase: "paused" },
        },
      ],
      [
        {
          seq: 7,
          at: "2027-01-01T11:00:00Z",
          actor: "organizer:key_2",
          action: "order.refund",
          target: "ord_1",
          details: { reason: "ill", amount: 5 },
        },
      ],
    );
    expect(
      lines.map(({ actor, action, reason, change }) => [actor, action, reason, change]),
    ).toEqual([
      ["key_2", "order.refund", "ill", "ord_1 · amount 5"],
      ["key_1", "pause", "storm", "phase open → paused"],
    ]);
  });
});
