// What must be true of seats, standing zones and limits when everything is quiet.
import type { Db } from "../../core/db/db.ts";
import { findDisagreements } from "../core/holds/agreement.ts";

/** The sweeper runs every two seconds; on a busy machine it may be late. */
const SWEEP_PATIENCE_S = 15;

const RULES = `
  select 'hold ' || h.id || ' is of ' || h.units || ' units and has ' || l.units as broken
    from holds h cross join lateral (
      select (select count(*) from hold_seats s
          where s.event_id = h.event_id and s.hold_id = h.id)
        + (select coalesce(sum(z.quantity), 0) from hold_zones z
          where z.event_id = h.event_id and z.hold_id = h.id) as units
    ) l where h.units <> l.units
  union all
  select 'hold ' || h.id || ' is ' || h.state || ' and holds only a part of its seats'
    from holds h join hold_seats l on l.event_id = h.event_id and l.hold_id = h.id
    where h.state in ('live', 'sold')
    group by h.event_id, h.id, h.state
    having count(*) filter (where l.state not in ('live', 'sold', 'returned')) > 0
      or (h.state = 'live' and count(*) filter (where l.state <> 'live') > 0)
  union all
  select 'seat ' || event_id || '/' || seat_id || ' is held past its time' from seats
    where status = 'held'
      and greatest(held_until, paying_until) < sale_clock() - interval '${SWEEP_PATIENCE_S} seconds'
  union all
  select 'hold ' || id || ' lives past its time' from holds
    where state = 'live'
      and greatest(expires_at, paying_until) < sale_clock() - interval '${SWEEP_PATIENCE_S} seconds'
  union all
  select 'hold ' || h.id || ' was taken back while attempt ' || a.id || ' was in flight'
    from holds h join orders o on o.event_id = h.event_id and o.hold_id = h.id
    join payment_attempts a on a.order_id = o.id
    where h.state = 'expired' and a.sent_at < h.ended_at and h.ended_at < h.paying_until
      and coalesce(a.ended_at, 'infinity') > h.ended_at
  union all
  select 'hold ' || h.id || ' has more than one order may have: ' || h.units
    from holds h join events e using (event_id) where h.units > e.per_order_max
  union all
  select 'account ' || u.account || ' has ' || u.units || ' of at most ' || e.per_account_max
    from (
      select h.event_id, h.account, sum(l.units) as units from holds h join (
          select event_id, hold_id, 1 as units from hold_seats where state in ('live', 'sold')
          union all
          select event_id, hold_id, quantity - returned from hold_zones
            where state in ('live', 'sold')
        ) l on l.event_id = h.event_id and l.hold_id = h.id
        left join orders o on o.event_id = h.event_id and o.hold_id = h.id
        where not coalesce(o.complimentary, false)
        group by h.event_id, h.account
    ) u join events e using (event_id) where u.units > e.per_account_max
  union all
  select 'zone ' || event_id || '/' || zone_id || ' has given more than it has' from zones
    where kind = 'standing' and held + sold > capacity
  union all
  select 'seat ' || event_id || '/' || seat_id || ' has ' || count(*) || ' tickets' from tickets
    where state <> 'void' and seat_id is not null group by event_id, seat_id having count(*) > 1`;

export async function brokenSeats(db: Db, events: readonly string[]): Promise<string[]> {
  const rows = await db.read<{ broken: string }>(RULES);
  const sums = await Promise.all(events.map((event) => findDisagreements(db, event)));
  return [...rows.map(({ broken }) => broken), ...sums.flat()];
}
