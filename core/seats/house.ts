import type { SeatMap } from "../../shared/contract/events.ts";
import { seatLetters } from "../live/state.ts";

/** From rows of the database to the seat map of the contract. Pure. */

export type ZoneRow = {
  zone_id: string;
  name: string;
  kind: "seated" | "standing";
  price: number;
  available: number;
  version: number;
};
export type SectionRow = { section_id: string; name: string };
export type RowRow = {
  section_id: string;
  row_id: string;
  zone_id: string;
  layout: string;
  numbers: readonly number[] | null;
  map: string;
  free: number;
  version: number;
};

export type HouseFacts = {
  event: string;
  currency: string;
  at: string;
  zones: readonly ZoneRow[];
  sections: readonly SectionRow[];
  /** In the order of the plan. */
  rows: readonly RowRow[];
};

type MapRow = SeatMap["sections"][number]["rows"][number];

/** Numbers of the seats of one kind; the layout has one letter a place, `.` where no seat is. */
function numbersOf(row: RowRow, letter: string): number[] {
  const seats = row.layout.replaceAll(".", "");
  return [...seats].flatMap((kind, index) =>
    kind === letter ? (row.numbers?.[index] ?? index + 1) : [],
  );
}

function rowOf(row: RowRow): MapRow {
  const status = seatLetters(row.map);
  const accessible = numbersOf(row, "a");
  const companions = numbersOf(row, "c");
  return {
    id: row.row_id,
    zone: row.zone_id,
    numbers: row.numbers ? [...row.numbers] : status.length,
    status,
    ...(accessible.length > 0 ? { accessible } : {}),
    ...(companions.length > 0 ? { companions } : {}),
  };
}

const count = (text: string, letter: string) => text.split(letter).length - 1;

export function seatMapOf(facts: HouseFacts): SeatMap {
  const { currency } = facts;
  const rows = new Map<string, MapRow[]>();
  const freeIn = { zone: new Map<string, number>(), section: new Map<string, number>() };
  const add = (map: Map<string, number>, id: string, units: number) =>
    map.set(id, (map.get(id) ?? 0) + units);
  for (const row of facts.rows) {
    const mapped = rowOf(row);
    const list = rows.get(row.section_id);
    if (list) list.push(mapped);
    else rows.set(row.section_id, [mapped]);
    const free = count(mapped.status, "a");
    add(freeIn.zone, row.zone_id, free);
    add(freeIn.section, row.section_id, free);
  }
  const version = [...facts.rows, ...facts.zones].reduce(
    (highest, fact) => Math.max(highest, fact.version),
    0,
  );
  return {
    event: facts.event,
    version,
    at: facts.at,
    zones: facts.zones.map((zone) => ({
      id: zone.zone_id,
      name: zone.name,
      kind: zone.kind,
      price: { amount: zone.price, currency },
      available: zone.kind === "standing" ? zone.available : (freeIn.zone.get(zone.zone_id) ?? 0),
    })),
    sections: facts.sections.map((section) => ({
      id: section.section_id,
      name: section.name,
      available: freeIn.section.get(section.section_id) ?? 0,
      rows: rows.get(section.section_id) ?? [],
    })),
  };
}
