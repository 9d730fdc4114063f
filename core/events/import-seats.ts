import { Refusal } from "../../shared/errors.ts";
import { readSeatCsv } from "../../shared/seat-csv.ts";
import type { Ctx, OrganizerActor } from "../context.ts";
import { putEvent } from "./put-event.ts";
import { readEventPut, readEventVersion } from "./read-events.ts";

/**
 * Replaces the seat map of an event by a CSV file; zones, prices and times stay. All or nothing: what
 * somebody else changes meanwhile is not written over, and the file is to be sent again.
 */
export async function importSeats(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; csv: string },
): Promise<{ seats: number }> {
  // The version first: what is read after it may be newer, never older, than it says.
  const version = await readEventVersion(ctx, input);
  const put = await readEventPut(ctx, input);
  const { sections, faults } = readSeatCsv(input.csv, put.zones);
  const [first] = faults;
  if (first)
    throw new Refusal("invalid_request", {
      detail: `line ${first.line}: ${first.message}`,
      facts: {
        errors: faults.map(({ line, message }) => ({ field: `line ${line}`, line, message })),
      },
    });
  // Names of sections that were there are kept: the file has none.
  const names = new Map(put.sections.map(({ id, name }) => [id, name]));
  const named = sections.map((section) => ({
    ...section,
    name: names.get(section.id) ?? section.name,
  }));
  const { seats } = await putEvent(ctx, {
    event: input.event,
    version,
    put: { ...put, sections: named },
  });
  return { seats };
}
