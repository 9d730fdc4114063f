// The check before a sale: silent while all is well, and a finding for each thing that is not.
import { describe, expect, test } from "vitest";
import type { Figures, RoomView } from "../../edge/pages/console/calls/room.ts";
import { preSaleCheck } from "../../edge/pages/console/room/findings.ts";
import type { EventView } from "../../shared/contract/events.ts";
import { roomSettingsSchema } from "../../shared/contract/rooms.ts";
import type { SaleFigures } from "../../shared/contract/sales.ts";

const NOW = Date.parse("2027-06-01T08:55:00Z");
const price = { amount: 5_000, currency: "TRY" };
const event: EventView = {
  id: "e",
  name: "E",
  venue: "V",
  startsAt: "2027-07-01T17:00:00Z",
  saleOpensAt: "2027-06-01T09:00:00Z",
  timeZone: "Europe/Istanbul",
  currency: "TRY",
  holdMs: 600_000,
  limits: { perOrder: 4, perAccount: 4 },
  zones: [{ id: "z", name: "Z", kind: "standing", price, soldOut: false }],
  sections: [],
  addons: [],
  fees: { amount: 0, currency: "TRY" },
};
const room: RoomView = {
  ...roomSettingsSchema.parse({
    opensAt: event.saleOpensAt,
    challenge: "pow",
    beacon: { kind: "drand" },
    branding: { name: "E" },
  }),
  activeMax: 600,
  event: "e",
  epoch: 1,
  version: 1,
  phase: "upcoming",
};
const capacity = { limitPerMinute: 900, inFlight: 0, p95Ms: 9, at: new Date(NOW).toISOString() };
const figures: Figures = {
  event: "e",
  at: capacity.at,
  phase: "upcoming",
  stale: false,
  issued: 0,
  waiting: 0,
  calling: 0,
  door: 0,
  inside: 0,
  admitted: 0,
  unclaimed: 0,
  pool: 0,
  noShowShare: 0,
  ratePerMinute: 60,
  effectivePerMinute: 60,
  measuredPerMinute: 0,
  letIn: 0,
  capacity,
  waits: [],
  store: { ok: true, at: capacity.at },
  history: { perSecond: [], perMinute: [] },
};
const zone = { id: "z", name: "Z", kind: "standing" as const, price };
const sale: SaleFigures = {
  at: capacity.at,
  state: "active",
  zones: [{ ...zone, available: 50, held: 0, sold: 0, blocked: 0 }],
  holds: { live: 0, units: 0, paying: 0 },
  orders: {},
  money: { currency: "TRY", captured: 0, refunded: 0, refunding: 0 },
  payments: { unknown: 0, oldestUnknownS: 0, review: 0, failed: 0, succeeded: 0 },
  tickets: {},
  health: {
    database: { answeredMs: 2, serviceMs: 1, connections: 4, busy: 0, waiting: 0, shed: 0 },
    redis: { locks: true, cache: true },
    requests: { inFlight: 0, p95Ms: 9, errors: 0, withinS: 300 },
  },
};
const all = { event, room, figures, sale, rehearsed: true, now: NOW };
const found = (change: Partial<typeof all> | { room: undefined }) =>
  preSaleCheck({ ...all, ...change }).map(({ finding }) => finding);
const inRoom = (change: Partial<RoomView>) => found({ room: { ...room, ...change } });
const inSale = (change: Partial<SaleFigures>) => found({ sale: { ...sale, ...change } });

describe("the check before a sale", () => {
  test("says nothing while all is well", () => {
    expect(preSaleCheck(all)).toEqual([]);
  });

  test("names what would stop the sale", () => {
    expect(found({ room: undefined })).toEqual(["no_room"]);
    expect(inRoom({ opensAt: "2027-06-01T10:00:00Z" })).toEqual(["opens_apart"]);
    expect(inSale({ zones: [{ ...zone, available: 0, held: 0, sold: 0, blocked: 9 }] })).toEqual([
      "nothing_to_sell",
    ]);
    expect(inSale({ state: "cancelled" })).toEqual(["cancelled"]);
    const { health } = sale;
    expect(inSale({ health: { ...health, redis: { locks: false, cache: true } } })).toEqual([
      "redis_down",
    ]);
    expect(found({ figures: { ...figures, store: { ...figures.store, ok: false } } })).toEqual([
      "store_down",
    ]);
    const old = { ...capacity, at: new Date(NOW - 20_000).toISOString() };
    expect(found({ figures: { ...figures, capacity: old } })).toEqual(["no_capacity_report"]);
    expect(found({ now: Date.parse("2027-07-02T00:00:00Z") })).toContain("event_over");
    const closing = { ...event, saleClosesAt: "2027-06-20T00:00:00Z" };
    expect(found({ event: closing, room: { ...room, closesAt: "2027-06-21T00:00:00Z" } })).toEqual([
      "closes_before_end",
    ]);
    expect(preSaleCheck({ ...all, room: undefined })[0]?.weight).toBe("bad");
  });

  test("names what is worth a second look", () => {
    expect(inRoom({ activeMax: 10 })).toEqual(["cap_below_rate"]);
    expect(inRoom({ ratePerMinute: 1_000, activeMax: 9_000 })).toEqual(["rate_above_capacity"]);
    expect(inRoom({ sessionMs: 300_000 })).toEqual(["session_shorter_than_hold"]);
    expect(inRoom({ binding: "none" })).toEqual(["binding_none"]);
    expect(inRoom({ beacon: { kind: "none" } })).toEqual(["no_beacon"]);
    expect(inRoom({ challenge: "none" })).toEqual(["no_challenge"]);
    expect(inRoom({ branding: {} })).toEqual(["no_branding"]);
    expect(found({ rehearsed: false })).toEqual(["never_rehearsed"]);
    const [zoneOfEvent] = event.zones;
    const free = {
      ...event,
      zones: zoneOfEvent ? [{ ...zoneOfEvent, price: { ...price, amount: 0 } }] : [],
    };
    expect(found({ event: free })).toEqual(["no_price"]);
    expect(preSaleCheck({ ...all, rehearsed: false })[0]?.weight).toBe("slow");
  });
});
