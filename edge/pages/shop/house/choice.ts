import type { Money } from "../../../../shared/money.ts";
import type { House, Seat } from "./house.ts";

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
  const taken: Seat[] = [];
  const kept = choice.filter((id) => {
    const seat = house.byId.get(id);
    if (seat?.state === "available") return true;
    if (seat) taken.push(seat);
    return false;
  });
  return { choice: taken.length === 0 ? choice : kept, taken };
}

export function priceOf(choice: Choice, house: House, prices: ReadonlyMap<string, Money>): number {
  return choice.reduce((sum, id) => {
    const zone = house.byId.get(id)?.zone;
    return sum + (zone === undefined ? 0 : (prices.get(zone)?.amount ?? 0));
  }, 0);
}
