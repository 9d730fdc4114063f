import type { EventView } from "../../../../shared/contract/events.ts";
import type { Money } from "../../../../shared/money.ts";

/**
 * What will have to be paid, before an order is made: the same sums as the order's own lines, so that
 * nobody learns of a fee later than of a price. Pure.
 */

export type PriceTag = { fees: number; tax: number; total: Money };

/** @param goods what seats, places and extras cost together; `units` bear a fee each, extras none. */
export function priceTag(
  event: Pick<EventView, "currency" | "fees" | "orderFee" | "taxBasisPoints">,
  { units, goods }: { units: number; goods: number },
): PriceTag {
  const fees = units * event.fees.amount + (units > 0 ? (event.orderFee?.amount ?? 0) : 0);
  const tax = Math.round(((goods + fees) * (event.taxBasisPoints ?? 0)) / 10_000);
  return { fees, tax, total: { amount: goods + fees + tax, currency: event.currency } };
}
