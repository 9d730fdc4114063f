import type { Moment } from "../calls/room.ts";

/** The room's history as the console keeps it. Pure. */

/** What came later replaces what is known of the same second (or minute). */
export function mergeMoments(
  known: readonly Moment[],
  fresh: readonly Moment[],
  more: { unitMs: number; max: number },
): Moment[] {
  const [first] = fresh;
  if (first === undefined) return [...known];
  const unit = (moment: Moment) => Math.floor(moment.at / more.unitMs);
  const from = unit(first);
  return [...known.filter((moment) => unit(moment) < from), ...fresh].slice(-more.max);
}

/** Admissions within the minute before each moment; null while that is not known. */
export function admittedPerMinute(moments: readonly Moment[]): (number | null)[] {
  let from = 0;
  return moments.map((moment) => {
    while (from < moments.length && (moments[from]?.at ?? 0) < moment.at - 60_500) from += 1;
    const before = moments[from];
    const spanMs = before === undefined ? 0 : moment.at - before.at;
    if (before === undefined || spanMs < 30_000 || moment.admitted < before.admitted) return null;
    return Math.round(((moment.admitted - before.admitted) * 60_000) / spanMs);
  });
}

export type Span = "tenMinutes" | "hour" | "whole";

/** Seconds for what is near, minutes for the whole sale. */
export function momentsIn(
  span: Span,
  seconds: readonly Moment[],
  minutes: readonly Moment[],
): readonly Moment[] {
  if (span === "whole") return minutes;
  return span === "hour" ? seconds : seconds.slice(-600);
}
