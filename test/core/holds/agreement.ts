// What must agree in the database whatever happened: seats, row maps, zones, add-ons, lines, counters.
import type { Db } from "../../../core/db/db.ts";
import type { Person } from "./inventory.ts";

/** Every sum that must agree, as sentences about those that do not; empty is well. */
export async function findDisagreements(db: Db, event: string): Promise<string[]> {
  const rows = await db.read<{ what: string }>(
    `select 'seat ' || s.seat_id || ' is ' || s.status || ', its living lines: ' || count(l.*) as what
       from seats s left join hold_seats l on l.event_id = s.event_id and l.seat_id = s.seat_id
         and l.state in ('live', 'sold')
       where s.event_id = $1 group by s.event_id, s.seat_id
       having (s.status in ('held', 'sold')) <> (count(l.*) = 1) or count(l.*) > 1
         or (s.status = 'held' and min(l.hold_id) <> s.hold_id)
         or (s.status = 'held' and min(l.state) <> 'live') or (s.status = 'sold' and min(l.state) <> 'sold')
     union all
     select 'map of row ' || r.section_id || '-' || r.row_id || ' says ' || r.map || ', seats say ' || m.map
       from rows r join (
         select section_id, row_id, string_agg(case status
             when 'available' then case kind when 'general' then 'f' when 'accessible' then 'a' else 'c' end
             when 'held' then 'h' when 'sold' then 's' else 'b' end, '' order by place) as map
         from seats where event_id = $1 group by section_id, row_id
       ) m using (section_id, row_id)
       where r.event_id = $1 and replace(r.map, '.', '') <> m.map
     union all
     select 'row ' || section_id || '-' || row_id || ' counts ' || free || ' free in ' || map
       from rows where event_id = $1 and free <> length(map) - length(replace(map, 'f', ''))
     union all
     select 'zone ' || z.zone_id || ' counts ' || z.held || '/' || z.sold || ', its lines ' || l.held || '/' || l.sold
       from zones z cross join lateral (
         select coalesce(sum(quantity) filter (where state = 'live'), 0) as held,
           coalesce(sum(quantity - returned) filter (where state in ('sold', 'returned')), 0) as sold
         from hold_zones h where h.event_id = z.event_id and h.zone_id = z.zone_id
       ) l where z.event_id = $1 and (z.held, z.sold) <> (l.held, l.sold)
     union all
     select 'add-on ' || a.addon_id || ' counts ' || a.held || '/' || a.sold
       from addons a cross join lateral (
         select coalesce(sum(quantity) filter (where state = 'live'), 0) as held,
           coalesce(sum(quantity) filter (where state = 'sold'), 0) as sold
         from hold_addons h where h.event_id = a.event_id and h.addon_id = a.addon_id
           and h.variant = a.variant
       ) l where a.event_id = $1 and (a.held, a.sold) <> (l.held, l.sold)
     union all
     select 'counter of ' || c.account || ' says ' || c.held || '/' || c.sold || ', lines say ' || l.held || '/' || l.sold
       from purchase_counters c cross join lateral (
         select coalesce(sum(u.units) filter (where u.state = 'live'), 0) as held,
           coalesce(sum(u.units) filter (where u.state = 'sold'), 0) as sold
         from holds h join (
           select event_id, hold_id, state, 1 as units from hold_seats
           union all select event_id, hold_id, case state when 'returned' then 'sold' else state end,
             quantity - returned from hold_zones
         ) u on u.event_id = h.event_id and u.hold_id = h.id
         where h.event_id = c.event_id and h.account = c.account
       ) l where c.event_id = $1 and (c.held, c.sold) <> (l.held, l.sold)
     union all
     select 'hold ' || h.id || ' is ' || h.state || ' and has living lines'
       from holds h where h.event_id = $1 and h.state in ('released', 'expired') and (
         exists (select 1 from hold_seats l where l.event_id = h.event_id and l.hold_id = h.id and l.state = 'live')
         or exists (select 1 from hold_zones l where l.event_id = h.event_id and l.hold_id = h.id and l.state = 'live'))`,
    [event],
  );
  return rows.map(({ what }) => what);
}

export const counterOf = async (db: Db, event: string, who: Person) => {
  const [row] = await db.read<{ held: number; sold: number }>(
    "select held, sold from purchase_counters where event_id = $1 and account = $2",
    [event, who.account],
  );
  return row ?? { held: 0, sold: 0 };
};

export const statusOf = async (db: Db, event: string): Promise<Record<string, number>> => {
  const rows = await db.read<{ status: string; n: number }>(
    "select status, count(*)::int as n from seats where event_id = $1 group by status",
    [event],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};
