import type { SeatLetter, SeatMap } from "../../../../shared/contract/events.ts";

/** Where each row of a house is drawn, and with what. The layout is pure. */

export type LaidRow = { x: number; y: number; status: string };
export type Laid = {
  seats: number;
  cell: number;
  height: number;
  shelves: number;
  rows: LaidRow[];
  names: { x: number; y: number; text: string }[];
};

const CELL_MAX = 24;
const CELL_MIN = 2;
/** Of its width, on a phone and on a desk: a house is seen at once, not scrolled. */
const HEIGHT_SHARE_MAX = { narrow: 0.75, wide: 0.45 } as const;
const NARROW_PX_MAX = 700;
const HEIGHT_MIN = 340;
/** Blocks that stand in one line are worth squares that are smaller by so much. */
const SMALLER_MIN = 0.7;
const NAME_PX = 20;
/** Of a name; two names side by side must both be read. */
const LETTER_PX = 8;
const GAP = 1.6;

const NOTHING: Laid = { seats: 0, cell: 1, height: 0, shelves: 0, rows: [], names: [] };

type Shape = { name: string; columns: number; rows: string[] };

const shapesOf = (house: Pick<SeatMap, "sections">, withShare: boolean): Shape[] =>
  house.sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows, available }) => {
      const seats = rows.reduce((sum, { status }) => sum + status.length, 0);
      return {
        name: withShare
          ? `${name} · ${Math.round(((seats - available) / Math.max(1, seats)) * 100)} %`
          : name,
        columns: Math.max(...rows.map(({ status }) => status.length)),
        rows: rows.map(({ status }) => status),
      };
    });

/** Sections on shelves, left to right; rows centred within their section. */
function layAt(shapes: readonly Shape[], width: number, cell: number): Laid | undefined {
  const laid: Laid = { seats: 0, cell, height: 0, shelves: 1, rows: [], names: [] };
  let x = 0;
  let y = 0;
  let shelf = 0;
  let first = { rows: 0, names: 0 };
  /** A shelf that is done stands in the middle, as the blocks of a house do. */
  const centre = () => {
    const spare = Math.max(0, (width - (x - cell * GAP * 2)) / 2);
    for (const row of laid.rows.slice(first.rows)) row.x += spare;
    for (const label of laid.names.slice(first.names)) label.x += spare;
    first = { rows: laid.rows.length, names: laid.names.length };
  };
  for (const shape of shapes) {
    const wide = Math.max(shape.columns * cell, shape.name.length * LETTER_PX);
    const high = NAME_PX + shape.rows.length * cell + cell * GAP;
    if (x > 0 && x + wide > width) {
      centre();
      laid.shelves += 1;
      y += shelf;
      x = 0;
      shelf = 0;
    }
    if (wide > width && cell > CELL_MIN) return undefined;
    laid.names.push({ x, y: y + NAME_PX - 6, text: shape.name });
    shape.rows.forEach((status, i) => {
      const inset = ((shape.columns - status.length) * cell) / 2;
      laid.rows.push({ x: x + inset, y: y + NAME_PX + i * cell, status });
      laid.seats += status.length;
    });
    x += wide + cell * GAP * 2;
    shelf = Math.max(shelf, high);
  }
  centre();
  laid.height = y + shelf;
  return laid;
}

/** The largest squares with which the whole house can be seen at once, on as few shelves as may be. */
export function layHouse(house: Pick<SeatMap, "sections">, width: number, withShare = true): Laid {
  const shapes = shapesOf(house, withShare);
  const share = HEIGHT_SHARE_MAX[width > NARROW_PX_MAX ? "wide" : "narrow"];
  let best: Laid | undefined;
  for (let cell = CELL_MAX; cell > CELL_MIN; cell -= 0.5) {
    if (best && cell < best.cell * SMALLER_MIN) break;
    const laid = layAt(shapes, width, cell);
    const fits = laid && laid.height <= Math.max(HEIGHT_MIN, width * share);
    if (fits && (!best || laid.shelves < best.shelves)) best = laid;
  }
  return best ?? layAt(shapes, width, CELL_MIN) ?? NOTHING;
}

export function countHouse(house: SeatMap): Record<SeatLetter, number> {
  const counts = { a: 0, h: 0, s: 0, b: 0 };
  for (const { rows } of house.sections)
    for (const { status } of rows)
      for (const letter of status) if (letter in counts) counts[letter as SeatLetter] += 1;
  return counts;
}

export function paintHouse(canvas: HTMLCanvasElement, house: SeatMap): void {
  const width = canvas.parentElement?.clientWidth ?? 300;
  const laid = layHouse(house, width);
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(laid.height * scale);
  canvas.style.setProperty("height", `${laid.height}px`);
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const fills: Record<string, string> = {
    a: colour("--seat-a"),
    h: colour("--seat-h"),
    s: colour("--seat-s"),
    b: colour("--seat-b"),
  };
  pen.font = `600 13px ${style.fontFamily}`;
  // Places are counted from the left in every language.
  pen.textAlign = "left";
  pen.direction = "ltr";
  pen.fillStyle = colour("--muted");
  for (const { x, y, text } of laid.names) pen.fillText(text, x, y);
  const size = laid.cell > 4 ? laid.cell - 1.5 : laid.cell - 0.4;
  // One colour at a time: changing it is what costs.
  for (const letter of ["a", "b", "h", "s"]) {
    pen.fillStyle = fills[letter] ?? "";
    pen.beginPath();
    for (const row of laid.rows)
      for (let i = 0; i < row.status.length; i += 1) {
        if (row.status[i] !== letter) continue;
        const x = row.x + i * laid.cell;
        // Held ones are also smaller: colour alone tells nothing to many.
        const inset = letter === "h" && laid.cell > 4 ? size * 0.18 : 0;
        pen.roundRect(
          x + inset,
          row.y + inset,
          size - 2 * inset,
          size - 2 * inset,
          laid.cell > 6 ? 2 : 0,
        );
      }
    pen.fill();
  }
}
