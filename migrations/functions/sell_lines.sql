-- `live → sold` for every line of the hold, or nothing: all lines must be live and every seat still
-- `held` by this hold, counted. Locks for itself, in the order of all functions; call it after the
-- order's row was locked. `{result: "sold", units}`, or `{result: "lost", lost: [seat ids]}` and
-- nothing changed (a repeat for the same order after success: `sold` with `again`).
create or replace function sell_lines(p_event text, p_hold text, p_order text) returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  v_now timestamptz;
  v_lost text[];
  v_lines integer;
  v_seats integer;
  v_units integer;
  v_account text;
  v_state text;
begin
  perform lock_inventory(p_event, array[p_hold]);
  select h.account, h.state into v_account, v_state
  from holds h where h.event_id = p_event and h.id = p_hold;
  if v_account is null then
    return jsonb_build_object('result', 'lost', 'lost', '[]'::jsonb);
  end if;
  if v_state = 'sold' then
    return jsonb_build_object('result', 'sold', 'again', true);
  end if;
  v_now := sale_clock();

  select array(
    select l.seat_id from hold_seats l
    left join seats s on s.event_id = p_event and s.seat_id = l.seat_id
    where l.event_id = p_event and l.hold_id = p_hold
      and (l.state <> 'live' or s.status is distinct from 'held' or s.hold_id <> p_hold)
    order by l.seat_id)
  into v_lost;
  if cardinality(v_lost) > 0
    or exists (select 1 from hold_zones l
      where l.event_id = p_event and l.hold_id = p_hold and l.state <> 'live')
    or exists (select 1 from hold_addons l
      where l.event_id = p_event and l.hold_id = p_hold and l.state <> 'live')
  then
    return jsonb_build_object('result', 'lost', 'lost', to_jsonb(v_lost));
  end if;

  update hold_seats l set state = 'sold'
  where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live';
  get diagnostics v_lines = row_count;
  update seats s
  set status = 'sold', order_id = p_order, hold_id = null, held_until = null, paying_until = null,
      version = s.version + 1, updated_at = v_now
  where s.event_id = p_event and s.hold_id = p_hold and s.status = 'held';
  get diagnostics v_seats = row_count;
  if v_seats <> v_lines then
    raise exception 'hold % has % seat lines and % seats', p_hold, v_lines, v_seats;
  end if;
  if v_seats > 0 then
    perform refresh_rows(p_event, array(
      select l.seat_id from hold_seats l where l.event_id = p_event and l.hold_id = p_hold));
  end if;

  with lines as (
    update hold_zones l set state = 'sold'
    where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live'
    returning l.zone_id, l.quantity
  ), moved as (
    update zones z
    set held = z.held - lines.quantity, sold = z.sold + lines.quantity,
        version = nextval('inventory_version'), updated_at = v_now
    from lines where z.event_id = p_event and z.zone_id = lines.zone_id
  )
  select coalesce(sum(quantity), 0) + v_seats into v_units from lines;
  with lines as (
    update hold_addons l set state = 'sold'
    where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live'
    returning l.addon_id, l.variant, l.quantity
  )
  update addons a
  set held = a.held - lines.quantity, sold = a.sold + lines.quantity,
      version = nextval('inventory_version')
  from lines
  where a.event_id = p_event and a.addon_id = lines.addon_id and a.variant = lines.variant;

  perform move_counters(p_event, array[v_account], array[-v_units], array[v_units]);
  perform end_holds(p_event, array[p_hold], 'sold');
  return jsonb_build_object('result', 'sold', 'units', v_units);
end
$$;

-- The way back of a refund: seats of this order (and units of its standing zones,
-- `{"floor": 2}`) become free again, lines `sold → returned`. Seats not sold to this order are left
-- alone, so a repeat frees nothing twice as far as seats go; for zone units the caller's guard (the
-- ticket's own `valid → void`) decides.
-- With `p_addons` its sold add-ons come back, too: the order is refunded whole.
create or replace function return_lines(
  p_event text, p_order text, p_seats text[], p_zones jsonb, p_addons boolean default false
) returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  v_now timestamptz;
  v_hold text;
  v_account text;
  v_freed text[];
  v_units integer := 0;
  v_zone record;
  v_addons text[] := '{}';
begin
  select o.hold_id, o.account into v_hold, v_account
  from orders o where o.id = p_order and o.event_id = p_event;
  if p_addons then
    v_addons := array(select l.addon_id || '/' || l.variant from hold_addons l
      where l.event_id = p_event and l.hold_id = v_hold and l.state = 'sold');
  end if;
  perform lock_inventory(p_event, '{}', p_seats, '{}', '{}',
    array(select jsonb_object_keys(coalesce(p_zones, '{}'))), v_addons);
  v_now := sale_clock();
  with freed as (
    update seats s
    set status = 'available', order_id = null, version = s.version + 1, updated_at = v_now
    where s.event_id = p_event and s.seat_id = any (p_seats)
      and s.status = 'sold' and s.order_id = p_order
    returning s.seat_id
  ), lines as (
    update hold_seats l set state = 'returned'
    from freed
    where l.event_id = p_event and l.hold_id = v_hold and l.seat_id = freed.seat_id
      and l.state = 'sold'
  )
  select array(select seat_id from freed) into v_freed;
  if cardinality(v_freed) > 0 then
    perform refresh_rows(p_event, v_freed);
    v_units := cardinality(v_freed);
  end if;
  for v_zone in select key as id, value::integer as quantity from jsonb_each_text(coalesce(p_zones, '{}'))
    order by key
  loop
    update hold_zones l
    set returned = l.returned + v_zone.quantity,
        state = case when l.returned + v_zone.quantity = l.quantity then 'returned' else 'sold' end
    where l.event_id = p_event and l.hold_id = v_hold and l.zone_id = v_zone.id
      and l.state = 'sold' and l.returned + v_zone.quantity <= l.quantity;
    if found then
      update zones z
      set sold = z.sold - v_zone.quantity, version = nextval('inventory_version'), updated_at = v_now
      where z.event_id = p_event and z.zone_id = v_zone.id;
      v_units := v_units + v_zone.quantity;
    end if;
  end loop;
  with lines as (
    update hold_addons l set state = 'returned'
    where p_addons and l.event_id = p_event and l.hold_id = v_hold and l.state = 'sold'
    returning l.addon_id, l.variant, l.quantity
  )
  update addons a
  set sold = a.sold - lines.quantity, version = nextval('inventory_version')
  from lines
  where a.event_id = p_event and a.addon_id = lines.addon_id and a.variant = lines.variant;
  if v_units > 0 then
    perform move_counters(p_event, array[v_account], array[0], array[-v_units]);
  end if;
  return jsonb_build_object('result', 'returned', 'freed', to_jsonb(v_freed), 'units', v_units);
end
$$;
