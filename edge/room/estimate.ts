// The wait, as a range, and an honest account of earlier ranges. Pure: one observation a second goes in.
//
// The line moves by numbers, not by people: whoever has gone is passed over. So the speed is learned as
// numbers per admission and admissions per unit of the rate in force, and follows a change of the rate at
// once. How wide the range must be is learned from what was promised and what came true: of the recent
// outcomes, the narrowest range that would have held nine out of ten (never wider than half of the wait).

export interface Promised {
  readonly number: number;
  readonly at: number;
  readonly midMs: number;
  readonly lowMs: number;
  readonly highMs: number;
  /** How long the room had stood still (paused, no report) before the promise. */
  readonly stoodMs: number;
}

export interface EstimateState {
  readonly at: number;
  readonly front: number;
  readonly admitted: number;
  /** Smoothed: numbers passed per admission; admissions per allowed admission. */
  readonly numbersEach: number;
  readonly usedShare: number;
  /** Weight of what has been seen so far, in admissions. */
  readonly seen: number;
  readonly stoodMs: number;
  readonly promisedAt: number;
  readonly open: readonly Promised[];
  /** True wait ÷ promised middle, newest last. */
  readonly ratios: readonly number[];
  readonly kept: number;
  readonly settled: number;
}

export interface EstimateFacts {
  readonly now: number;
  /** Highest number that has been admitted to a slot. */
  readonly front: number;
  /** Claims, all told. */
  readonly admitted: number;
  /** Highest number handed out: nothing is promised beyond it. */
  readonly last: number;
  readonly ratePerMinute: number;
  /** Open and not held. */
  readonly moving: boolean;
}

export interface WaitRange {
  /** For a thousand numbers ahead. */
  readonly perThousandMs: number;
  readonly lowPerThousandMs: number;
  readonly highPerThousandMs: number;
  /** Of the promises that have come due, the share that held; null: none yet. */
  readonly keptShare: number | null;
  readonly settled: number;
}

export const NO_ESTIMATE: EstimateState = {
  at: 0,
  front: 0,
  admitted: 0,
  numbersEach: 1,
  usedShare: 1,
  seen: 0,
  stoodMs: 0,
  promisedAt: 0,
  open: [],
  ratios: [],
  kept: 0,
  settled: 0,
};

export const LOW_AT_FIRST = 0.82;
export const HIGH_AT_FIRST = 1.28;
export const COVER_SHARE = 0.92;
/** Width of a range, of its middle. */
export const WIDTH_MAX = 0.46;
const WIDTH_MIN = 0.1;
const RATIOS_MIN = 20;
const RATIOS_MAX = 240;
const OPEN_MAX = 600;
const PROMISE_EVERY_MS = 10_000;
const HORIZONS_MS = [120_000, 300_000, 600_000, 1_200_000, 2_400_000] as const;
/** Smoothing: what was seen in the last few minutes counts for most. */
const FADE_MS = 180_000;
const SEEN_MIN = 10;

/** Numbers passed in a millisecond at the present rate. */
export function speedOf(state: EstimateState, ratePerMinute: number): number {
  return (ratePerMinute / 60_000) * state.usedShare * state.numbersEach;
}

/** The range for one unit of the promised middle. */
export function rangeOf(ratios: readonly number[]): { low: number; high: number } {
  if (ratios.length < RATIOS_MIN) return { low: LOW_AT_FIRST, high: HIGH_AT_FIRST };
  const sorted = [...ratios].sort((a, b) => a - b);
  const needed = Math.ceil(sorted.length * COVER_SHARE);
  let best = { low: LOW_AT_FIRST, high: HIGH_AT_FIRST, count: 0 };
  for (let from = 0; from < sorted.length; from += 1) {
    const low = sorted[from] ?? 1;
    // The narrowest range that holds enough; where none is narrow enough, the one that holds most.
    let to = from;
    while (
      to + 1 < sorted.length &&
      to - from + 1 < needed &&
      (sorted[to + 1] ?? 0) - low <= WIDTH_MAX
    )
      to += 1;
    const high = sorted[to] ?? low;
    const count = to - from + 1;
    if (count > best.count || (count === best.count && high - low < best.high - best.low))
      best = { low, high, count };
  }
  const spare = Math.max(0, WIDTH_MIN - (best.high - best.low)) / 2;
  return { low: Math.max(0, best.low - spare), high: best.high + spare };
}

function learnSpeed(state: EstimateState, facts: EstimateFacts): EstimateState {
  const passedMs = facts.now - state.at;
  const admissions = Math.max(0, facts.admitted - state.admitted);
  const allowed = (facts.ratePerMinute * passedMs) / 60_000;
  if (allowed <= 0) return state;
  const numbers = Math.max(0, facts.front - state.front);
  // Sums that fade: a quiet second moves them little, a busy minute decides.
  const keep = Math.exp(-passedMs / FADE_MS);
  const seen = state.seen * keep;
  const total = seen + allowed;
  const used = (state.usedShare * seen + admissions) / total;
  const admittedMass = state.usedShare * seen;
  const each =
    admittedMass + admissions > 0
      ? (state.numbersEach * admittedMass + numbers) / (admittedMass + admissions)
      : state.numbersEach;
  return {
    ...state,
    usedShare: Math.min(1.5, Math.max(0.01, used)),
    numbersEach: Math.max(0.5, each),
    seen: total,
  };
}

function settle(state: EstimateState, facts: EstimateFacts): EstimateState {
  const due = state.open.filter((promise) => promise.number <= facts.front);
  if (due.length === 0) return state;
  let { kept, settled } = state;
  const ratios = [...state.ratios];
  for (const promise of due) {
    const wait = facts.now - promise.at;
    if (promise.lowMs <= wait && wait <= promise.highMs) kept += 1;
    settled += 1;
    // A stand-still breaks a promise, but says nothing about the speed.
    ratios.push((wait - (state.stoodMs - promise.stoodMs)) / promise.midMs);
  }
  const open = state.open.filter((promise) => promise.number > facts.front);
  return { ...state, open, ratios: ratios.slice(-RATIOS_MAX), kept, settled };
}

function promise(state: EstimateState, facts: EstimateFacts): EstimateState {
  const speed = speedOf(state, facts.ratePerMinute);
  if (facts.now - state.promisedAt < PROMISE_EVERY_MS || state.seen < SEEN_MIN || speed <= 0)
    return state;
  const { low, high } = rangeOf(state.ratios);
  const fresh = HORIZONS_MS.flatMap((horizon) => {
    const number = facts.front + Math.max(1, Math.round(speed * horizon));
    if (number > facts.last) return [];
    const midMs = (number - facts.front) / speed;
    const range = { midMs, lowMs: midMs * low, highMs: midMs * high };
    return [{ number, at: facts.now, ...range, stoodMs: state.stoodMs }];
  });
  return { ...state, promisedAt: facts.now, open: [...state.open, ...fresh].slice(-OPEN_MAX) };
}

/** Takes in what is true now, once a second. */
export function observeLine(before: EstimateState, facts: EstimateFacts): EstimateState {
  const here = {
    at: facts.now,
    front: Math.max(before.front, facts.front),
    admitted: facts.admitted,
  };
  if (before.at === 0) return { ...before, ...here };
  const passed = Math.max(0, facts.now - before.at);
  const learned = facts.moving
    ? learnSpeed(before, facts)
    : { ...before, stoodMs: before.stoodMs + passed };
  const settled = settle(learned, facts);
  const promised = facts.moving ? promise(settled, facts) : settled;
  return { ...promised, ...here };
}

/** What the page shows: null while too little has been seen to say anything. */
export function waitRange(
  state: EstimateState,
  facts: { ratePerMinute: number; moving: boolean },
): WaitRange | null {
  const speed = speedOf(state, facts.ratePerMinute);
  if (!facts.moving || state.seen < SEEN_MIN || speed <= 0) return null;
  const { low, high } = rangeOf(state.ratios);
  const perThousandMs = Math.round(1_000 / speed);
  return {
    perThousandMs,
    lowPerThousandMs: Math.round(perThousandMs * low),
    highPerThousandMs: Math.round(perThousandMs * high),
    keptShare: state.settled === 0 ? null : state.kept / state.settled,
    settled: state.settled,
  };
}
