import type { EventPut, SeatMap } from "../../../../shared/contract/events.ts";
import { isoOf, localOf } from "./zone-time.ts";

/** An event while it is being written: every seat one by one, times as the place's clocks show them. */

export type SeatKind = "general" | "accessible" | "companion";
export type DraftSeat = { number: number; kind: SeatKind; blocked: boolean };
export type DraftRow = { id: string; zone: string; seats: DraftSeat[] };
export type DraftSection = { id: string; name: string; rows: DraftRow[] };
export type DraftZone = EventPut["zones"][number];
export type Draft = {
  name: string;
  venue: string;
  startsAt: string;
  saleOpensAt: string;
  saleClosesAt: string;
  timeZone: string;
  currency: string;
  holdMs: number;
  perOrderMax: number;
  perAccountMax: number;
  fees: NonNullable<EventPut["fees"]>;
  zones: DraftZone[];
  sections: DraftSection[];
  addons: NonNullable<EventPut["addons"]>;
};

const NO_FEES = { perTicket: 0, perOrder: 0, taxBasisPoints: 0 };
const DAY_MS = 86_400_000;

export function newDraft(now: number, timeZone: string): Draft {
  const local = (days: number, hour: string) =>
    `${new Date(now + days * DAY_MS).toISOString().slice(0, 10)}T${hour}`;
  return {
    name: "",
    venue: "",
    startsAt: local(60, "20:00"),
    saleOpensAt: local(14, "10:00"),
    saleClosesAt: "",
    timeZone,
    currency: "EUR",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    fees: NO_FEES,
    zones: [{ id: "P1", name: "1", price: 5_000, kind: "seated" }],
    sections: [],
    addons: [],
  };
}

type PutRow = EventPut["sections"][number]["rows"][number];

function seatsOf(row: PutRow, blocked: ReadonlySet<string>, section: string): DraftSeat[] {
  const numbers =
    typeof row.seats === "number" ? Array.from({ length: row.seats }, (_, i) => i + 1) : row.seats;
  return numbers.map((number) => ({
    number,
    kind: row.accessible?.includes(number)
      ? "accessible"
      : row.companions?.includes(number)
        ? "companion"
        : "general",
    blocked: blocked.has(`${section}-${row.id}-${number}`),
  }));
}

export function draftOf(put: EventPut, blocked: ReadonlySet<string>): Draft {
  const { addons, sections, startsAt, saleOpensAt, saleClosesAt, ...rest } = put;
  return {
    ...rest,
    startsAt: localOf(startsAt, put.timeZone),
    saleOpensAt: localOf(saleOpensAt, put.timeZone),
    saleClosesAt: localOf(saleClosesAt, put.timeZone),
    sections: sectionsOf(sections, blocked),
    addons: addons ?? [],
    // An imported file may leave some of them out.
    fees: { ...NO_FEES, ...put.fees },
  };
}

export const sectionsOf = (
  sections: EventPut["sections"],
  blocked: ReadonlySet<string>,
): DraftSection[] =>
  sections.map(({ id, name, rows }) => ({
    id,
    name,
    rows: rows.map((row) => ({ id: row.id, zone: row.zone, seats: seatsOf(row, blocked, id) })),
  }));

/** What the house has off sale, read from its letters. */
export function blockedOf(house: Pick<SeatMap, "sections"> | undefined): Set<string> {
  const found = new Set<string>();
  for (const section of house?.sections ?? [])
    for (const row of section.rows)
      [...row.status].forEach((letter, i) => {
        const number = typeof row.numbers === "number" ? i + 1 : row.numbers[i];
        if (letter === "b") found.add(`${section.id}-${row.id}-${number}`);
      });
  return found;
}

export function blockedIn(sections: readonly DraftSection[]): Set<string> {
  const found = new Set<string>();
  for (const section of sections)
    for (const row of section.rows)
      for (const seat of row.seats)
        if (seat.blocked) found.add(`${section.id}-${row.id}-${seat.number}`);
  return found;
}

const numbersOf = (row: DraftRow, kind: SeatKind): number[] =>
  row.seats.filter((seat) => seat.kind === kind).map(({ number }) => number);

/** `undefined`: one of the times is no time at that place. */
export function putOf(draft: Draft): EventPut | undefined {
  const { saleClosesAt, sections, addons, ...rest } = draft;
  const startsAt = isoOf(draft.startsAt, draft.timeZone);
  const saleOpensAt = isoOf(draft.saleOpensAt, draft.timeZone);
  const closes = saleClosesAt === "" ? undefined : isoOf(saleClosesAt, draft.timeZone);
  if (startsAt === undefined || saleOpensAt === undefined) return undefined;
  if (saleClosesAt !== "" && closes === undefined) return undefined;
  return {
    ...rest,
    startsAt,
    saleOpensAt,
    ...(closes === undefined ? {} : { saleClosesAt: closes }),
    sections: sections.map(({ id, name, rows }) => ({
      id,
      name,
      rows: rows
        .filter(({ seats }) => seats.length > 0)
        .map((row) => {
          const accessible = numbersOf(row, "accessible");
          const companions = numbersOf(row, "companion");
          const numbers = row.seats.map(({ number }) => number);
          return {
            id: row.id,
            zone: row.zone,
            seats: numbers.every((number, i) => number === i + 1) ? numbers.length : numbers,
            ...(accessible.length > 0 ? { accessible } : {}),
            ...(companions.length > 0 ? { companions } : {}),
          };
        }),
    })),
    ...(addons.length > 0 ? { addons } : {}),
  };
}
