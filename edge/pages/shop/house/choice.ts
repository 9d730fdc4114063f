import type { Money } from "../../../../shared/money.ts";
import { findSeat, type House, type Seat, seatOf } from "./house.ts";

/** The seats a fan has tapped, before anything is held. Pure. */

export type Choice = readonly string[];

export type Toggle = { choice: Choice; refused?: "taken" | "limit" };

export function toggleSeat(choice: Choice, seat: Seat, perOrder: number): Toggle {
  if (choice.includes(seat.id)) return { choice: choice.filter((id) => id !== seat.id) };
  if (seat.state !== "available") return { choice, refused: "taken" };
  if (choice.length >= perOrder) return { choice, refused: "limit" };
  return { choice: [...choice, seat.id] };
}

/** Seats that somebody else has taken meanwhile leave the choice, and are named. */
export function dropTaken(choice: Choice, house: House): { choice: Choice; taken: Seat[] } {
  const seats = choice.map((id) => findSeat(house, id)).filter((seat) => seat !== undefined);
  const taken = seats.filter(({ state }) => state !== "available");
  const kept = seats.filter(({ state }) => state === "available").map(({ id }) => id);
  return { choice: kept.length === choice.length ? choice : kept, taken };
}

export function priceOf(choice: Choice, house: House, prices: ReadonlyMap<string, Money>): number {
  return choice.reduce((sum, id) => {
    const zone = findSeat(house, id)?.zone;
    return sum + (zone === undefined ? 0 : (prices.get(zone)?.amount ?? 0));
  }, 0);
}

/** A companion's seat goes with the wheelchair place of its row: the core refuses it alone. */
export const lacksWheelchair = (seats: readonly Seat[]): boolean =>
  seats.some(
    (seat) =>
      seat.companion &&
      !seats.some(
        (other) => other.accessible && other.section === seat.section && other.row === seat.row,
      ),
  );

const DISTANCE_ROWS = 3;

/**
 * The nearest groups of as many free seats side by side, for whoever has just lost some: what the page
 * itself can see, offered at once. What the core names is better, and comes first.
 */
export function nearBy(house: House, lost: readonly Seat[], wanted: number, most = 3): string[][] {
  const [seat] = lost;
  const section = house.sections.find(({ id }) => id === seat?.section);
  if (!seat || !section || wanted < 1) return [];
  const home = section.rows.findIndex(({ id }) => id === seat.row);
  const groups: { ids: string[]; cost: number }[] = [];
  section.rows.forEach((row, r) => {
    if (Math.abs(r - home) > DISTANCE_ROWS || row.zone !== seat.zone) return;
    let run: Seat[] = [];
    for (let i = 0; i < row.count; i += 1) {
      const each = seatOf(section, row, i);
      const isFree = each.state === "available" && !each.accessible && !each.companion;
      run = isFree ? [...run, each] : [];
      if (run.length < wanted) continue;
      const middle = run.reduce((sum, { x }) => sum + x, 0) / run.length;
      const depth = run.reduce((sum, { y }) => sum + y, 0) / run.length;
      groups.push({
        ids: run.map(({ id }) => id),
        cost: Math.hypot(middle - seat.x, depth - seat.y),
      });
      run = [];
    }
  });
  return groups
    .sort((one, other) => one.cost - other.cost)
    .slice(0, most)
    .map(({ ids }) => ids);
}
