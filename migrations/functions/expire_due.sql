-- Takes back what is due in the given row records, zones and add-ons, whoever held it: lines
-- `live → taken`, seats free, zone and add-on counters down. The caller holds those locks and adds
-- the returned units to the purchase counters when all its other locks are taken.
-- Bounded by the rows it is given, and by `c_lines` lines a zone or add-on.
create or replace function expire_due(
  p_event text,
  p_sections text[],
  p_rows text[],
  p_zones text[],
  p_addons text[],
  out o_accounts text[],
  out o_units integer[],
  out o_seats text[]
)
language plpgsql volatile as $$
declare
  c_lines constant integer := 500;
  v_now timestamptz := sale_clock();
  v_accounts text[];
  v_units integer[];
  v_due text[] := '{}';
  v_seats text[] := '{}';
  v_ended text[] := '{}';
  v_more text[];
begin
  o_accounts := '{}';
  o_units := '{}';
  o_seats := '{}';

  if cardinality(p_sections) > 0 then
    -- By the seats themselves, not by the row's `due_at`, which only says where to look first. The row
    -- records are held, so nobody else is at these seats.
    v_seats := array(
      select s.seat_id
      from unnest(p_sections, p_rows) k (section_id, row_id)
      join seats s on s.event_id = p_event
        and s.section_id = k.section_id and s.row_id = k.row_id
      where s.status = 'held'
        and s.held_until <= v_now and (s.paying_until is null or s.paying_until <= v_now)
      order by s.seat_id
      for update of s);
  end if;
  if cardinality(v_seats) > 0 then
    with lines as (
      update hold_seats l
      set state = 'taken'
      where l.event_id = p_event and l.state = 'live' and l.seat_id = any (v_seats)
        and l.hold_id = any (array(
          select s.hold_id from seats s where s.event_id = p_event and s.seat_id = any (v_seats)))
      returning l.hold_id
    ), freed as (
      update seats s
      set status = 'available', hold_id = null, held_until = null, paying_until = null,
          version = s.version + 1, updated_at = v_now
      where s.event_id = p_event and s.seat_id = any (v_seats) and s.status = 'held'
      returning s.seat_id
    ), people as (
      select h.account, count(*)::integer as units
      from lines join holds h on h.event_id = p_event and h.id = lines.hold_id
      group by h.account
    )
    select array(select account from people order by account),
           array(select units from people order by account),
           array(select seat_id from freed),
           array(select hold_id from lines)
    into o_accounts, o_units, o_seats, v_ended;
    perform refresh_rows(p_event, v_seats);
  end if;
  -- A `due_at` that was too early (a payment protects the seats meanwhile) is set right.
  update rows r set due_at = (
    select min(greatest(s.held_until, s.paying_until)) from seats s
    where s.event_id = p_event and s.section_id = r.section_id and s.row_id = r.row_id)
  from unnest(p_sections, p_rows) k (section_id, row_id)
  where r.event_id = p_event and r.section_id = k.section_id and r.row_id = k.row_id
    and r.due_at <= v_now;

  if cardinality(p_zones) > 0 then
    v_due := array(
      select l.hold_id
      from unnest(p_zones) z (zone_id)
      cross join lateral (
        select d.hold_id from hold_zones d
        where d.event_id = p_event and d.zone_id = z.zone_id and d.state = 'live'
          and d.held_until <= v_now and (d.paying_until is null or d.paying_until <= v_now)
        order by d.held_until
        limit c_lines
      ) l);
  end if;
  if cardinality(v_due) > 0 then
    with lines as (
      update hold_zones l
      set state = 'taken'
      where l.event_id = p_event and l.hold_id = any (v_due) and l.zone_id = any (p_zones)
        and l.state = 'live'
      returning l.hold_id, l.zone_id, l.quantity
    ), moved as (
      update zones z
      set held = z.held - sums.quantity, version = nextval('inventory_version'), updated_at = v_now
      from (select zone_id, sum(quantity)::integer as quantity from lines group by zone_id) sums
      where z.event_id = p_event and z.zone_id = sums.zone_id
    ), people as (
      select h.account, sum(lines.quantity)::integer as units
      from lines join holds h on h.event_id = p_event and h.id = lines.hold_id
      group by h.account
    )
    select array(select account from people order by account),
           array(select units from people order by account),
           array(select hold_id from lines)
    into v_accounts, v_units, v_more;
    v_ended := v_ended || v_more;
    o_accounts := o_accounts || v_accounts;
    o_units := o_units || v_units;
  end if;

  v_due := '{}';
  if cardinality(p_addons) > 0 then
    v_due := array(
      select l.hold_id
      from unnest(p_addons) k
      cross join lateral (
        select d.hold_id from hold_addons d
        where d.event_id = p_event and d.addon_id = split_part(k, '/', 1)
          and d.variant = substr(k, strpos(k, '/') + 1) and d.state = 'live'
          and d.held_until <= v_now and (d.paying_until is null or d.paying_until <= v_now)
        order by d.held_until
        limit c_lines
      ) l);
  end if;
  if cardinality(v_due) > 0 then
    with lines as (
      update hold_addons l
      set state = 'taken'
      where l.event_id = p_event and l.hold_id = any (v_due)
        and l.addon_id || '/' || l.variant = any (p_addons) and l.state = 'live'
      returning l.hold_id, l.addon_id, l.variant, l.quantity
    ), moved as (
      update addons a
      set held = a.held - t.quantity, version = nextval('inventory_version')
      from (
        select addon_id, variant, sum(quantity)::integer as quantity
        from lines group by addon_id, variant
      ) t
      where a.event_id = p_event and a.addon_id = t.addon_id and a.variant = t.variant
    )
    select array(select hold_id from lines) into v_more;
    v_ended := v_ended || v_more;
  end if;
  if cardinality(v_ended) > 0 then
    perform tell_expired(p_event, v_ended);
  end if;
end
$$;
