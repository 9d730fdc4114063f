// How fast to admit: the set rate, or what the core can bear (additive increase, multiplicative decrease),
// and whether to admit at all. Pure: one call a second with the core's last report, if any.

import type { CapacityReport } from "../../shared/contract/rooms.ts";

/** As the core reports each second, `at` in ms by the core's clock, `heardAt` by the room's. */
export interface CapacityFacts {
  readonly inFlight: number;
  readonly p95Ms: number;
  readonly limitPerMinute: number;
  readonly available: number;
  readonly held: number;
  readonly paying: number;
  readonly sold: number;
  /** For the waiting pages alone; nothing is decided by them. */
  readonly tiers?: CapacityReport["tiers"];
  readonly at: number;
  readonly heardAt: number;
}

export interface PaceState {
  readonly ratePerMinute: number;
  /** `at` and `heardAt` of the newest report; null: this room has never had one. */
  readonly reportAt: number | null;
  readonly heardAt: number | null;
  readonly cutAt: number;
  /** `at` of the first of the readings in a row in which nothing was left; null: something was. */
  readonly emptySince: number | null;
}

export type HoldReason = "no_capacity_report" | "all_in_baskets";

export interface PaceVerdict {
  readonly state: PaceState;
  /** The rate in force now. */
  readonly ratePerMinute: number;
  /** Admit nobody new, and why. */
  readonly hold: HoldReason | null;
  /** Nothing available, held or being paid, in two readings at least 10 s apart. */
  readonly nothingLeft: boolean;
  /** There is something to sell again (for a room that is `sold_out`). */
  readonly seatsAreBack: boolean;
}

/** Two readings so far apart must both say that nothing is left. */
export const EMPTY_FOR_MS = 10_000;
/** A room that has once had a report admits nobody without one that is younger than this. */
export const REPORT_FRESH_MS = 10_000;
export const P95_HEALTHY_MS = 400;
export const P95_SICK_MS = 1_000;
export const CUT_FACTOR = 0.7;
/** A cut must show in the core's 95th percentile before the next one. */
export const CUT_EVERY_MS = 2_000;
/** A core that reports each second and is silent for so long is taken for a sick one. */
export const SILENT_MS = 3_000;
/** Of the set rate, each healthy second. */
export const RAISE_SHARE = 0.05;

export const FIRST_PACE: PaceState = {
  ratePerMinute: Number.POSITIVE_INFINITY,
  reportAt: null,
  heardAt: null,
  cutAt: 0,
  emptySince: null,
};

function nextRate(
  state: PaceState,
  input: { set: number; report: CapacityFacts; now: number },
): { ratePerMinute: number; cutAt: number } {
  const { set, report, now } = input;
  const ceiling = Math.max(1, Math.min(set, report.limitPerMinute > 0 ? report.limitPerMinute : 1));
  const present = Math.min(state.ratePerMinute, set);
  if (report.p95Ms >= P95_SICK_MS) {
    if (now - state.cutAt < CUT_EVERY_MS)
      return { ratePerMinute: Math.min(present, ceiling), cutAt: state.cutAt };
    return { ratePerMinute: Math.max(1, Math.min(present * CUT_FACTOR, ceiling)), cutAt: now };
  }
  const raised =
    report.p95Ms <= P95_HEALTHY_MS ? present + Math.max(1, set * RAISE_SHARE) : present;
  return { ratePerMinute: Math.max(1, Math.min(raised, ceiling)), cutAt: state.cutAt };
}

export function decidePace(
  before: PaceState,
  input: {
    readonly pace: "fixed" | "measured";
    readonly ratePerMinute: number;
    readonly report: CapacityFacts | null;
    readonly now: number;
  },
): PaceVerdict {
  const { report, now } = input;
  const set = Math.max(1, input.ratePerMinute);
  // A report counts once, and an older one that comes late does not count at all.
  const news =
    report !== null && (before.reportAt === null || report.at > before.reportAt) ? report : null;
  let state = before;
  if (news) {
    const empty = news.available === 0 && news.held === 0 && news.paying === 0;
    const paced = input.pace === "measured" ? nextRate(before, { set, report: news, now }) : null;
    state = {
      ratePerMinute: paced?.ratePerMinute ?? set,
      cutAt: paced?.cutAt ?? before.cutAt,
      reportAt: news.at,
      heardAt: news.heardAt,
      emptySince: empty ? (before.emptySince ?? news.at) : null,
    };
  }
  const quiet = state.heardAt !== null && now - state.heardAt > SILENT_MS;
  if (input.pace === "measured" && quiet && now - state.cutAt >= CUT_EVERY_MS) {
    const ratePerMinute = Math.max(1, Math.min(state.ratePerMinute, set) * CUT_FACTOR);
    state = { ...state, ratePerMinute, cutAt: now };
  }
  const silent = state.heardAt !== null && now - state.heardAt > REPORT_FRESH_MS;
  const last = state.heardAt === null ? null : report;
  const inBaskets = last !== null && last.available === 0 && last.held + last.paying > 0;
  const measured = input.pace === "measured" && state.heardAt !== null;
  return {
    state,
    ratePerMinute: measured ? Math.max(1, Math.min(set, state.ratePerMinute)) : set,
    hold: silent ? "no_capacity_report" : inBaskets ? "all_in_baskets" : null,
    nothingLeft:
      !silent &&
      state.emptySince !== null &&
      state.reportAt !== null &&
      state.reportAt - state.emptySince >= EMPTY_FOR_MS,
    seatsAreBack: !silent && last !== null && last.available > 0,
  };
}
