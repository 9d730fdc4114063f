// The plan of the house: where seats lie, which one is under a finger, what may be chosen.
import { describe, expect, test } from "vitest";
import {
  dropTaken,
  lacksWheelchair,
  nearBy,
  priceOf,
  toggleSeat,
} from "../../edge/pages/shop/house/choice.ts";
import {
  applyDelta,
  findSeat,
  type House,
  planHouse,
  type Seat,
  seatAt,
  seatOf,
} from "../../edge/pages/shop/house/house.ts";
import { cornersOf, toBlock, toPlanOf } from "../../edge/pages/shop/house/layout.ts";
import { firstSeat, neighbour } from "../../edge/pages/shop/house/walk.ts";
import {
  between,
  clampCamera,
  fitCamera,
  SCALE_MAX,
  toPlan,
  toScreen,
  zoomAt,
} from "../../edge/pages/shop/map/camera.ts";
import { coatSize, mustRepaint, placeCoat } from "../../edge/pages/shop/map/coat.ts";
import type { SeatMap } from "../../shared/contract/events.ts";

const price = { amount: 500, currency: "TRY" };
const section = (id: string, rows: number, seats: number): SeatMap["sections"][number] => ({
  id,
  name: `Section ${id}`,
  available: rows * seats,
  rows: Array.from({ length: rows }, (_, r) => ({
    id: String(r + 1),
    zone: "hall",
    numbers: seats,
    status: "a".repeat(seats),
  })),
});
const map = (sections: SeatMap["sections"]): SeatMap => ({
  event: "e",
  version: 1,
  at: "2027-01-16T10:00:00Z",
  zones: [{ id: "hall", name: "Hall", kind: "seated", price, available: 1_000 }],
  sections,
});
const allSeats = (house: House): Seat[] =>
  house.sections.flatMap((each) =>
    each.rows.flatMap((row) => Array.from({ length: row.count }, (_, i) => seatOf(each, row, i))),
  );
const sizes = [1, 2, 3, 7, 24, 120];

describe("the plan", () => {
  const house = planHouse(map([section("A", 20, 25), section("B", 20, 25), section("C", 3, 7)]));

  test("finds every seat again at its own place, and none between the blocks", () => {
    const seats = allSeats(house);
    expect(seats).toHaveLength(2 * 500 + 21);
    for (const seat of seats) {
      expect(seatAt(house, seat.x, seat.y)?.id).toBe(seat.id);
      expect(findSeat(house, seat.id)).toEqual(seat);
    }
    expect(seatAt(house, 0, 0)).toBeUndefined();
  });

  test("picks the seat under a finger anywhere in its cell, in a house of 60,000 too", () => {
    const arena = planHouse(map(Array.from({ length: 120 }, (_, i) => section(`S${i}`, 20, 25))));
    let tried = 0;
    for (const each of arena.sections)
      for (const row of each.rows)
        for (let i = 0; i < row.count; i += 4) {
          const seat = seatOf(each, row, i);
          for (const [du, dv] of [
            [0.45, 0.45],
            [-0.45, 0.45],
            [0.45, -0.45],
            [-0.45, -0.45],
          ] as const) {
            const [x, y] = toPlanOf(each.spot, row.u + i + du, row.v + dv);
            expect(seatAt(arena, x, y)?.id).toBe(seat.id);
            tried += 1;
          }
        }
    expect(tried).toBeGreaterThan(60_000);
  });

  test.each(sizes)("never lays two of %i blocks over one another, nor over the stage", (count) => {
    const many = planHouse(map(Array.from({ length: count }, (_, i) => section(`S${i}`, 12, 20))));
    const inside = (spot: Parameters<typeof toBlock>[0], x: number, y: number) => {
      const [u, v] = toBlock(spot, x, y);
      return Math.abs(u) < 10 - 1e-6 && v > 1e-6 && v < 12 - 1e-6;
    };
    const { stage } = many;
    for (const one of many.sections) {
      const points = cornersOf(one.spot, one).concat([toPlanOf(one.spot, 0, 6)]);
      for (const [x, y] of points) {
        expect(x).toBeGreaterThan(0);
        expect(y).toBeGreaterThan(0);
        expect(x).toBeLessThan(many.width);
        expect(y).toBeLessThan(many.height);
        const isOnStage =
          Math.abs(x - stage.x) < stage.width / 2 && Math.abs(y - stage.y) < stage.height / 2;
        expect(isOnStage, `${one.id} on the stage`).toBe(false);
        for (const other of many.sections)
          if (other !== one)
            expect(inside(other.spot, x, y), `${one.id} on ${other.id}`).toBe(false);
      }
    }
  });

  test("keeps the organizer's own numbers and its wheelchair places", () => {
    const rows = [
      {
        id: "R",
        zone: "hall",
        numbers: [2, 4, 8],
        status: "ahs",
        accessible: [8],
        companions: [4],
      },
    ];
    const odd = planHouse(map([{ id: "X", name: "X", available: 1, rows }]));
    expect(findSeat(odd, "X-R-4")).toMatchObject({
      state: "held",
      companion: true,
      accessible: false,
    });
    expect(findSeat(odd, "X-R-8")).toMatchObject({ state: "sold", accessible: true });
    expect(findSeat(odd, "X-R-3")).toBeUndefined();
  });

  test("is walked by arrow keys from block to block, whichever way they are turned", () => {
    const from = findSeat(house, "B-3-5");
    expect(from && neighbour(house, from, 1, 0)?.id).toBe("B-3-6");
    expect(from && neighbour(house, from, 0, 1)?.id).toBe("B-4-5");
    const edge = findSeat(house, "A-3-25");
    expect(edge && neighbour(house, edge, 1, 0)?.section).toBe("B");
    expect(firstSeat(house)?.id).toBe("A-1-1");
    const arena = planHouse(map(Array.from({ length: 40 }, (_, i) => section(`S${i}`, 4, 6))));
    const seen = new Set<string>();
    let at = firstSeat(arena);
    for (let step = 0; at && step < 400; step += 1) {
      seen.add(at.section);
      at = neighbour(arena, at, 1, 0) ?? neighbour(arena, at, 0, 1);
    }
    expect(seen.size).toBeGreaterThan(2);
  });
});

describe("a change told by the stream", () => {
  const house = planHouse(map([section("A", 2, 4), section("B", 2, 4)]));

  test("moves its row and the figures, and leaves other blocks as they are", () => {
    const next = applyDelta(house, {
      version: 7,
      rows: [{ section: "A", row: "2", status: "ahsa" }],
      zones: [],
    });
    expect(next.version).toBe(7);
    expect(findSeat(next, "A-2-2")?.state).toBe("held");
    expect(next.sections.map(({ available }) => available)).toEqual([6, 8]);
    expect(next.left.get("hall")).toBe(998);
    expect(next.sections[1]).toBe(house.sections[1]);
    expect(findSeat(house, "A-2-2")?.state).toBe("available");
  });

  test("is none for rows that this plan does not know", () => {
    const rows = [{ section: "Z", row: "1", status: "aa" }];
    expect(applyDelta(house, { version: 8, rows, zones: [] }).sections).toEqual(house.sections);
  });
});

describe("the choice", () => {
  const raw = section("A", 1, 4);
  const house = planHouse(
    map([{ ...raw, rows: raw.rows.map((row) => ({ ...row, status: "aasa" })) }]),
  );
  const seat = (id: string, of = house) => {
    const found = findSeat(of, id);
    if (!found) throw new Error(`no seat ${id}`);
    return found;
  };

  test("takes free seats up to the limit, and gives them back", () => {
    const one = toggleSeat([], seat("A-1-1"), 2);
    const two = toggleSeat(one.choice, seat("A-1-2"), 2);
    expect(two.choice).toEqual(["A-1-1", "A-1-2"]);
    expect(toggleSeat(two.choice, seat("A-1-4"), 2)).toEqual({
      choice: two.choice,
      refused: "limit",
    });
    expect(toggleSeat([], seat("A-1-3"), 2)).toEqual({ choice: [], refused: "taken" });
    expect(toggleSeat(two.choice, seat("A-1-1"), 2).choice).toEqual(["A-1-2"]);
  });

  test("names what somebody else has taken, and costs what is left", () => {
    const { choice, taken } = dropTaken(["A-1-1", "A-1-3"], house);
    expect(choice).toEqual(["A-1-1"]);
    expect(taken.map(({ id }) => id)).toEqual(["A-1-3"]);
    expect(priceOf(choice, house, new Map([["hall", price]]))).toBe(500);
  });

  test("is offered the nearest free seats side by side, of the same price", () => {
    const wide = section("A", 3, 8);
    const statuses = ["aasaaaaa", "ssssaass", "aaaaaaaa"];
    const hall = planHouse(
      map([{ ...wide, rows: wide.rows.map((row, r) => ({ ...row, status: statuses[r] ?? "" })) }]),
    );
    const groups = nearBy(hall, [seat("A-1-3", hall)], 2);
    expect(groups).toHaveLength(3);
    expect(groups.flat().every((id) => seat(id, hall).state === "available")).toBe(true);
    expect(groups[0]?.every((id) => id.startsWith("A-1-"))).toBe(true);
    expect(nearBy(hall, [], 0)).toEqual([]);
  });

  test("takes a companion's seat only with the wheelchair place of its row", () => {
    const rows = section("W", 1, 3).rows.map((row) => ({
      ...row,
      accessible: [1],
      companions: [2],
    }));
    const hall = planHouse(map([{ id: "W", name: "W", available: 3, rows }]));
    expect(lacksWheelchair([seat("W-1-2", hall)])).toBe(true);
    expect(lacksWheelchair([seat("W-1-2", hall), seat("W-1-1", hall)])).toBe(false);
    expect(lacksWheelchair([seat("W-1-3", hall)])).toBe(false);
  });
});

describe("the camera", () => {
  const plan = { width: 200, height: 100 };
  const screen = { width: 400, height: 300 };

  test("keeps the point under the fingers while zooming", () => {
    const camera = fitCamera(plan, screen);
    const at = { px: 120, py: 200 };
    const before = toPlan(camera, screen, at.px, at.py);
    const zoomed = zoomAt(camera, screen, at, 3);
    const after = toPlan(zoomed, screen, at.px, at.py);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  test("never loses the house, however far it is thrown", () => {
    for (const scale of [0.001, 1, 10, 1_000]) {
      const camera = clampCamera({ x: 9_999, y: -9_999, scale }, plan, screen);
      expect(camera.scale).toBeLessThanOrEqual(SCALE_MAX);
      const corner = toScreen(camera, screen, plan.width, 0);
      expect(corner.x).toBeGreaterThan(0);
      expect(corner.y).toBeLessThan(screen.height);
    }
  });

  test("flies from one view to another and arrives", () => {
    const from = { x: 100, y: 50, scale: 2 };
    const to = { x: 20, y: 80, scale: 27 };
    expect(between(from, to, 0)).toEqual(from);
    const end = between(from, to, 1);
    expect([end.x, end.y, end.scale].map((each) => Math.round(each * 1e6) / 1e6)).toEqual([
      20, 80, 27,
    ]);
  });
});

describe("the coat under the screen", () => {
  const screen = { width: 400, height: 300 };
  const coat = { camera: { x: 100, y: 50, scale: 10 }, size: coatSize(screen) };
  const reach = { left: -1_000, top: -1_000, right: 2_000, bottom: 2_000 };

  test("is pushed about within its margin, and painted anew beyond it", () => {
    const facts = { isMoving: true, reach };
    expect(mustRepaint(coat, coat.camera, screen, facts)).toBe(false);
    expect(mustRepaint(coat, { ...coat.camera, x: 111 }, screen, facts)).toBe(false);
    expect(mustRepaint(coat, { ...coat.camera, x: 113 }, screen, facts)).toBe(true);
    // Where the house ends there is nothing to paint.
    const ended = { isMoving: true, reach: { ...reach, right: 200 } };
    expect(mustRepaint(coat, { ...coat.camera, x: 113 }, screen, ended)).toBe(false);
  });

  test("is stretched while fingers pinch, and sharp when they rest", () => {
    const zoomed = { ...coat.camera, scale: 11 };
    expect(mustRepaint(coat, zoomed, screen, { isMoving: true, reach })).toBe(false);
    expect(mustRepaint(coat, zoomed, screen, { isMoving: false, reach })).toBe(true);
    expect(placeCoat(coat, zoomed, screen).stretch).toBeCloseTo(1.1);
  });
});
