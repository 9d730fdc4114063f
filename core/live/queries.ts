import type { Db } from "../db/db.ts";
import type { RowFact, ZoneFact } from "./state.ts";

/** Rows and standing zones of an event that changed after a version; 0 is everything. */
export async function readChanges(
  db: Db,
  input: { event: string; above: number },
): Promise<{ rows: RowFact[]; zones: ZoneFact[] }> {
  const [rows, zones] = await Promise.all([
    db.read<RowFact>(
      `select section_id, row_id, map, version from rows
       where event_id = $1 and version > $2 order by version`,
      [input.event, input.above],
    ),
    db.read<ZoneFact>(
      `select zone_id, capacity - held - sold as available, version from zones
       where event_id = $1 and version > $2 and kind = 'standing' order by version`,
      [input.event, input.above],
    ),
  ]);
  return { rows, zones };
}

export async function isEvent(db: Db, event: string): Promise<boolean> {
  const rows = await db.read("select 1 as one from events where event_id = $1", [event]);
  return rows.length > 0;
}
