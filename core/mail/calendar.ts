/** An event as iCalendar (RFC 5545). Pure. */

export type CalendarFacts = {
  uid: string;
  /** ISO 8601. */
  startsAt: string;
  madeAt: string;
  summary: string;
  location: string;
  description: string;
  url: string;
};

/** 75 octets without the line break (§3.1); a letter of several bytes is never cut. */
const LINE_BYTES_MAX = 75;

const escapeText = (text: string): string =>
  text.replace(/[\\;,]/g, (found) => `\\${found}`).replace(/\r\n|\r|\n/g, "\\n");

/** `2026-12-01T19:00:00.000Z` → `20261201T190000Z` */
const stamp = (iso: string): string => `${new Date(iso).toISOString().replace(/[-:]|\.\d+/g, "")}`;

function fold(line: string): string {
  const rows: string[] = [];
  let row = "";
  let bytes = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > LINE_BYTES_MAX) {
      rows.push(row);
      row = " ";
      bytes = 1;
    }
    row += letter;
    bytes += size;
  }
  return [...rows, row].join("\r\n");
}

export function calendarOf(facts: CalendarFacts): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sira//Tickets//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${escapeText(facts.uid)}`,
    `DTSTAMP:${stamp(facts.madeAt)}`,
    `DTSTART:${stamp(facts.startsAt)}`,
    `SUMMARY:${escapeText(facts.summary)}`,
    `LOCATION:${escapeText(facts.location)}`,
    `DESCRIPTION:${escapeText(facts.description)}`,
    `URL:${facts.url}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.map(fold).join("\r\n")}\r\n`;
}
