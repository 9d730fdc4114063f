import type { Called } from "./row-book.ts";

/** Was the line fair? From who was called in which order, who came in when, and which rate held. Pure. */

export type FairnessFacts = {
  /** In the order of the calls. */
  called: readonly Called[];
  /** Place → when it used its admission, ms. */
  claims: ReadonlyMap<string, number>;
  /** People let in round the line were, by definition, not called in the order of their numbers. */
  letIn: ReadonlySet<string>;
  /** Minute since 1970 → the highest rate that was in force in it. */
  rates: ReadonlyMap<number, number>;
};

export type Inversions = { count: number; afterMiss: number; largest: number };
export type OverAdmissions = { count: number; busiestMinute: number; rateThen: number };

const WINDOW_MS = 60_000;

/** Of those who came in: called after somebody with a higher number. */
export function countInversions(facts: FairnessFacts): Inversions {
  const found: Inversions = { count: 0, afterMiss: 0, largest: 0 };
  let highest = 0;
  for (const { place, number, misses } of facts.called) {
    if (!facts.claims.has(place) || facts.letIn.has(place)) continue;
    if (number < highest) {
      found.count += 1;
      if (misses > 0) found.afterMiss += 1;
      found.largest = Math.max(found.largest, highest - number);
    }
    highest = Math.max(highest, number);
  }
  return found;
}

/**
 * Each claim ends a window of 60,000 ms. It is held against the highest rate of the two minutes that the
 * window touches; where no rate is known, nothing is said.
 */
export function countOverAdmissions(facts: FairnessFacts): OverAdmissions {
  const times = [...facts.claims.values()].sort((a, b) => a - b);
  const found: OverAdmissions = { count: 0, busiestMinute: 0, rateThen: 0 };
  let from = 0;
  times.forEach((at, i) => {
    while ((times[from] ?? at) <= at - WINDOW_MS) from += 1;
    const claims = i - from + 1;
    const minute = Math.floor(at / WINDOW_MS);
    const rate = Math.max(facts.rates.get(minute) ?? 0, facts.rates.get(minute - 1) ?? 0);
    if (rate > 0 && claims > rate) found.count += 1;
    if (claims > found.busiestMinute) {
      found.busiestMinute = claims;
      found.rateThen = rate;
    }
  });
  return found;
}
