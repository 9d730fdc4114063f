import type { EventPut } from "../../../../shared/contract/events.ts";
import { readSeatCsv } from "../../../../shared/seat-csv.ts";
import { type Draft, draftOf, sectionsOf } from "./draft.ts";

/** A seat map or a whole event from a file. Pure; every fault says where it is. */

export type Imported = { ok: true; draft: Draft } | { ok: false; faults: string[] };

const FAULTS_MAX = 5;
const NOBODY: ReadonlySet<string> = new Set();

/** Zones that the file names and the event does not have yet cost nothing until they are priced. */
export function withZones(draft: Draft): Draft {
  const known = new Set(draft.zones.map(({ id }) => id));
  const used = new Set(draft.sections.flatMap(({ rows }) => rows.map(({ zone }) => zone)));
  const missing = [...used].filter((id) => !known.has(id));
  return {
    ...draft,
    zones: [
      ...draft.zones,
      ...missing.map((id) => ({ id, name: id, price: 0, kind: "seated" as const })),
    ],
  };
}

function importCsv(draft: Draft, text: string): Imported {
  const { sections, faults } = readSeatCsv(text);
  if (faults.length > 0)
    return {
      ok: false,
      faults: faults.slice(0, FAULTS_MAX).map(({ line, message }) => `${line}: ${message}`),
    };
  const names = new Map(draft.sections.map(({ id, name }) => [id, name]));
  const named = sectionsOf(sections, NOBODY).map((section) => ({
    ...section,
    name: names.get(section.id) ?? section.name,
  }));
  return { ok: true, draft: withZones({ ...draft, sections: named }) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Enough of a check to draw it; the core judges every field when it is saved. */
function importJson(draft: Draft, text: string): Imported {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { ok: false, faults: [error instanceof Error ? error.message : String(error)] };
  }
  if (!isRecord(parsed) || !Array.isArray(parsed["sections"]))
    return { ok: false, faults: ["sections: [] ?"] };
  for (const [at, section] of parsed["sections"].entries()) {
    if (!isRecord(section) || !Array.isArray(section["rows"]))
      return { ok: false, faults: [`sections.${at}.rows: [] ?`] };
    for (const [i, row] of section["rows"].entries())
      if (!isRecord(row) || !("seats" in row) || typeof row["zone"] !== "string")
        return { ok: false, faults: [`sections.${at}.rows.${i}: {id, zone, seats} ?`] };
  }
  const whole = "name" in parsed && "timeZone" in parsed && Array.isArray(parsed["zones"]);
  const given = parsed as Partial<EventPut>;
  if (whole) return { ok: true, draft: withZones(draftOf(given as EventPut, NOBODY)) };
  return {
    ok: true,
    draft: withZones({
      ...draft,
      ...(given.zones === undefined ? {} : { zones: given.zones }),
      sections: sectionsOf(given.sections ?? [], NOBODY),
    }),
  };
}

export const importFile = (draft: Draft, file: { name: string; text: string }): Imported =>
  /\.csv$/i.test(file.name) || /^\uFEFF?section,/i.test(file.text)
    ? importCsv(draft, file.text)
    : importJson(draft, file.text);
