/**
 * Pure: whether a time of an event was written as the clocks at its place show it.
 *
 * Times are instants, `Z` or with an offset, so none is ever ambiguous. But an offset that the
 * event's time zone does not have at that instant was written for another place, or for the wrong
 * half of the year, or for an hour that the clocks leave out: all three are sale starts at a time
 * that nobody meant, and are refused.
 */

const OFFSET = /([+-]\d{2}:\d{2})$/;

/** What the clocks of a zone differ from UTC at an instant, as `+03:00`. */
export function offsetAt(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const name = parts
    .formatToParts(new Date(instant))
    .find(({ type }) => type === "timeZoneName")?.value;
  return name?.match(OFFSET)?.[1] ?? "+00:00";
}

/** What is wrong with the offset of this time, if anything; `Z` is nobody's clock and always right. */
export function offsetFault(instant: string, timeZone: string): string | undefined {
  const [, written] = OFFSET.exec(instant) ?? [];
  if (written === undefined) return undefined;
  const right = offsetAt(instant, timeZone);
  if (written.replace("-00:00", "+00:00") === right) return undefined;
  return `at that instant clocks in ${timeZone} show ${right}, not ${written}`;
}
