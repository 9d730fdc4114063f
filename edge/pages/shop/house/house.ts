import type { SeatMap } from "../../../../shared/contract/events.ts";

/**
 * The house as a plan: where every seat lies, in units of one seat's width. The core knows sections
 * and rows but no drawing, so sections are set side by side before the stage, front rows first.
 */

export type SeatState = "available" | "held" | "sold" | "blocked";

export type Seat = {
  id: string;
  section: string;
  row: string;
  number: number;
  zone: string;
  state: SeatState;
  accessible: boolean;
  companion: boolean;
  /** Centre, in seat widths from the plan's corner. */
  x: number;
  y: number;
};

export type Section = {
  id: string;
  name: string;
  available: number;
  x: number;
  y: number;
  width: number;
  height: number;
  seats: Seat[];
  /** Row label and the y of its line. */
  rows: { id: string; y: number; first: number; count: number }[];
};

export type House = {
  version: number;
  width: number;
  height: number;
  sections: Section[];
  byId: ReadonlyMap<string, Seat>;
};

/** Between sections, in seat widths; room for the row labels too. */
const AISLE = 3;
const TITLE = 2.5;
export const STAGE = 4;
/** Wide before deep, as houses are. */
const ASPECT = 1.7;

const STATES: Readonly<Record<string, SeatState>> = {
  a: "available",
  h: "held",
  s: "sold",
  b: "blocked",
};

type RawSection = SeatMap["sections"][number];

const numbersOf = (numbers: number | number[]): number[] =>
  typeof numbers === "number" ? Array.from({ length: numbers }, (_, i) => i + 1) : numbers;

function sectionAt(raw: RawSection, x: number, y: number, width: number): Section {
  const seats: Seat[] = [];
  const rows = raw.rows.map((row, r) => {
    const numbers = numbersOf(row.numbers);
    const left = x + (width - numbers.length) / 2;
    const line = y + TITLE + r + 0.5;
    const first = seats.length;
    numbers.forEach((number, i) => {
      seats.push({
        id: `${raw.id}-${row.id}-${number}`,
        section: raw.id,
        row: row.id,
        number,
        zone: row.zone,
        state: STATES[row.status.charAt(i)] ?? "blocked",
        accessible: row.accessible?.includes(number) === true,
        companion: row.companions?.includes(number) === true,
        x: left + i + 0.5,
        y: line,
      });
    });
    return { id: row.id, y: line, first, count: numbers.length };
  });
  const { id, name, available } = raw;
  return { id, name, available, x, y, width, height: TITLE + raw.rows.length, seats, rows };
}

const widthOf = (raw: RawSection): number =>
  Math.max(1, ...raw.rows.map((row) => numbersOf(row.numbers).length));

/** How many sections stand abreast so that the whole is about as wide as a house. */
function columnsFor(raws: RawSection[]): number {
  const area = raws.reduce(
    (sum, raw) => sum + (widthOf(raw) + AISLE) * (raw.rows.length + TITLE + AISLE),
    0,
  );
  const widest = Math.max(1, ...raws.map(widthOf)) + AISLE;
  return Math.max(1, Math.min(raws.length, Math.round(Math.sqrt(area * ASPECT) / widest)));
}

export function planHouse(map: SeatMap): House {
  const raws = map.sections.filter((section) => section.rows.length > 0);
  const columns = columnsFor(raws);
  const bands: RawSection[][] = [];
  for (let i = 0; i < raws.length; i += columns) bands.push(raws.slice(i, i + columns));
  const bandWidth = (band: RawSection[]) =>
    band.reduce((sum, raw) => sum + widthOf(raw), 0) + AISLE * (band.length + 1);
  const width = Math.max(1, ...bands.map(bandWidth));
  const sections: Section[] = [];
  let y = STAGE;
  for (const band of bands) {
    let x = (width - bandWidth(band)) / 2 + AISLE;
    for (const raw of band) {
      sections.push(sectionAt(raw, x, y, widthOf(raw)));
      x += widthOf(raw) + AISLE;
    }
    y += Math.max(...band.map((raw) => raw.rows.length)) + TITLE + AISLE / 2;
  }
  const byId = new Map<string, Seat>();
  for (const section of sections) for (const seat of section.seats) byId.set(seat.id, seat);
  return { version: map.version, width, height: y, sections, byId };
}

/** The seat whose cell holds the point; nothing between the cells is anybody's. */
export function seatAt(house: House, x: number, y: number): Seat | undefined {
  for (const section of house.sections) {
    if (x < section.x || x > section.x + section.width) continue;
    if (y < section.y || y > section.y + section.height) continue;
    const row = section.rows.find((candidate) => Math.abs(candidate.y - y) <= 0.5);
    if (!row) continue;
    const first = section.seats[row.first];
    if (!first) continue;
    const index = Math.floor(x - (first.x - 0.5));
    if (index >= 0 && index < row.count) return section.seats[row.first + index];
  }
  return undefined;
}

/** The next seat in a direction, for those who walk the plan with arrow keys. */
export function neighbour(house: House, from: Seat, dx: number, dy: number): Seat | undefined {
  let best: Seat | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const seat of house.byId.values()) {
    const along = (seat.x - from.x) * dx + (seat.y - from.y) * dy;
    if (along < 0.4) continue;
    const across = Math.abs((seat.x - from.x) * dy) + Math.abs((seat.y - from.y) * dx);
    const cost = along + across * 3;
    if (cost < bestCost) {
      best = seat;
      bestCost = cost;
    }
  }
  return best;
}
