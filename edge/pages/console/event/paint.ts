import type { Draft, DraftRow, DraftSection, SeatKind } from "./draft.ts";

/** What a brush does to a seat map, and how rows are made by numbers. Pure. */

export type Brush =
  | { kind: "price"; zone: string }
  | { kind: "seat"; seat: SeatKind }
  | { kind: "block" }
  | { kind: "unblock" }
  | { kind: "remove" };

export type Spot = { row: number; seat: number };

/** A price is a row's, so its brush paints the whole row; every other brush paints one seat. */
export function paintSeat(section: DraftSection, spot: Spot, brush: Brush): DraftSection {
  const rows = section.rows.map((row, i) => {
    if (i !== spot.row) return row;
    if (brush.kind === "price") return row.zone === brush.zone ? row : { ...row, zone: brush.zone };
    if (brush.kind === "remove")
      return { ...row, seats: row.seats.filter((_, at) => at !== spot.seat) };
    return {
      ...row,
      seats: row.seats.map((seat, at) => {
        if (at !== spot.seat) return seat;
        if (brush.kind === "seat") return { ...seat, kind: brush.seat };
        return { ...seat, blocked: brush.kind === "block" };
      }),
    };
  });
  return { ...section, rows };
}

export type RowPlan = {
  from: string;
  to: string;
  firstSeat: number;
  seats: number;
  /** 1: 1, 2, 3; 2: odd or even numbers only. */
  step: number;
  zone: string;
};

const LETTERS = /^[A-Z]$/;
const ROWS_MAX = 500;

/** `1`–`20` or `A`–`T`. Nothing, when the ends do not belong together. */
export function rowNames(from: string, to: string): string[] {
  if (/^\d{1,4}$/.test(from) && /^\d{1,4}$/.test(to)) {
    const [low, high] = [Number(from), Number(to)];
    const count = Math.abs(high - low) + 1;
    if (count > ROWS_MAX) return [];
    return Array.from({ length: count }, (_, i) => String(low + Math.sign(high - low) * i));
  }
  const [first, last] = [from.toUpperCase(), to.toUpperCase()];
  if (!LETTERS.test(first) || !LETTERS.test(last)) return [];
  const step = Math.sign(last.charCodeAt(0) - first.charCodeAt(0));
  const count = Math.abs(last.charCodeAt(0) - first.charCodeAt(0)) + 1;
  return Array.from({ length: count }, (_, i) =>
    String.fromCharCode(first.charCodeAt(0) + step * i),
  );
}

/** Rows of a name that is there already are made anew. */
export function addRows(section: DraftSection, plan: RowPlan): DraftSection {
  const names = rowNames(plan.from.trim(), plan.to.trim());
  const made = names.map(
    (id): DraftRow => ({
      id,
      zone: plan.zone,
      seats: Array.from({ length: plan.seats }, (_, i) => ({
        number: plan.firstSeat + i * plan.step,
        kind: "general",
        blocked: false,
      })),
    }),
  );
  const known = new Set(names);
  return { ...section, rows: [...section.rows.filter(({ id }) => !known.has(id)), ...made] };
}

export type HouseCount = { seats: number; standing: number; accessible: number; blocked: number };

export function countDraft(draft: Pick<Draft, "zones" | "sections">): HouseCount {
  const count: HouseCount = { seats: 0, standing: 0, accessible: 0, blocked: 0 };
  for (const { rows } of draft.sections)
    for (const { seats } of rows)
      for (const seat of seats) {
        count.seats += 1;
        if (seat.kind === "accessible") count.accessible += 1;
        if (seat.blocked) count.blocked += 1;
      }
  for (const zone of draft.zones) count.standing += zone.capacity ?? 0;
  return count;
}

/** What everything on sale would bring, in minor units. */
export function worthOf(draft: Pick<Draft, "zones" | "sections">): number {
  const prices = new Map(draft.zones.map(({ id, price }) => [id, price]));
  let sum = 0;
  for (const { rows } of draft.sections)
    for (const row of rows)
      sum += (prices.get(row.zone) ?? 0) * row.seats.filter(({ blocked }) => !blocked).length;
  for (const { price, capacity = 0 } of draft.zones) sum += price * capacity;
  return sum;
}
