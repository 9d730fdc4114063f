// The plan of the house: where seats lie, which one is under a finger, what may be chosen.
import { describe, expect, test } from "vitest";
import { dropTaken, priceOf, toggleSeat } from "../../edge/pages/shop/house/choice.ts";
import { neighbour, planHouse, seatAt } from "../../edge/pages/shop/house/house.ts";
import {
  clampCamera,
  fitCamera,
  SCALE_MAX,
  toPlan,
  toScreen,
  zoomAt,
} from "../../edge/pages/shop/map/camera.ts";
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
  zones: [{ id: "hall", name: "Hall", kind: "seated", price, available: 1 }],
  sections,
});

describe("the plan", () => {
  const house = planHouse(map([section("A", 20, 25), section("B", 20, 25), section("C", 3, 7)]));

  test("finds every seat again at its own place, and none between the blocks", () => {
    expect(house.byId.size).toBe(2 * 500 + 21);
    for (const seat of house.byId.values()) expect(seatAt(house, seat.x, seat.y)).toBe(seat);
    expect(seatAt(house, 0, 0)).toBeUndefined();
  });

  test("never lays two blocks over one another", () => {
    for (const one of house.sections)
      for (const other of house.sections) {
        if (one === other) continue;
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect(apart).toBe(true);
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
    expect(odd.byId.get("X-R-4")).toMatchObject({
      state: "held",
      companion: true,
      accessible: false,
    });
    expect(odd.byId.get("X-R-8")).toMatchObject({ state: "sold", accessible: true });
  });

  test("is walked by arrow keys from block to block", () => {
    const from = house.byId.get("A-3-5");
    expect(from && neighbour(house, from, 1, 0)?.id).toBe("A-3-6");
    expect(from && neighbour(house, from, 0, 1)?.id).toBe("A-4-5");
    const edge = house.byId.get("A-3-25");
    expect(edge && neighbour(house, edge, 1, 0)?.id).toBe("B-3-1");
  });
});

describe("the choice", () => {
  const raw = section("A", 1, 4);
  const house = planHouse(
    map([{ ...raw, rows: raw.rows.map((row) => ({ ...row, status: "aasa" })) }]),
  );
  const seat = (id: string) => {
    const found = house.byId.get(id);
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
});

describe("the camera", () => {
  const plan = { width: 200, height: 100 };
  const screen = { width: 400, height: 300 };

  test("keeps the point under the fingers while zooming", () => {
    const camera = fitCamera(plan, screen);
    const at = { px: 120, py: 200 };
    const before = toPlan(camera, screen, at.px, at.py);
    const zoomed = zoomAt(camera, screen, at, 3);
    const after = toScreen(zoomed, screen, before.x, before.y);
    expect(after.x).toBeCloseTo(at.px);
    expect(after.y).toBeCloseTo(at.py);
  });

  test("never shows nothing, and never goes farther or closer than it makes sense", () => {
    const lost = clampCamera({ x: -900, y: 5_000, scale: 500 }, plan, screen);
    expect(lost.scale).toBe(SCALE_MAX);
    expect(lost.x).toBeGreaterThan(0);
    expect(lost.y).toBeLessThan(plan.height);
    expect(clampCamera({ x: 0, y: 0, scale: 0.01 }, plan, screen).scale).toBe(2);
  });
});
