// What the estimate remembers of the line's speed, and what it says from it for each distance. Pure.
import type { WaitSpan } from "../../shared/wait.ts";
import {
  atLeastFirst,
  RANGE_AT_FIRST,
  RATIOS_MIN,
  type Range,
  rangeOf,
  spreadOf,
} from "./promise-range.ts";

export interface Memory {
  /** Smoothed: numbers passed per admission; admissions per allowed admission. */
  readonly numbersEach: number;
  readonly usedShare: number;
  /** Smoothed rate in force. */
  readonly ratePerMinute: number;
  /** Weight of what has been seen so far, in admissions. */
  readonly seen: number;
  /** For each distance: true wait ÷ expected wait, newest last. */
  readonly ratios: readonly (readonly number[])[];
}

export const HORIZONS_MS = [120_000, 300_000, 600_000, 1_200_000, 2_400_000] as const;
/** The one that a plain figure for a thousand people is taken from. */
export const MIDDLE = 2;
/** Of each distance: half an hour of promises. */
const RATIOS_MAX = 180;
/** How long each memory reaches back. */
const KINDS = [
  { fadeMs: 60_000, follows: true },
  { fadeMs: 240_000, follows: true },
  { fadeMs: 900_000, follows: true },
  { fadeMs: 120_000, follows: false },
  { fadeMs: 600_000, follows: false },
] as const;
/** Speaks while nothing has come due yet. */
export const MEMORY_AT_FIRST = 1;
const SEEN_MIN = 10;

const BLANK: Memory = { numbersEach: 1, usedShare: 1, ratePerMinute: 0, seen: 0, ratios: [] };

export function memoriesOf(known: readonly Memory[]): readonly Memory[] {
  return known.length === KINDS.length ? known : KINDS.map(() => BLANK);
}

/** Numbers passed in a millisecond, as each memory sees it at the present rate. */
export function speedsOf(known: readonly Memory[], ratePerMinute: number): number[] {
  return memoriesOf(known).map((memory, i) => {
    const rate = KINDS[i]?.follows === false ? memory.ratePerMinute : ratePerMinute;
    return (rate / 60_000) * memory.usedShare * memory.numbersEach;
  });
}

/** The memory whose promises at this distance came truest so far. */
function bestMemory(memories: readonly Memory[], horizon: number): number {
  const spreads = memories.map(({ ratios }) => spreadOf(ratios[horizon] ?? []));
  const least = Math.min(...spreads);
  return Number.isFinite(least) ? spreads.indexOf(least) : MEMORY_AT_FIRST;
}

/** What is said of one distance: the far one borrows from a nearer one until it has come due itself. */
function rangeAt(memories: readonly Memory[], horizon: number): { best: number; range: Range } {
  for (let at = horizon; at >= 0; at -= 1) {
    const best = bestMemory(memories, at);
    const ratios = memories[best]?.ratios[at] ?? [];
    if (ratios.length < RATIOS_MIN) continue;
    const range = rangeOf(ratios);
    return { best, range: at === horizon ? range : atLeastFirst(range) };
  }
  return { best: MEMORY_AT_FIRST, range: RANGE_AT_FIRST };
}

/** What is said at this moment, from near to far: empty while too little has been seen. */
export function spansOf(known: readonly Memory[], ratePerMinute: number): readonly WaitSpan[] {
  const memories = memoriesOf(known);
  const speeds = speedsOf(known, ratePerMinute);
  const pace = speeds[MEMORY_AT_FIRST] ?? 0;
  if ((memories[MEMORY_AT_FIRST]?.seen ?? 0) < SEEN_MIN || pace <= 0) return [];
  const spans: WaitSpan[] = [];
  for (const [horizon, ms] of HORIZONS_MS.entries()) {
    const { best, range } = rangeAt(memories, horizon);
    const before = spans.at(-1);
    const ahead = Math.max((before?.ahead ?? 0) + 1, Math.round(pace * ms));
    const midMs = ahead / Math.max(1e-9, speeds[best] ?? pace);
    // Whoever is further back never hears of a shorter wait.
    const lowMs = Math.max(before?.lowMs ?? 0, midMs * range.low);
    const highMs = Math.max(before?.highMs ?? 0, lowMs, midMs * range.high);
    spans.push({ ahead, lowMs, highMs });
  }
  return spans;
}

/** The known memories with what has come due: for each promise its distance and true wait ÷ each expected one. */
export function withOutcomes(
  known: readonly Memory[],
  due: readonly { horizon: number; ratios: readonly number[] }[],
): readonly Memory[] {
  return memoriesOf(known).map((memory, i) => {
    const ratios = HORIZONS_MS.map((_, horizon) => {
      const fresh = due.flatMap((one) => (one.horizon === horizon ? [one.ratios[i] ?? 1] : []));
      return [...(memory.ratios[horizon] ?? []), ...fresh].slice(-RATIOS_MAX);
    });
    return { ...memory, ratios };
  });
}

export interface Step {
  readonly passedMs: number;
  readonly allowed: number;
  readonly admissions: number;
  readonly numbers: number;
  readonly ratePerMinute: number;
}

export const learn = (known: readonly Memory[], step: Step): readonly Memory[] =>
  memoriesOf(known).map((memory, i) => fade(memory, KINDS[i]?.fadeMs ?? 60_000, step));

function fade(memory: Memory, fadeMs: number, step: Step): Memory {
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
