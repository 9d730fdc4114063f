// How many people to call to the door in addition. Pure: what each tick reported goes in, a number comes out.
//
// People do not come at once, and many do not come at all. The door must never run dry at the set rate, and
// nobody should be called long before the turn. So: as many as the door can take within the look-ahead,
// divided by the share of those called who do come. Both are measured. (Modelled: a look-ahead of 30 s holds
// the set rate exactly with half of the fans gone and a third of the tabs hidden.)

/** Numbers called by one tick, and how many of them have come. */
export interface Call {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly called: number;
  readonly arrived: number;
}

export interface CallState {
  readonly calls: readonly Call[];
  /** Times from call to door, newest last. */
  readonly lagsMs: readonly number[];
}

export interface CallFacts {
  readonly ratePerMinute: number;
  /** Called and present. */
  readonly door: number;
  readonly freeSlots: number;
  /** Slots that became free in the last minute. */
  readonly freedPerMinute: number;
}

export const LOOK_AHEAD_MIN_MS = 30_000;
export const LOOK_AHEAD_MAX_MS = 120_000;
export const PEOPLE_MIN = 10;
/** Never more called and present than two minutes of admissions. */
export const PEOPLE_MAX_MS = 120_000;
export const SHARE_MIN = 0.05;
export const SHARE_AT_FIRST = 0.5;
/** What is assumed at first weighs like so many people. */
const PRIOR_PEOPLE = 10;
const SHARE_PEOPLE = 500;
const SHARE_AGE_MAX_MS = 600_000;
const LAGS_MAX = 400;
const CALLS_MAX = 600;

export const NO_CALLS: CallState = { calls: [], lagsMs: [] };

/**
 * Takes in what a tick reported. `byNumbers`: for a while after a restore people are called by number,
 * whether or not they have come back, and are counted so.
 */
export function seeTick(
  state: CallState,
  tick: {
    readonly now: number;
    readonly calledFrom: number;
    readonly calledTo: number;
    readonly called: number;
    readonly arrivals: readonly { readonly number: number; readonly at: number }[];
    readonly byNumbers: boolean;
    /** Of the numbers called, those of a gap: nobody has them, so nobody is awaited. */
    readonly vacant?: number;
  },
): CallState {
  const calls = state.calls
    .filter((call) => call.at > tick.now - SHARE_AGE_MAX_MS)
    .slice(-CALLS_MAX);
  const lags = [...state.lagsMs];
  for (const { number, at } of tick.arrivals) {
    const index = calls.findLastIndex((call) => call.from < number && number <= call.to);
    const call = calls[index];
    if (!call) continue;
    calls[index] = { ...call, arrived: Math.min(call.called, call.arrived + 1) };
    lags.push(Math.max(0, at - call.at));
  }
  const numbers = tick.calledTo - tick.calledFrom;
  if (numbers > 0) {
    calls.push({
      at: tick.now,
      from: tick.calledFrom,
      to: tick.calledTo,
      called: tick.byNumbers ? Math.max(0, numbers - (tick.vacant ?? 0)) : tick.called,
      arrived: 0,
    });
  }
  return { calls, lagsMs: lags.slice(-LAGS_MAX) };
}

/** The measured time from call to door, 90th percentile, within its bounds. */
export function lookAheadMs(state: CallState): number {
  if (state.lagsMs.length < PEOPLE_MIN) return LOOK_AHEAD_MIN_MS;
  const sorted = [...state.lagsMs].sort((a, b) => a - b);
  const p90 = sorted[Math.floor(sorted.length * 0.9)] ?? LOOK_AHEAD_MIN_MS;
  return Math.min(LOOK_AHEAD_MAX_MS, Math.max(LOOK_AHEAD_MIN_MS, p90));
}

/** Of those called, the share that comes: over recent calls that have had their time. */
export function showUpShare(state: CallState, now: number): number {
  const ripe = now - lookAheadMs(state);
  let called = PRIOR_PEOPLE;
  let arrived = PRIOR_PEOPLE * SHARE_AT_FIRST;
  for (const call of state.calls.toReversed()) {
    if (call.at > ripe) continue;
    if (called > SHARE_PEOPLE) break;
    called += call.called;
    arrived += call.arrived;
  }
  return Math.min(1, Math.max(SHARE_MIN, arrived / called));
}

/** Called within one look-ahead and not come yet; whoever was called before that is not awaited. */
export function onTheirWay(state: CallState, now: number): number {
  const since = now - lookAheadMs(state);
  return state.calls
    .filter((call) => call.at > since)
    .reduce((sum, call) => sum + call.called - call.arrived, 0);
}

/** How many to call with the next tick (`advance`). */
export function decideAdvance(state: CallState, facts: CallFacts, now: number): number {
  const ahead = lookAheadMs(state);
  const perMs = facts.ratePerMinute / 60_000;
  const slots = Math.max(0, facts.freeSlots) + (facts.freedPerMinute * ahead) / 60_000;
  const wanted = Math.max(PEOPLE_MIN, Math.min(perMs * ahead, slots));
  const most = Math.max(PEOPLE_MIN, perMs * PEOPLE_MAX_MS);
  const missing = Math.min(wanted, most) - facts.door;
  if (missing <= 0) return 0;
  return Math.max(0, Math.ceil(missing / showUpShare(state, now)) - onTheirWay(state, now));
}
