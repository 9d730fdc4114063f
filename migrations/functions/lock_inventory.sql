-- Serialises the acts of one person at one event. Advisory, since the person may have no row yet.
create or replace function lock_person(p_event text, p_account text) returns void
language sql volatile as $$
  select pg_advisory_xact_lock(hashtext(p_event), hashtext(p_account))
$$;

-- Why the entry functions fix the planner's mind. A plan for an array argument on a partitioned table
-- looks cheaper each time it is made for the very values, and making it costs three times what running
-- it does (3.5 ms against 1.2 ms a hold): so generic plans. And a sale fills empty tables faster than
-- their statistics follow: a plan that reads all holds of an event and joins by hash is right at noon
-- and a hundred times too slow at five past (tried: 120 ms for a batch of 50 against 4 ms). Everything
-- here finds its rows by key, so nested loops over index scans are right at any size.

-- Takes every lock that a change of inventory needs, in the one order of all functions: row records
-- by id, seats by id, zones, add-ons. It covers the living lines of `p_holds`, the given seats (with
-- their rows), row records (pairs of section and row), zones and add-ons (`id/variant`).
-- Call it once, before anything is changed.
create or replace function lock_inventory(
  p_event text,
  p_holds text[],
  p_seats text[] default '{}',
  p_sections text[] default '{}',
  p_rows text[] default '{}',
  p_zones text[] default '{}',
  p_addons text[] default '{}'
) returns void
language plpgsql volatile as $$
declare
  v_seats text[] := p_seats;
  v_zones text[] := p_zones;
  v_addons text[] := p_addons;
begin
  if cardinality(p_holds) > 0 then
    v_seats := v_seats || array(
      select l.seat_id from hold_seats l
      where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live');
    v_zones := v_zones || array(
      select l.zone_id from hold_zones l
      where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live');
    v_addons := v_addons || array(
      select l.addon_id || '/' || l.variant from hold_addons l
      where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live');
  end if;
  if cardinality(v_seats) > 0 or cardinality(p_sections) > 0 then
    perform 1 from rows r
    where r.event_id = p_event
      and (r.section_id, r.row_id) in (
        select s.section_id, s.row_id from seats s
        where s.event_id = p_event and s.seat_id = any (v_seats)
        union
        select * from unnest(p_sections, p_rows))
    order by r.section_id, r.row_id
    for update;
  end if;
  if cardinality(v_seats) > 0 then
    perform 1 from seats s
    where s.event_id = p_event and s.seat_id = any (v_seats)
    order by s.seat_id
    for update;
  end if;
  if cardinality(v_zones) > 0 then
    perform 1 from zones z
    where z.event_id = p_event and z.zone_id = any (v_zones)
    order by z.zone_id
    for update;
  end if;
  if cardinality(v_addons) > 0 then
    perform 1 from addons a
    where a.event_id = p_event
      and (a.addon_id, a.variant) in (
        select split_part(k, '/', 1), substr(k, strpos(k, '/') + 1) from unnest(v_addons) k)
    order by a.addon_id, a.variant
    for update;
  end if;
end
$$;
