// What a frame of the plan costs, counted in strokes and not in seconds: as much as the screen shows, and
// not what the house holds. `npm run bench:plan` says the same in milliseconds, in a slowed-down browser.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { planHouse } from "../../edge/pages/shop/house/house.ts";
import { toPlanOf } from "../../edge/pages/shop/house/layout.ts";
import { type Camera, fitCamera } from "../../edge/pages/shop/map/camera.ts";
import { paintHouse } from "../../edge/pages/shop/map/paint.ts";
import type { Scene } from "../../edge/pages/shop/map/scene.ts";
import { createSprites } from "../../edge/pages/shop/map/sprites.ts";
import type { SeatMap } from "../../shared/contract/events.ts";

const PHONE = { width: 390, height: 420 };
const PALETTE = {
  zones: ["#111111"],
  surface: "#ffffff",
  block: "#eeeeee",
  ink: "#000000",
  muted: "#777777",
  line: "#cccccc",
  lamp: "#ffb938",
  onLamp: "#000000",
  onZone: "#ffffff",
  font: "sans-serif",
};
const STROKES = ["drawImage", "fill", "fillRect", "fillText", "stroke", "strokeText"];
let strokes = 0;

/** A canvas that counts what is drawn on it. */
const context = (): CanvasRenderingContext2D =>
  new Proxy(Object.create(null), {
    get: (_target, name) => () => {
      if (STROKES.includes(String(name))) strokes += 1;
    },
    set: () => true,
  });

beforeAll(() => {
  vi.stubGlobal("document", {
    createElement: () => ({ width: 0, height: 0, getContext: context }),
  });
  vi.stubGlobal("Path2D", class {});
});
afterAll(() => vi.unstubAllGlobals());

function house(blocks: number) {
  const status = "a".repeat(25);
  const map: SeatMap = {
    event: "e",
    version: 1,
    at: "2027-01-16T10:00:00Z",
    zones: [
      {
        id: "hall",
        name: "Hall",
        kind: "seated",
        price: { amount: 500, currency: "TRY" },
        available: blocks * 500,
      },
    ],
    sections: Array.from({ length: blocks }, (_, i) => ({
      id: `S${i}`,
      name: `Block ${i}`,
      available: 500,
      rows: Array.from({ length: 20 }, (_row, r) => ({
        id: String(r + 1),
        zone: "hall",
        numbers: 25,
        status,
      })),
    })),
  };
  return planHouse(map);
}

/** Strokes of the second frame: what the first has made once is kept. */
function strokesOf(of: ReturnType<typeof house>, camera: Camera): number {
  const scene: Scene = {
    house: of,
    zoneIndex: new Map([["hall", 0]]),
    onlyZone: undefined,
    chosen: new Map(),
    lost: [],
    offered: [],
    cursor: undefined,
    stageLabel: "Stage",
    watchers: {},
  };
  const ground = { scene, sprites: createSprites(PALETTE), ratio: 2 };
  const view = { camera, screen: PHONE };
  const pictures = new Map();
  const to = context();
  paintHouse(to, ground, view, pictures);
  strokes = 0;
  paintHouse(to, ground, view, pictures);
  return strokes;
}

describe("a frame of the plan", () => {
  const hall = house(6);
  const arena = house(120);
  /** In the middle of the first block, as near as this. */
  const inside = (of: typeof hall, scale: number): Camera => {
    const [block] = of.sections;
    if (!block) throw new Error("a house without blocks");
    const [x, y] = toPlanOf(block.spot, 0, block.height / 2);
    return { x, y, scale };
  };

  test("costs a few strokes a block when the whole house of 60,000 seats is seen", () => {
    const all = strokesOf(arena, fitCamera(arena, PHONE));
    expect(all).toBeGreaterThan(arena.sections.length);
    expect(all).toBeLessThan(arena.sections.length * 6);
  });

  test.each([12, 20, 30, 48])(
    "costs in 60,000 seats what it costs in 3,000, at %i pixels a seat",
    (scale) => {
      const seatsSeen = (PHONE.width / scale) * (PHONE.height / scale);
      const large = strokesOf(arena, inside(arena, scale));
      const small = strokesOf(hall, inside(hall, scale));
      expect(small).toBeGreaterThan(20);
      expect(large / small).toBeLessThan(2);
      // A seat is stamped, and its number; row labels and what hangs over the edge are the rest.
      expect(large).toBeLessThan(seatsSeen * 3.5 + 150);
    },
  );
});
