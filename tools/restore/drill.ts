// The drill itself: the restored books against the provider's settlement of every day since.
import { dayAfter, dayBefore, dayIn } from "../../core/payments/days.ts";
import type { PaymentProvider, SettlementLine } from "../../core/payments/provider.ts";
import { type Forgotten, findForgotten } from "./compare.ts";
import { readBooks } from "./read-books.ts";

/** A backup older than this is not drilled but mourned. */
const DAYS_MAX = 62;

export interface Drill extends Forgotten {
  readonly lastKnownAt: string;
  readonly days: readonly string[];
}

/** @throws when the backup is older than two months, or either side cannot be asked. */
export async function drillRestore(options: {
  readonly databaseUrl: string;
  readonly payments: Pick<PaymentProvider, "name" | "settlement">;
  readonly zone: string;
  readonly now: number;
}): Promise<Drill> {
  const { databaseUrl, payments, zone, now } = options;
  const books = await readBooks(databaseUrl, payments.name);
  const days = daysFrom(dayBefore(dayIn(zone, Date.parse(books.lastKnownAt))), dayIn(zone, now));
  if (days.length > DAYS_MAX)
    throw new Error(
      `the restored books end at ${books.lastKnownAt}: more than ${DAYS_MAX} days ago`,
    );
  const lines: SettlementLine[] = [];
  for (const day of days) lines.push(...(await payments.settlement(day, zone)));
  // What was settled long before the backup and is not in the books was never in them.
  return { ...findForgotten(lines, books), lastKnownAt: books.lastKnownAt, days };
}

function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last && days.length <= DAYS_MAX; day = dayAfter(day)) days.push(day);
  return days;
}
