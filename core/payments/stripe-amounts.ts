// Stripe counts some currencies in other minor units than ISO 4217 does. Pure.
// Source: "Supported currencies", docs.stripe.com/currencies: the special cases.
import { assert } from "../../shared/result.ts";

/** ISO has no minor unit, Stripe wants two decimals that are always 00. */
const TIMES_HUNDRED: ReadonlySet<string> = new Set(["ISK", "UGX"]);
const FACTOR = 100;

export function toStripeAmount(amount: number, currency: string): number {
  const value = TIMES_HUNDRED.has(currency) ? amount * FACTOR : amount;
  assert(Number.isSafeInteger(value), "money is a whole number of minor units");
  return value;
}

/** Back again; an amount that is no whole unit of ours is `undefined`, and never rounded. */
export function fromStripeAmount(amount: number, currency: string): number | undefined {
  if (!TIMES_HUNDRED.has(currency)) return amount;
  return amount % FACTOR === 0 ? amount / FACTOR : undefined;
}
