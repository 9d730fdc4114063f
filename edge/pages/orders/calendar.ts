import type { EventView } from "../../../shared/contract/events.ts";

/** RFC 5545: commas, semicolons, backslashes and line ends in text are escaped. */
const escapeText = (text: string): string =>
  text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\r?\n/g, "\\n");

const stamp = (instant: string): string =>
  new Date(instant).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");

/** RFC 5545 §3.1: no line is longer than 75 octets; what follows a fold starts with a space. */
function foldLine(line: string): string {
  const bytes = new TextEncoder();
  const parts: string[] = [];
  let part = "";
  let length = 0;
  for (const mark of line) {
    const size = bytes.encode(mark).length;
    if (length + size > 73) {
      parts.push(part);
      part = "";
      length = 0;
    }
    part += mark;
    length += size;
  }
  return [...parts, part].join("\r\n ");
}

/** One entry for the evening. How long it lasts nobody has told us, so no end is invented. */
export function calendarFile(event: EventView, order: string, address: string): string {
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sira//Tickets//EN",
    "BEGIN:VEVENT",
    `UID:${order}@${new URL(address).hostname}`,
    `DTSTAMP:${stamp(event.saleOpensAt)}`,
    `DTSTART:${stamp(event.startsAt)}`,
    `SUMMARY:${escapeText(event.name)}`,
    `LOCATION:${escapeText(event.venue)}`,
    `URL:${address}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(foldLine)
    .join("\r\n");
}
