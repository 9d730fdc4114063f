import type { StatusDocument } from "../../../shared/contract/queue.ts";

/** What the seats left mean for somebody with so many people ahead. Pure. */

export type Odds = "good" | "even" | "slim";

/** Until enough people have been through, we take two seats each, as most buy for two. */
const SEATS_EACH_AT_FIRST = 2;
const BUYERS_MIN = 20;
const GOOD_FACTOR = 1.5;
const SLIM_FACTOR = 0.75;

export function oddsOf(ahead: number, status: StatusDocument): Odds | undefined {
  const { seats, admitted, inside } = status;
  if (!seats) return undefined;
  if (seats.available === 0) return "slim";
  const through = admitted - inside;
  const each = through >= BUYERS_MIN ? seats.sold / through : SEATS_EACH_AT_FIRST;
  const wanted = (ahead + inside + 1) * each;
  if (seats.available >= wanted * GOOD_FACTOR) return "good";
  return seats.available >= wanted * SLIM_FACTOR ? "even" : "slim";
}
