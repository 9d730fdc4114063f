import type { EventView } from "../../../../shared/contract/events.ts";
import type { Money } from "../../../../shared/money.ts";

/**
 * What the order will add to the prices, line by line, and what it all comes to: the same sum as the core
 * makes, so that nobody learns of a fee later than of a price. Pure.
 */

export type Added = { kind: "feeTicket" | "feeOrder" | "tax"; amount: number; quantity: number };
export type PriceTag = { added: Added[]; total: Money };
/** Seats or places of one price. */
export type Units = { zone: string; quantity: number };
type Fees = Pick<EventView, "currency" | "fees" | "orderFee" | "taxBasisPoints" | "zones">;

/** A line for each fee that there is: those of a price of its own come apart from the event's. */
function feesOf(event: Fees, units: readonly Units[]): Added[] {
  const own = new Map(event.zones.map(({ id, fee }) => [id, fee?.amount]));
  const counts = new Map<number, number>();
  for (const { zone, quantity } of units) {
    const amount = own.get(zone) ?? event.fees.amount;
    counts.set(amount, (counts.get(amount) ?? 0) + quantity);
  }
  return [...counts].map(([amount, quantity]) => ({ kind: "feeTicket", amount, quantity }));
}

/** @param goods what seats, places and extras cost together; `units` bear a fee each, extras none. */
export function priceTag(
  event: Fees,
  { units, goods }: { units: readonly Units[]; goods: number },
): PriceTag {
  const perOrder = units.length > 0 ? (event.orderFee?.amount ?? 0) : 0;
  const fees: Added[] = [
    ...feesOf(event, units),
    { kind: "feeOrder", amount: perOrder, quantity: 1 },
  ];
  const net = fees.reduce((sum, { amount, quantity }) => sum + amount * quantity, goods);
  const tax = Math.round((net * (event.taxBasisPoints ?? 0)) / 10_000);
  const added: Added[] = [...fees, { kind: "tax", amount: tax, quantity: 1 }];
  return {
    added: added.filter(({ amount }) => amount > 0),
    total: { amount: net + tax, currency: event.currency },
  };
}
