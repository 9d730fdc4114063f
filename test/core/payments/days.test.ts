import { describe, expect, it } from "vitest";
import { dayAfter, dayBefore, dayIn, dayStart, hourIn } from "../../../core/payments/days.ts";

const HOUR_MS = 3_600_000;
const lengthH = (zone: string, day: string) =>
  (dayStart(zone, dayAfter(day)) - dayStart(zone, day)) / HOUR_MS;

describe("a calendar day", () => {
  it("begins at the zone's own midnight", () => {
    expect(new Date(dayStart("Europe/Istanbul", "2026-06-01")).toISOString()).toBe(
      "2026-05-31T21:00:00.000Z",
    );
    expect(new Date(dayStart("Pacific/Kiritimati", "2026-06-01")).toISOString()).toBe(
      "2026-05-31T10:00:00.000Z",
    );
  });

  it("has 23 or 25 hours when the clocks change, also where they change at midnight", () => {
    expect(lengthH("Europe/Berlin", "2026-03-29")).toBe(23);
    expect(lengthH("Europe/Berlin", "2026-10-25")).toBe(25);
    expect(lengthH("Africa/Cairo", "2026-04-24")).toBe(23);
    expect(lengthH("UTC", "2026-03-29")).toBe(24);
  });

  it("follows and precedes across months and years", () => {
    expect(dayBefore("2026-01-01")).toBe("2025-12-31");
    expect(dayAfter("2028-02-28")).toBe("2028-02-29");
  });

  it("and its hour are what the wall shows", () => {
    const at = Date.parse("2026-06-01T22:30:00Z");
    expect(dayIn("Europe/Istanbul", at)).toBe("2026-06-02");
    expect(hourIn("Europe/Istanbul", at)).toBe(1);
    expect(hourIn("UTC", Date.parse("2026-06-01T00:10:00Z"))).toBe(0);
  });
});
