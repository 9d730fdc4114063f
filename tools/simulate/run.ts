// Plays one variant to its end and gathers what came of it.
import { Sale, type Second } from "./model.ts";
import type { Tiers } from "./tiers.ts";
import type { Variant } from "./variants.ts";

const SECONDS_MAX = 7_200;

export type Outcome = {
  readonly variant: Variant;
  readonly seconds: readonly Second[];
  readonly tiers: Tiers;
  readonly waitsS: readonly number[];
  readonly admittedPeople: number;
  readonly admittedBots: number;
  readonly soldOutS: number | undefined;
  readonly promises: { readonly kept: number; readonly made: number };
  readonly broken: readonly string[];
  readonly openingMs: number;
};

export function runSale(variant: Variant): Outcome {
  const startedAt = performance.now();
  const sale = new Sale(variant);
  const openingMs = performance.now() - startedAt;
  let t = 0;
  while (t < SECONDS_MAX && sale.sold < variant.seats) {
    sale.step(t);
    t += 1;
  }
  return {
    variant,
    seconds: sale.seconds,
    tiers: sale.tiers,
    waitsS: sale.waitsS.sort((a, b) => a - b),
    admittedPeople: sale.admittedNumbers.size - sale.bots,
    admittedBots: sale.bots,
    soldOutS: sale.sold >= variant.seats ? t : undefined,
    promises: { kept: sale.estimate.kept, made: sale.estimate.settled },
    broken: sale.broken,
    openingMs,
  };
}
