import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import type { Figures } from "../calls/room.ts";
import { ageOf, type Health } from "./decide.ts";

/** How each part of the house is. Pure. */

const SLOW_MS = 250;
const SLOW_P95_MS = 500;
/** The core reports each second; without one for so long the room lets nobody in. */
const REPORT_MS_MAX = 10_000;
const LATE_MS = 5_000;
const OLD_UNKNOWN_S = 120;

type Part = "store" | "database" | "locks" | "cache" | "core" | "errors" | "payments";

export function verdictsOf(
  figures: Figures,
  sale: SaleFigures | undefined,
  now: number,
): Readonly<Record<Part, Health>> {
  const health = sale?.health;
  const saleAge = ageOf(sale?.at, now) ?? Number.POSITIVE_INFINITY;
  const reportAge = ageOf(figures.capacity?.at, now);
  const ofSale = (verdict: (known: SaleFigures) => Health): Health => {
    if (sale === undefined) return "unknown";
    return saleAge > LATE_MS ? "bad" : verdict(sale);
  };
  return {
    store: figures.store.ok && !figures.stale ? "good" : "bad",
    database: ofSale(() => ((health?.database.answeredMs ?? 0) > SLOW_MS ? "slow" : "good")),
    locks: ofSale(() => (health?.redis.locks ? "good" : "bad")),
    cache: ofSale(() => (health?.redis.cache ? "good" : "bad")),
    core:
      reportAge === undefined
        ? "unknown"
        : reportAge > REPORT_MS_MAX
          ? "bad"
          : (figures.capacity?.p95Ms ?? 0) > SLOW_P95_MS || reportAge > LATE_MS
            ? "slow"
            : "good",
    errors: ofSale((known) => (known.health.requests.errors > 0 ? "slow" : "good")),
    payments: ofSale(({ payments }) =>
      payments.review > 0 || payments.oldestUnknownS > OLD_UNKNOWN_S
        ? "bad"
        : payments.unknown > 0
          ? "slow"
          : "good",
    ),
  };
}
