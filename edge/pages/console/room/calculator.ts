/** Which rate? From the seats, the time a visit takes, and what the core can bear. Pure. */

export type RateQuestion = {
  /** Tickets that are still to be had. */
  tickets: number;
  ticketsPerOrder: number;
  /** Of a hundred visits, how many end with an order. */
  buyPercent: number;
  /** What a visit takes, from the door to the receipt. */
  visitMs: number;
  /** What the core says it can bear; nothing while it has not said. */
  limitPerMinute: number | undefined;
  waiting: number;
};

export type RateAnswer = {
  ratePerMinute: number;
  activeMax: number;
  /** How many visits the whole house needs. */
  visits: number;
  /** Until the house is sold, at this rate. */
  soldOutMs: number;
  /** Of those who wait, how many can still get a ticket. */
  servedShare: number;
  boundBy: "capacity" | "house";
};

/** Under the core's own limit by so much: a burst is no reason to slow everybody down. */
const HEADROOM = 0.8;
/** Faster than this a sale gains nothing: who is in first would find the same house. */
const SELL_MINUTES_MIN = 10;
const RATE_MAX = 100_000;

export function whichRate(question: RateQuestion): RateAnswer {
  const { tickets, ticketsPerOrder, buyPercent, visitMs, limitPerMinute, waiting } = question;
  const perVisit = Math.max(0.01, (ticketsPerOrder * buyPercent) / 100);
  const visits = Math.ceil(tickets / perVisit);
  const house = Math.max(1, Math.ceil(visits / SELL_MINUTES_MIN));
  const bearable =
    limitPerMinute === undefined ? Number.POSITIVE_INFINITY : limitPerMinute * HEADROOM;
  const ratePerMinute = Math.max(1, Math.min(RATE_MAX, Math.floor(Math.min(house, bearable))));
  return {
    ratePerMinute,
    activeMax: Math.max(1, Math.ceil((ratePerMinute * visitMs) / 60_000)),
    visits,
    soldOutMs: (visits / ratePerMinute) * 60_000,
    servedShare: waiting === 0 ? 1 : Math.min(1, visits / waiting),
    boundBy: bearable < house ? "capacity" : "house",
  };
}
