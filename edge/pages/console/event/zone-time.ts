/**
 * An event's times are written as the clocks at its place show them. Pure.
 */

/** What a zone's clocks differ from UTC at an instant, ms. */
export function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(new Date(at));
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return shown - Math.floor(at / 1_000) * 1_000;
}

/** `2027-06-01T20:30` at the place, for an input. */
export function localOf(iso: string | undefined, timeZone: string): string {
  const at = Date.parse(iso ?? "");
  if (Number.isNaN(at)) return "";
  return new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 16);
}

/** The instant at which clocks at the place show this; of an hour that is there twice, the first. */
export function isoOf(local: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const guess = asUtc - offsetMs(asUtc, timeZone);
  const at = asUtc - offsetMs(guess, timeZone);
  // An hour that the clocks leave out is nobody's time.
  if (at + offsetMs(at, timeZone) !== asUtc) return undefined;
  return new Date(at).toISOString();
}

export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text !== "";
  } catch {
    return false;
  }
}
