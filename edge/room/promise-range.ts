// How wide a promised range must be, learned from how earlier ones came out. Pure.

export const LOW_AT_FIRST = 0.82;
export const HIGH_AT_FIRST = 1.28;
const WIDTH_AT_FIRST = HIGH_AT_FIRST - LOW_AT_FIRST;
/** Of the outcomes known, so many must have been held by the range that is promised next. */
export const COVER_SHARE = 0.92;
/** Width of a range, of its middle. */
export const WIDTH_MAX = 0.5;
const WIDTH_MIN = 0.22;
/** What is still to come differs more than what has been. */
const STRETCH = 1.8;
export const RATIOS_MIN = 20;

export type Range = { readonly low: number; readonly high: number };

export const RANGE_AT_FIRST: Range = { low: LOW_AT_FIRST, high: HIGH_AT_FIRST };

/**
 * The narrowest range that would have held enough of the outcomes (true wait ÷ expected wait); where
 * none is narrow enough, the one that holds most.
 */
function narrowest(sorted: readonly number[], widthMax: number): Range & { count: number } {
  const needed = Math.ceil(sorted.length * COVER_SHARE);
  let best = { ...RANGE_AT_FIRST, count: 0 };
  for (let from = 0, to = 0; from < sorted.length; from += 1) {
    const low = sorted[from] ?? 1;
    to = Math.max(to, from);
    while (
      to + 1 < sorted.length &&
      to - from + 1 < needed &&
      (sorted[to + 1] ?? 0) - low <= widthMax
    )
      to += 1;
    const high = sorted[to] ?? low;
    const count = to - from + 1;
    if (count > best.count || (count === best.count && high - low < best.high - best.low))
      best = { low, high, count };
  }
  return best;
}

/** The range for one unit of the promised middle. */
export function rangeOf(ratios: readonly number[]): Range {
  if (ratios.length < RATIOS_MIN) return RANGE_AT_FIRST;
  const best = narrowest(
    [...ratios].sort((a, b) => a - b),
    WIDTH_MAX,
  );
  const width = best.high - best.low;
  const wanted = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width * STRETCH));
  const spare = Math.max(0, wanted - width) / 2;
  return { low: Math.max(0, best.low - spare), high: best.high + spare };
}

/** Around the same middle, but at least as wide as what is said when nothing is known. */
export function atLeastFirst({ low, high }: Range): Range {
  const spare = Math.max(0, WIDTH_AT_FIRST - (high - low)) / 2;
  return { low: Math.max(0, low - spare), high: high + spare };
}

/** How far the outcomes lie apart, of their middle: the less, the truer the memory that promised. */
export function spreadOf(ratios: readonly number[]): number {
  if (ratios.length < RATIOS_MIN) return Number.POSITIVE_INFINITY;
  const sorted = [...ratios].sort((a, b) => a - b);
  const { low, high } = narrowest(sorted, Number.POSITIVE_INFINITY);
  return (high - low) / Math.max(0.01, (low + high) / 2);
}
