import { assert } from "./result.ts";

/** Integer minor units and an ISO 4217 code. Never a float. */
export type Money = { amount: number; currency: string };

/** Minor-unit exponents that differ from 2 (ISO 4217, list one). */
const EXPONENTS: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
};

export const CURRENCY_PATTERN = /^[A-Z]{3}$/;

/** How many decimals the currency has: JPY 0, TRY 2, KWD 3. */
export const exponentOf = (currency: string): number => EXPONENTS[currency] ?? 2;

/** For people: `formatMoney({amount: 1050, currency: "EUR"}, "de")` → `10,50 €`. */
export function formatMoney(money: Money, locale: string): string {
  assert(Number.isSafeInteger(money.amount), "money is a whole number of minor units");
  const digits = exponentOf(money.currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: money.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(money.amount / 10 ** digits);
}
