// The settlement file: what the simulator says it moved on one calendar day, from its own
// entries and never from anything the core reported.
import type { LedgerEntry } from "./ledger.ts";

export const SETTLEMENT_COLUMNS = [
  "type",
  "id",
  "charge",
  "reference",
  "attempt",
  "amount",
  "currency",
  "at",
] as const;

/** The Canadian format is the ISO one: 2026-03-29. */
const daysOf = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone });

export function settlementCsv(
  entries: readonly LedgerEntry[],
  options: { day: string; zone: string },
): string {
  const days = daysOf(options.zone);
  const lines = entries
    .filter((entry) => days.format(entry.at) === options.day)
    .map((entry) =>
      SETTLEMENT_COLUMNS.map((column) =>
        column === "at" ? new Date(entry.at).toISOString() : csvCell(String(entry[column])),
      ).join(","),
    );
  return [SETTLEMENT_COLUMNS.join(","), ...lines, ""].join("\n");
}

const csvCell = (text: string): string =>
  /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
