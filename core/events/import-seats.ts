import { Refusal } from "../../shared/errors.ts";
import { readSeatCsv } from "../../shared/seat-csv.ts";
import type { Ctx, OrganizerActor } from "../context.ts";
import { putEvent } from "./put-event.ts";
import { readEventPut } from "./read-events.ts";

/** Replaces the seat map of an event by a CSV file; zones, prices and times stay. All or nothing. */
export async function importSeats(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; csv: string },
): Promise<{ seats: number }> {
  const { sections, faults } = readSeatCsv(input.csv);
  const [first] = faults;
  if (first)
    throw new Refusal("invalid_request", {
      detail: `line ${first.line}: ${first.message}`,
      facts: {
        errors: faults.map(({ line, message }) => ({ field: `line ${line}`, line, message })),
      },
    });
  const put = await readEventPut(ctx, input);
  // Names of sections that were there are kept: the file has none.
  const names = new Map(put.sections.map(({ id, name }) => [id, name]));
  const named = sections.map((section) => ({
    ...section,
    name: names.get(section.id) ?? section.name,
  }));
  const { seats } = await putEvent(ctx, {
    event: input.event,
    put: { ...put, sections: named },
  });
  return { seats };
}
