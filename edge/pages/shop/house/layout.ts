/**
 * Where blocks stand around the stage. The core knows sections and rows but no drawing, so blocks are
 * set on arcs that face the stage, like the houses people know: a fan for a theatre, and the more
 * blocks there are, the rounder, up to an arena. Pure geometry, in units of one seat's width.
 */

export type Size = { width: number; height: number };

/** A block's middle of the front edge, and the direction away from the stage (0 is down the plan). */
export type Spot = { x: number; y: number; angle: number };

export type Layout = {
  width: number;
  height: number;
  spots: Spot[];
  stage: { x: number; y: number; width: number; height: number };
};

/** Between blocks, in seat widths; room for the row labels too. */
const AISLE = 3;
const MARGIN = 2;
const DEGREE = Math.PI / 180;
/** A theatre's fan, and how much rounder each further block makes it. */
const SPAN_MIN = 96 * DEGREE;
const SPAN_PER_BLOCK = 2 * DEGREE;
const SPAN_MAX = 300 * DEGREE;
/** The first arc is at least this many blocks' widths away, so that few blocks stand almost straight. */
const RADIUS_MIN = 1.15;
/** How deep the whole may be, in radii of the first arc. */
const DEPTH_MAX = 1.4;

type Arc = { radius: number; count: number; step: number };

/** Blocks on arcs of growing radius: tangent rectangles, so that none can touch another. */
function arcsFor(count: number, size: Size, radius: number, span: number): Arc[] {
  const width = size.width + AISLE;
  const arcs: Arc[] = [];
  let front = radius;
  let left = count;
  while (left > 0) {
    const step = 2 * Math.atan(width / 2 / front);
    const fits = Math.max(1, Math.floor(span / step + 1e-9));
    arcs.push({ radius: front, count: Math.min(left, fits), step });
    left -= fits;
    front = Math.hypot(front + size.height, size.width / 2) + AISLE;
  }
  return arcs;
}

function chooseArcs(count: number, size: Size): Arc[] {
  const span = Math.min(SPAN_MAX, SPAN_MIN + count * SPAN_PER_BLOCK);
  const width = size.width + AISLE;
  for (let first = 1; ; first += 1) {
    const radius = Math.max(
      width * RADIUS_MIN,
      width / 2 / Math.tan(span / 2 / Math.max(2, first)),
    );
    const arcs = arcsFor(count, size, radius, span);
    const depth = arcs.length * (size.height + AISLE);
    if (first >= count || depth <= radius * DEPTH_MAX) return arcs;
  }
}

function spotsOn(arcs: Arc[]): Spot[] {
  return arcs.flatMap(({ radius, count, step }) =>
    Array.from({ length: count }, (_, i) => {
      // From the left to the right as people see it who look at the plan.
      const angle = (i - (count - 1) / 2) * step;
      return { x: Math.sin(angle) * radius, y: Math.cos(angle) * radius, angle };
    }),
  );
}

/** The four corners of a block, the front ones first. */
export function cornersOf(spot: Spot, size: Size): [x: number, y: number][] {
  const half = size.width / 2;
  return (
    [
      [-half, 0],
      [half, 0],
      [half, size.height],
      [-half, size.height],
    ] as const
  ).map(([u, v]) => toPlanOf(spot, u, v));
}

/** A point of a block (across from its middle, and away from the stage) on the plan. */
export function toPlanOf({ x, y, angle }: Spot, u: number, v: number): [x: number, y: number] {
  const sin = Math.sin(angle);
  const cos = Math.cos(angle);
  return [x + u * cos + v * sin, y - u * sin + v * cos];
}

/** The other way round: where in the block a point of the plan lies. */
export function toBlock(spot: Spot, x: number, y: number): [u: number, v: number] {
  const sin = Math.sin(spot.angle);
  const cos = Math.cos(spot.angle);
  const dx = x - spot.x;
  const dy = y - spot.y;
  return [dx * cos - dy * sin, dx * sin + dy * cos];
}

/** @param sizes of the blocks, in the organizer's order: the first stand nearest to the stage. */
export function layOut(sizes: readonly Size[]): Layout {
  const size = {
    width: Math.max(1, ...sizes.map(({ width }) => width)),
    height: Math.max(1, ...sizes.map(({ height }) => height)),
  };
  const arcs = chooseArcs(sizes.length, size);
  const radius = arcs[0]?.radius ?? size.width;
  const spots = spotsOn(arcs);
  const stage = { x: 0, y: 0, width: radius * 0.95, height: radius * 0.42 };
  const isRound = spots.some(({ angle }) => Math.abs(angle) > Math.PI / 2);
  // A theatre's stage ends where its first row begins; an arena's is in the middle.
  if (!isRound) stage.y = radius - stage.height / 2 - AISLE * 1.5;
  const corners = spots.flatMap((spot, i) => cornersOf(spot, sizes[i] ?? size));
  const xs = corners.map(([x]) => x).concat(-stage.width / 2, stage.width / 2);
  const ys = corners
    .map(([, y]) => y)
    .concat(stage.y - stage.height / 2, stage.y + stage.height / 2);
  const left = Math.min(...xs) - MARGIN;
  const top = Math.min(...ys) - MARGIN;
  return {
    width: Math.max(...xs) + MARGIN - left,
    height: Math.max(...ys) + MARGIN - top,
    spots: spots.map(({ x, y, angle }) => ({ x: x - left, y: y - top, angle })),
    stage: { ...stage, x: stage.x - left, y: stage.y - top },
  };
}
