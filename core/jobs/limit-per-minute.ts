/** Pure: how many shoppers a minute one process could serve with its connections. */

/** A shopper's whole visit, in statements: map, holds, order, attempt, settling. */
const STATEMENTS_PER_SHOPPER = 25;
/** Beyond this use of the connections, queues begin to grow. */
const USE_MAX = 0.7;
const PER_MINUTE_MAX = 100_000;

/** At the statements' present speed. */
export function limitPerMinute(input: { connectionsMax: number; serviceMs: number }): number {
  const statementsPerMinute =
    (input.connectionsMax * USE_MAX * 60_000) / Math.max(0.1, input.serviceMs);
  return Math.min(PER_MINUTE_MAX, Math.floor(statementsPerMinute / STATEMENTS_PER_SHOPPER));
}
