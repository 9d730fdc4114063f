// The wait, as a range, and an honest account of earlier ranges. Pure: one observation a second goes in.
//
// The line moves by numbers, not by people: whoever has gone is passed over. So the speed is learned as
// numbers per admission and admissions per unit of the rate in force. Several memories learn side by side, short
// and long ones, some that follow a change of the rate at once and some that take the rate as it was on average
// (a measured pace goes up and down all the time); the one whose promises came truest speaks. How
// wide the range must be is learned in the same way: of the recent outcomes, the narrowest range that would
// have held nine out of ten, stretched for what has not been seen yet, and never wider than half of the wait.

export interface Promised {
  readonly number: number;
  readonly at: number;
  /** What each memory expected. */
  readonly midsMs: readonly number[];
  readonly lowMs: number;
  readonly highMs: number;
  /** How long the room had stood still (paused, no report) before the promise. */
  readonly stoodMs: number;
}

export interface Memory {
  /** Smoothed: numbers passed per admission; admissions per allowed admission. */
  readonly numbersEach: number;
  readonly usedShare: number;
  /** Smoothed rate in force. */
  readonly ratePerMinute: number;
  /** Weight of what has been seen so far, in admissions. */
  readonly seen: number;
  /** True wait ÷ expected wait, newest last. */
  readonly ratios: readonly number[];
}

export interface EstimateState {
  readonly at: number;
  readonly front: number;
  readonly admitted: number;
  readonly memories: readonly Memory[];
  readonly stoodMs: number;
  readonly promisedAt: number;
  readonly open: readonly Promised[];
  readonly kept: number;
  readonly settled: number;
  /** The last promises that came due: what was said, and how long it took. */
  readonly recent?: readonly SettledPromise[];
}

export interface SettledPromise {
  readonly at: number;
  readonly lowMs: number;
  readonly highMs: number;
  readonly trueMs: number;
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
  /** Somebody is at the door or still to be called: an idle second says nothing about the speed. */
  readonly queued: boolean;
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
  memories: [],
  stoodMs: 0,
  promisedAt: 0,
  open: [],
  kept: 0,
  settled: 0,
};

export const LOW_AT_FIRST = 0.82;
export const HIGH_AT_FIRST = 1.28;
export const COVER_SHARE = 0.92;
/** Width of a range, of its middle. */
export const WIDTH_MAX = 0.46;
const WIDTH_MIN = 0.12;
/** What is still to come differs more than what has been. */
const STRETCH = 1.5;
const RATIOS_MIN = 20;
const RATIOS_MAX = 240;
const OPEN_MAX = 600;
const RECENT_MAX = 120;
const PROMISE_EVERY_MS = 10_000;
const HORIZONS_MS = [120_000, 300_000, 600_000, 1_200_000, 2_400_000] as const;
/** How long each memory reaches back. */
const KINDS = [
  { fadeMs: 60_000, follows: true },
  { fadeMs: 240_000, follows: true },
  { fadeMs: 900_000, follows: true },
  { fadeMs: 120_000, follows: false },
  { fadeMs: 600_000, follows: false },
] as const;
const MEMORY_AT_FIRST = 1;
const SEEN_MIN = 10;

const BLANK: Memory = { numbersEach: 1, usedShare: 1, ratePerMinute: 0, seen: 0, ratios: [] };

function memoriesOf(state: EstimateState): readonly Memory[] {
  return state.memories.length === KINDS.length ? state.memories : KINDS.map(() => BLANK);
}

/** Numbers passed in a millisecond, as each memory sees it at the present rate. */
function speedsOf(state: EstimateState, ratePerMinute: number): number[] {
  return memoriesOf(state).map((memory, i) => {
    const rate = KINDS[i]?.follows === false ? memory.ratePerMinute : ratePerMinute;
    return (rate / 60_000) * memory.usedShare * memory.numbersEach;
  });
}

/** The memory whose promises came truest so far. */
function bestMemory(state: EstimateState): number {
  const misses = memoriesOf(state).map(({ ratios }) =>
    ratios.length < RATIOS_MIN
      ? Number.POSITIVE_INFINITY
      : ratios.reduce((sum, ratio) => sum + Math.abs(Math.log(Math.max(0.01, ratio))), 0),
  );
  const least = Math.min(...misses);
  return Number.isFinite(least) ? misses.indexOf(least) : MEMORY_AT_FIRST;
}

/** What is said at this moment: null while too little has been seen. */
function present(
  state: EstimateState,
  ratePerMinute: number,
): { speed: number; low: number; high: number } | null {
  const best = bestMemory(state);
  const memory = memoriesOf(state)[best] ?? BLANK;
  const speed = speedsOf(state, ratePerMinute)[best] ?? 0;
  return memory.seen < SEEN_MIN || speed <= 0 ? null : { speed, ...rangeOf(memory.ratios) };
}

/** The range for one unit of the promised middle. */
export function rangeOf(ratios: readonly number[]): { low: number; high: number } {
  if (ratios.length < RATIOS_MIN) return { low: LOW_AT_FIRST, high: HIGH_AT_FIRST };
  const sorted = [...ratios].sort((a, b) => a - b);
  const needed = Math.ceil(sorted.length * COVER_SHARE);
  let best = { low: LOW_AT_FIRST, high: HIGH_AT_FIRST, count: 0 };
  for (let from = 0, to = 0; from < sorted.length; from += 1) {
    const low = sorted[from] ?? 1;
    // The narrowest range that holds enough; where none is narrow enough, the one that holds most.
    to = Math.max(to, from);
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
  const width = best.high - best.low;
  const wanted = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width * STRETCH));
  const spare = Math.max(0, wanted - width) / 2;
  return { low: Math.max(0, best.low - spare), high: best.high + spare };
}

function learn(
  memory: Memory,
  fadeMs: number,
  step: {
    passedMs: number;
    allowed: number;
    admissions: number;
    numbers: number;
    ratePerMinute: number;
  },
): Memory {
  // Sums that fade: a quiet second moves them little, a busy minute decides.
  const seen = memory.seen * Math.exp(-step.passedMs / fadeMs);
  const total = seen + step.allowed;
  const mass = memory.usedShare * seen;
  const used = (mass + step.admissions) / total;
  const each = (memory.numbersEach * mass + step.numbers) / Math.max(1e-9, mass + step.admissions);
  return {
    ...memory,
    usedShare: Math.min(1.5, Math.max(0.01, used)),
    numbersEach: mass + step.admissions > 0 ? Math.max(0.5, each) : memory.numbersEach,
    ratePerMinute: (memory.ratePerMinute * seen + step.ratePerMinute * step.allowed) / total,
    seen: total,
  };
}

function learnSpeed(state: EstimateState, facts: EstimateFacts): EstimateState {
  const passedMs = facts.now - state.at;
  const allowed = (facts.ratePerMinute * passedMs) / 60_000;
  const idle = !facts.queued && facts.admitted <= state.admitted;
  if (allowed <= 0 || idle) return state;
  const step = {
    passedMs,
    allowed,
    ratePerMinute: facts.ratePerMinute,
    admissions: Math.max(0, facts.admitted - state.admitted),
    numbers: Math.max(0, facts.front - state.front),
  };
  const memories = memoriesOf(state).map((memory, i) =>
    learn(memory, KINDS[i]?.fadeMs ?? 60_000, step),
  );
  return { ...state, memories };
}

function settle(state: EstimateState, facts: EstimateFacts): EstimateState {
  const due = state.open.filter((promise) => promise.number <= facts.front);
  if (due.length === 0) return state;
  const kept = due.filter(
    ({ at, lowMs, highMs }) => at + lowMs <= facts.now && facts.now <= at + highMs,
  );
  // A stand-still breaks a promise, but says nothing about the speed.
  const moved = due.map((promise) => facts.now - promise.at - (state.stoodMs - promise.stoodMs));
  const memories = memoriesOf(state).map((memory, i) => {
    const ratios = due.map((promise, j) => (moved[j] ?? 0) / (promise.midsMs[i] ?? 1));
    return { ...memory, ratios: [...memory.ratios, ...ratios].slice(-RATIOS_MAX) };
  });
  const open = state.open.filter((promise) => promise.number > facts.front);
  const now = facts.now;
  const recent = due.map(({ at, lowMs, highMs }) => ({ at: now, lowMs, highMs, trueMs: now - at }));
  return {
    ...state,
    memories,
    open,
    recent: [...(state.recent ?? []), ...recent].slice(-RECENT_MAX),
    kept: state.kept + kept.length,
    settled: state.settled + due.length,
  };
}

function promise(state: EstimateState, facts: EstimateFacts): EstimateState {
  const said = present(state, facts.ratePerMinute);
  if (!said || facts.now - state.promisedAt < PROMISE_EVERY_MS) return state;
  const speeds = speedsOf(state, facts.ratePerMinute);
  const fresh = HORIZONS_MS.flatMap((horizon) => {
    const ahead = Math.max(1, Math.round(said.speed * horizon));
    const number = facts.front + ahead;
    if (number > facts.last) return [];
    const midsMs = speeds.map((speed) => ahead / Math.max(1e-9, speed));
    const range = {
      lowMs: (ahead / said.speed) * said.low,
      highMs: (ahead / said.speed) * said.high,
    };
    return [{ number, at: facts.now, midsMs, ...range, stoodMs: state.stoodMs }];
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
  const said = facts.moving ? present(state, facts.ratePerMinute) : null;
  if (!said) return null;
  const { speed, low, high } = said;
  const perThousandMs = Math.round(1_000 / speed);
  return {
    perThousandMs,
    lowPerThousandMs: Math.round(perThousandMs * low),
    highPerThousandMs: Math.round(perThousandMs * high),
    keptShare: state.settled === 0 ? null : state.kept / state.settled,
    settled: state.settled,
  };
}
