// Calendar days of a time zone, without a library. Pure.

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** `2026-03-29` as that zone's wall shows at this instant. */
export const dayIn = (zone: string, at: number): string =>
  // The Canadian format is the ISO one.
  new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(at);

export const hourIn = (zone: string, at: number): number =>
  Number(
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" }).format(
      at,
    ),
  );

export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/**
 * The instant at which the day begins in the zone: the first one whose date is that day. Days of 23
 * or 25 hours, and zones whose clocks change at midnight, come out right because the wall is asked.
 */
export function dayStart(zone: string, day: string): number {
  // Zones lie between UTC−12 and UTC+14.
  let before = Date.parse(`${day}T00:00:00Z`) - 15 * HOUR_MS;
  let at = before + 30 * HOUR_MS;
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (dayIn(zone, middle) >= day) at = middle;
    else before = middle;
  }
  return at;
}
