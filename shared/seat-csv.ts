import type { EventPut } from "./contract/events.ts";
import { ROWS_PER_SECTION_MAX, SEATS_PER_ROW_MAX, SECTIONS_MAX } from "./limits.ts";

/**
 * A seat map as CSV (RFC 4180): a header line, then one seat a line.
 * Columns: `section,row,number,zone` and optionally `kind` (general, accessible, companion).
 * Every fault names its line. Pure.
 */

export type CsvFault = { line: number; message: string };
export type CsvSections = EventPut["sections"];
/** Of the event that the file is for; where there are none, every name is taken for a seated zone. */
export type CsvZones = readonly Pick<EventPut["zones"][number], "id" | "kind">[];

const REQUIRED = ["section", "row", "number", "zone"] as const;
const KINDS = new Set(["", "general", "accessible", "companion"]);
const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.]{0,31}$/;
const LINES_MAX = 200_001;
const FAULTS_MAX = 50;

/** Fields of one line; a quoted field may hold commas and doubled quotes, but no line break. */
export function splitLine(line: string): string[] | undefined {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(?=,|$)/.exec(rest);
    const plain = quoted ? undefined : /^[^",]*(?=,|$)/.exec(rest);
    const found = quoted ?? plain;
    if (!found) return undefined;
    fields.push(quoted ? (quoted[1] ?? "").replaceAll('""', '"').trim() : found[0].trim());
    rest = rest.slice(found[0].length);
    if (rest === "") return fields;
    rest = rest.slice(1);
  }
}

type Seat = { section: string; row: string; number: number; zone: string; kind: string };

function readSeat(fields: readonly string[], at: ReadonlyMap<string, number>): Seat | string {
  const value = (column: string) => fields[at.get(column) ?? -1] ?? "";
  const seat = {
    section: value("section"),
    row: value("row"),
    number: Number(value("number")),
    zone: value("zone"),
    kind: value("kind"),
  };
  for (const label of ["section", "row", "zone"] as const)
    if (!LABEL.test(seat[label])) return `${label} "${seat[label]}" is not a label`;
  if (!/^\d{1,4}$/.test(value("number")) || seat.number < 1)
    return `number "${value("number")}" is not a whole number from 1 to 9999`;
  if (!KINDS.has(seat.kind)) return `kind "${seat.kind}" is not general, accessible or companion`;
  return seat;
}

export function readSeatCsv(
  text: string,
  zones?: CsvZones,
): { sections: CsvSections; faults: CsvFault[] } {
  const faults: CsvFault[] = [];
  const sections = new Map<string, Map<string, Seat[]>>();
  const seen = new Map<string, number>();
  const kinds = zones && new Map(zones.map(({ id, kind }) => [id, kind]));
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const header = splitLine(lines[0] ?? "")?.map((name) => name.toLowerCase()) ?? [];
  const at = new Map(header.map((name, index) => [name, index]));
  const missing = REQUIRED.filter((name) => !at.has(name));
  const unknown = header.filter((name) => name !== "kind" && !REQUIRED.some((of) => of === name));
  if (missing.length > 0) faults.push({ line: 1, message: `no column ${missing.join(", ")}` });
  if (unknown.length > 0) faults.push({ line: 1, message: `unknown column ${unknown.join(", ")}` });
  const twice = header.find((name, index) => header.indexOf(name) < index);
  if (twice !== undefined) faults.push({ line: 1, message: `column ${twice} twice` });
  if (lines.length > LINES_MAX) faults.push({ line: LINES_MAX, message: "too many lines" });
  if (faults.length > 0) return { sections: [], faults };

  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === "") continue;
    const fields = splitLine(line);
    const seat = fields ? readSeat(fields, at) : "quotes do not match";
    // A spreadsheet may leave empty fields behind; one with text in it has slipped.
    const extra = fields?.slice(header.length).find((field) => field !== "");
    const fault =
      extra !== undefined
        ? `"${extra}" stands in no column`
        : typeof seat === "string"
          ? seat
          : (zoneFault(kinds, seat.zone) ?? addSeat(sections, seen, seat, index + 1));
    if (fault !== undefined) faults.push({ line: index + 1, message: fault });
    if (faults.length >= FAULTS_MAX) break;
  }
  // A file that was cut off must not empty a house.
  if (faults.length === 0 && seen.size === 0) faults.push({ line: 1, message: "no seats follow" });
  return { sections: faults.length > 0 ? [] : sectionsOf(sections), faults };
}

function zoneFault(
  kinds: ReadonlyMap<string, "seated" | "standing"> | undefined,
  zone: string,
): string | undefined {
  if (kinds === undefined || kinds.get(zone) === "seated") return undefined;
  return kinds.has(zone) ? `zone "${zone}" is standing` : `no zone "${zone}"`;
}

function addSeat(
  sections: Map<string, Map<string, Seat[]>>,
  seen: Map<string, number>,
  seat: Seat,
  line: number,
): string | undefined {
  const id = `${seat.section}-${seat.row}-${seat.number}`;
  const before = seen.get(id);
  if (before !== undefined) return `seat ${id} stands in line ${before} already`;
  seen.set(id, line);
  const rows = sections.get(seat.section) ?? new Map<string, Seat[]>();
  sections.set(seat.section, rows);
  if (sections.size > SECTIONS_MAX) return `more than ${SECTIONS_MAX} sections`;
  const row = rows.get(seat.row) ?? [];
  rows.set(seat.row, row);
  if (rows.size > ROWS_PER_SECTION_MAX)
    return `more than ${ROWS_PER_SECTION_MAX} rows in section ${seat.section}`;
  if (row.length >= SEATS_PER_ROW_MAX)
    return `more than ${SEATS_PER_ROW_MAX} seats in row ${seat.section}-${seat.row}`;
  if (row[0] && row[0].zone !== seat.zone)
    return `row ${seat.section}-${seat.row} is in zone "${row[0].zone}" already`;
  row.push(seat);
  return undefined;
}

const numbersOf = (seats: readonly Seat[], kind: string) =>
  seats.filter((seat) => seat.kind === kind).map(({ number }) => number);

function sectionsOf(sections: Map<string, Map<string, Seat[]>>): CsvSections {
  return [...sections].map(([id, rows]) => ({
    id,
    name: id,
    rows: [...rows].map(([row, seats]) => {
      const sorted = seats.toSorted((a, b) => a.number - b.number);
      const accessible = numbersOf(sorted, "accessible");
      const companions = numbersOf(sorted, "companion");
      return {
        id: row,
        zone: sorted[0]?.zone ?? "",
        seats: sorted.map(({ number }) => number),
        ...(accessible.length > 0 ? { accessible } : {}),
        ...(companions.length > 0 ? { companions } : {}),
      };
    }),
  }));
}
