import type { SeatMap } from "../../../../shared/contract/events.ts";
import { layOut, type Spot, toBlock, toPlanOf } from "./layout.ts";

/**
 * The house: where every seat lies, and in which state it is. Sixty thousand seats are a few bytes
 * each here; a seat becomes an object only when somebody points at it. A change copies the block it
 * is in and shares all others, so that whoever draws sees by identity what is new.
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

export type Row = {
  id: string;
  zone: string;
  /** Index of its first seat in the block, and how many it has. */
  first: number;
  count: number;
  /** Of the first seat's centre, across; of all, away from the stage. */
  u: number;
  v: number;
  numberAt: (i: number) => number;
  accessible: ReadonlySet<number>;
  companions: ReadonlySet<number>;
};

export type Section = {
  id: string;
  name: string;
  spot: Spot;
  width: number;
  height: number;
  rows: Row[];
  /** The zone of most of its seats: its colour from afar. */
  zone: string;
  /** A letter's code a seat; replaced, never written to, when something changes. */
  states: Uint8Array;
  available: number;
};

export type House = {
  version: number;
  width: number;
  height: number;
  stage: { x: number; y: number; width: number; height: number };
  sections: Section[];
  /** What each zone has left. */
  left: ReadonlyMap<string, number>;
};

type RawSection = SeatMap["sections"][number];
type RawRow = RawSection["rows"][number];

const AVAILABLE = "a".charCodeAt(0);
const STATES: Readonly<Record<string, SeatState>> = {
  a: "available",
  h: "held",
  s: "sold",
  b: "blocked",
};

const countOf = ({ numbers }: RawRow): number =>
  typeof numbers === "number" ? numbers : numbers.length;

const widthOf = (raw: RawSection): number => Math.max(1, ...raw.rows.map(countOf));

const codesOf = (letters: string, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, i) => letters.charCodeAt(i) || "b".charCodeAt(0));

function mostCommonZone(rows: readonly Row[]): string {
  const seats = new Map<string, number>();
  for (const { zone, count } of rows) seats.set(zone, (seats.get(zone) ?? 0) + count);
  return [...seats].sort((one, other) => other[1] - one[1])[0]?.[0] ?? "";
}

const countFree = (states: Uint8Array): number =>
  states.reduce((sum, code) => sum + (code === AVAILABLE ? 1 : 0), 0);

function sectionOf(raw: RawSection, spot: Spot): Section {
  let first = 0;
  const rows = raw.rows.map((row, r): Row => {
    const { id, zone, numbers } = row;
    const count = countOf(row);
    const at = first;
    first += count;
    return {
      id,
      zone,
      first: at,
      count,
      u: -(count - 1) / 2,
      v: r + 0.5,
      numberAt: (i) => (typeof numbers === "number" ? i + 1 : (numbers[i] ?? 0)),
      accessible: new Set(row.accessible),
      companions: new Set(row.companions),
    };
  });
  const states = new Uint8Array(first);
  raw.rows.forEach((row, r) => {
    states.set(codesOf(row.status, countOf(row)), rows[r]?.first ?? 0);
  });
  return {
    id: raw.id,
    name: raw.name,
    spot,
    width: widthOf(raw),
    height: raw.rows.length,
    rows,
    zone: mostCommonZone(rows),
    states,
    available: countFree(states),
  };
}

export function planHouse(map: SeatMap): House {
  const raws = map.sections.filter((section) => section.rows.length > 0);
  const layout = layOut(raws.map((raw) => ({ width: widthOf(raw), height: raw.rows.length })));
  return {
    version: map.version,
    width: layout.width,
    height: layout.height,
    stage: layout.stage,
    sections: raws.map((raw, i) => sectionOf(raw, layout.spots[i] ?? { x: 0, y: 0, angle: 0 })),
    left: new Map(map.zones.map(({ id, available }) => [id, available])),
  };
}

/** What the live stream tells of a change; see the core's `LiveDelta`. */
export type Delta = {
  version: number;
  rows: readonly { section: string; row: string; status: string }[];
  zones: readonly { id: string; available: number }[];
};

/** The house after a change. Rows that it does not know belong to a newer map, and are left out. */
export function applyDelta(house: House, delta: Delta): House {
  const left = new Map(house.left);
  for (const { id, available } of delta.zones) left.set(id, available);
  const changed = new Map<string, Uint8Array>();
  for (const { section: id, row: rowId, status } of delta.rows) {
    const section = house.sections.find((each) => each.id === id);
    const row = section?.rows.find((each) => each.id === rowId);
    if (!section || !row) continue;
    const states = changed.get(id) ?? section.states.slice();
    const before = countFree(states.subarray(row.first, row.first + row.count));
    states.set(codesOf(status, row.count), row.first);
    const after = countFree(states.subarray(row.first, row.first + row.count));
    left.set(row.zone, Math.max(0, (left.get(row.zone) ?? 0) + after - before));
    changed.set(id, states);
  }
  return {
    ...house,
    version: Math.max(house.version, delta.version),
    left,
    sections: house.sections.map((section) => {
      const states = changed.get(section.id);
      return states ? { ...section, states, available: countFree(states) } : section;
    }),
  };
}

export const stateAt = (section: Section, index: number): SeatState =>
  STATES[String.fromCharCode(section.states[index] ?? 0)] ?? "blocked";

export function seatOf(section: Section, row: Row, i: number): Seat {
  const number = row.numberAt(i);
  const [x, y] = toPlanOf(section.spot, row.u + i, row.v);
  return {
    id: `${section.id}-${row.id}-${number}`,
    section: section.id,
    row: row.id,
    number,
    zone: row.zone,
    state: stateAt(section, row.first + i),
    accessible: row.accessible.has(number),
    companion: row.companions.has(number),
    x,
    y,
  };
}

/** By its id: `section-row-number`, whose labels hold no hyphen. */
export function findSeat(house: House, id: string): Seat | undefined {
  const [sectionId, rowId, number] = id.split("-");
  const section = house.sections.find((each) => each.id === sectionId);
  const row = section?.rows.find((each) => each.id === rowId);
  if (!section || !row) return undefined;
  for (let i = 0; i < row.count; i += 1)
    if (row.numberAt(i) === Number(number)) return seatOf(section, row, i);
  return undefined;
}

export function sectionAt(house: House, x: number, y: number): Section | undefined {
  return house.sections.find(({ spot, width, height }) => {
    const [u, v] = toBlock(spot, x, y);
    return Math.abs(u) <= width / 2 && v >= 0 && v <= height;
  });
}

/** The seat whose cell holds the point; nothing between the cells is anybody's. */
export function seatAt(house: House, x: number, y: number): Seat | undefined {
  const section = sectionAt(house, x, y);
  if (!section) return undefined;
  const [u, v] = toBlock(section.spot, x, y);
  const row = section.rows[Math.floor(v)];
  if (!row) return undefined;
  const i = Math.round(u - row.u);
  return i >= 0 && i < row.count ? seatOf(section, row, i) : undefined;
}
