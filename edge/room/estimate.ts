// The wait, as a range, and an honest account of earlier ranges. Pure: one observation a second goes in.
//
// The line moves by numbers, not by people: whoever has gone is passed over. So the speed is learned as
// numbers per admission and admissions per unit of the rate in force. Several memories learn side by side, short
// and long ones, some that follow a change of the rate at once and some that take the rate as it was on average
// (a measured pace goes up and down all the time). A wait of two minutes and one of forty are two questions:
// for each distance the memory speaks whose promises came truest there, and how wide its range
// must be is learned from them (`promise-range.ts`). When the organizer sets another rate, what was
// promised under the old one is promised anew, at once, and counted as such.
import { spanFor, type WaitSpan } from "../../shared/wait.ts";
import {
  learn,
  MEMORY_AT_FIRST,
  type Memory,
  MIDDLE,
  spansOf,
  speedsOf,
  withOutcomes,
} from "./memories.ts";

export interface Promised {
  readonly number: number;
  /** Which of the distances it is for. */
  readonly horizon: number;
  readonly at: number;
  /** What each memory expected. */
  readonly midsMs: readonly number[];
  readonly lowMs: number;
  readonly highMs: number;
  /** How long the room had stood still (paused, no report) before the promise. */
  readonly stoodMs: number;
}

export interface EstimateState {
  /** What is kept has this form; an older one is begun anew. */
  readonly form: typeof FORM;
  readonly at: number;
  readonly front: number;
  readonly admitted: number;
  readonly memories: readonly Memory[];
  readonly stoodMs: number;
  readonly promisedAt: number;
  readonly open: readonly Promised[];
  readonly kept: number;
  readonly settled: number;
  /** Promised anew, since the organizer has set another rate. */
  readonly restated: number;
  readonly setPerMinute: number;
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
  /** In force; a measured pace moves it. */
  readonly ratePerMinute: number;
  /** As the organizer has set it. */
  readonly setPerMinute: number;
  /** Open and not held. */
  readonly moving: boolean;
  /** Somebody is at the door or still to be called: an idle second says nothing about the speed. */
  readonly queued: boolean;
}

export interface WaitRange {
  /** From near to far; between them it goes straight. */
  readonly spans: readonly WaitSpan[];
  /** For a thousand numbers ahead, of whoever stands in the middle of the distances. */
  readonly perThousandMs: number;
  readonly lowPerThousandMs: number;
  readonly highPerThousandMs: number;
  /** Of the promises that have come due, the share that held; null: none yet. */
  readonly keptShare: number | null;
  readonly settled: number;
}

const FORM = 2;

export const NO_ESTIMATE: EstimateState = {
  form: FORM,
  at: 0,
  front: 0,
  admitted: 0,
  memories: [],
  stoodMs: 0,
  promisedAt: 0,
  open: [],
  kept: 0,
  settled: 0,
  restated: 0,
  setPerMinute: 0,
};

const OPEN_MAX = 600;
const RECENT_MAX = 120;
const PROMISE_EVERY_MS = 10_000;
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
  return { ...state, memories: learn(state.memories, step) };
}

function settle(state: EstimateState, facts: EstimateFacts): EstimateState {
  const due = state.open.filter((promise) => promise.number <= facts.front);
  if (due.length === 0) return state;
  const kept = due.filter(
    ({ at, lowMs, highMs }) => at + lowMs <= facts.now && facts.now <= at + highMs,
  );
  // A stand-still breaks a promise, but says nothing about the speed.
  const moved = due.map((promise) => facts.now - promise.at - (state.stoodMs - promise.stoodMs));
  const outcomes = due.map(({ horizon, midsMs }, j) => ({
    horizon,
    ratios: midsMs.map((midMs) => (moved[j] ?? 0) / midMs),
  }));
  const memories = withOutcomes(state.memories, outcomes);
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
  if (facts.now - state.promisedAt < PROMISE_EVERY_MS) return state;
  const spans = spansOf(state.memories, facts.ratePerMinute);
  if (spans.length === 0) return state;
  const speeds = speedsOf(state.memories, facts.ratePerMinute);
  const fresh = spans.flatMap(({ ahead, lowMs, highMs }, horizon) => {
    const number = facts.front + ahead;
    if (number > facts.last) return [];
    const midsMs = speeds.map((speed) => ahead / Math.max(1e-9, speed));
    return [{ number, horizon, at: facts.now, midsMs, lowMs, highMs, stoodMs: state.stoodMs }];
  });
  return { ...state, promisedAt: facts.now, open: [...state.open, ...fresh].slice(-OPEN_MAX) };
}

/** The organizer has set another rate: every page shows the new range at once, and that is what is judged. */
function restate(state: EstimateState, facts: EstimateFacts): EstimateState {
  const { setPerMinute } = facts;
  const before = state.setPerMinute;
  if (before === setPerMinute) return state;
  const set = { ...state, setPerMinute };
  if (before === 0) return set;
  const spans = spansOf(state.memories, facts.ratePerMinute);
  const speeds = speedsOf(state.memories, facts.ratePerMinute);
  const open = state.open.flatMap((old) => {
    const ahead = old.number - facts.front;
    const range = spanFor(spans, ahead);
    if (!range) return [];
    const midsMs = speeds.map((speed) => ahead / Math.max(1e-9, speed));
    return [{ ...old, ...range, midsMs, at: facts.now, stoodMs: state.stoodMs }];
  });
  return { ...set, open, restated: state.restated + open.length };
}

/** Takes in what is true now, once a second. */
export function observeLine(before: EstimateState, facts: EstimateFacts): EstimateState {
  const here = {
    at: facts.now,
    front: Math.max(before.front, facts.front),
    admitted: facts.admitted,
  };
  if (before.at === 0) return { ...before, ...here, setPerMinute: facts.setPerMinute };
  const passed = Math.max(0, facts.now - before.at);
  const learned = facts.moving
    ? learnSpeed(before, facts)
    : { ...before, stoodMs: before.stoodMs + passed };
  const settled = restate(settle(learned, facts), facts);
  const promised = facts.moving ? promise(settled, facts) : settled;
  return { ...promised, ...here };
}

/** What the page shows: null while too little has been seen to say anything. */
export function waitRange(
  state: EstimateState,
  facts: { ratePerMinute: number; moving: boolean },
): WaitRange | null {
  const spans = facts.moving ? spansOf(state.memories, facts.ratePerMinute) : [];
  const middle = spans[MIDDLE];
  const speed = speedsOf(state.memories, facts.ratePerMinute)[MEMORY_AT_FIRST] ?? 0;
  if (!middle) return null;
  return {
    spans,
    perThousandMs: Math.round(1_000 / speed),
    lowPerThousandMs: Math.round((middle.lowMs * 1_000) / middle.ahead),
    highPerThousandMs: Math.round((middle.highMs * 1_000) / middle.ahead),
    keptShare: state.settled === 0 ? null : state.kept / state.settled,
    settled: state.settled,
  };
}
