import type { Db } from "../db/db.ts";
import type { HouseFacts } from "./house.ts";

/**
 * The whole house in one statement and so from one moment: 60,000 seats are a few thousand row
 * records, each with its states in one text.
 */
const HOUSE = `
  select jsonb_build_object(
    'event', e.event_id, 'currency', e.currency, 'at', iso_time(sale_clock()),
    'zones', (select coalesce(jsonb_agg(jsonb_build_object(
        'zone_id', z.zone_id, 'name', z.name, 'kind', z.kind, 'price', z.price,
        'available', z.capacity - z.held - z.sold, 'version', z.version)
        order by z.ordinal, z.zone_id), '[]')
      from zones z where z.event_id = e.event_id),
    'sections', (select coalesce(jsonb_agg(jsonb_build_object(
        'section_id', s.section_id, 'name', s.name) order by s.ordinal, s.section_id), '[]')
      from sections s where s.event_id = e.event_id),
    'rows', (select coalesce(jsonb_agg(jsonb_build_object(
        'section_id', r.section_id, 'row_id', r.row_id, 'zone_id', r.zone_id,
        'layout', r.layout, 'numbers', r.numbers, 'map', r.map, 'free', r.free,
        'version', r.version) order by r.rank, r.section_id, r.row_id), '[]')
      from rows r where r.event_id = e.event_id)) as house
  from events e where e.event_id = $1`;

export async function readHouse(db: Db, event: string): Promise<HouseFacts | undefined> {
  const [row] = await db.read<{ house: HouseFacts }>(HOUSE, [event]);
  return row?.house;
}
