-- A charge came in after its hold was lost. Takes the same units again, or, where the buyer agreed,
-- an equal seat (same zone, same kind) for each one lost; all or nothing. The hold is then live
-- again for two minutes, for `sell_lines` in the same transaction. Limits are not asked: the money
-- has been taken. `{result: "retaken", reseated: [{from, to}]}` | `{result: "lost", lost}`.
create or replace function retake_lines(p_event text, p_hold text, p_equal boolean) returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  c_time constant interval := interval '2 minutes';
  v_hold holds;
  v_now timestamptz;
  v_sections text[];
  v_rows text[];
  v_lost_lines text[];
  v_unavailable text[];
  v_seats text[];
  v_zones text[];
  v_addons text[];
  v_accounts text[];
  v_units integer[];
  v_new text;
  v_new_seats text[] := '{}';
  v_reseated jsonb := '[]';
  v_seat record;
  v_back integer := 0;
  v_possible boolean;
begin
  select * into v_hold from holds h where h.event_id = p_event and h.id = p_hold;
  if not found or v_hold.state = 'sold' then
    return jsonb_build_object('result', 'lost', 'lost', '[]'::jsonb);
  end if;
  perform lock_person(p_event, v_hold.account);
  v_seats := array(select l.seat_id from hold_seats l
    where l.event_id = p_event and l.hold_id = p_hold and l.state in ('live', 'taken', 'released'));
  v_zones := array(select l.zone_id from hold_zones l
    where l.event_id = p_event and l.hold_id = p_hold);
  v_addons := array(select l.addon_id || '/' || l.variant from hold_addons l
    where l.event_id = p_event and l.hold_id = p_hold);
  select array_agg(k.section_id), array_agg(k.row_id) into v_sections, v_rows
  from (select distinct s.section_id, s.row_id from seats s
    where s.event_id = p_event and s.seat_id = any (v_seats)) k;
  perform lock_inventory(p_event, '{}', v_seats, '{}', '{}', v_zones, v_addons);
  v_now := sale_clock();
  -- Takes back what is due of others, and of this very hold, whose lines then come back like the rest.
  select o_accounts, o_units into v_accounts, v_units
  from expire_due(p_event, coalesce(v_sections, '{}'), coalesce(v_rows, '{}'), v_zones, v_addons);

  v_lost_lines := array(select l.seat_id from hold_seats l
    where l.event_id = p_event and l.hold_id = p_hold and l.state in ('taken', 'released')
    order by l.seat_id);
  v_unavailable := array(select s.seat_id from seats s
    where s.event_id = p_event and s.seat_id = any (v_lost_lines) and s.status <> 'available'
    order by s.seat_id);
  v_possible := (cardinality(v_unavailable) = 0 or p_equal)
    and not exists (
      select 1 from hold_zones l join zones z on z.event_id = p_event and z.zone_id = l.zone_id
      where l.event_id = p_event and l.hold_id = p_hold and l.state <> 'live'
        and z.held + z.sold + l.quantity > z.capacity)
    and not exists (
      select 1 from hold_addons l join addons a on a.event_id = p_event
        and a.addon_id = l.addon_id and a.variant = l.variant
      where l.event_id = p_event and l.hold_id = p_hold and l.state <> 'live'
        and a.held + a.sold + l.quantity > a.stock);

  -- SKIP LOCKED never waits, so it may lock out of order.
  for v_seat in
    select s.seat_id, s.zone_id, s.kind, r.rank, s.place
    from seats s join rows r on r.event_id = p_event
      and r.section_id = s.section_id and r.row_id = s.row_id
    where s.event_id = p_event and s.seat_id = any (v_unavailable) and v_possible
    order by s.seat_id
  loop
    v_new := null;
    select c.seat_id into v_new
    from rows r
    join seats c on c.event_id = p_event and c.section_id = r.section_id and c.row_id = r.row_id
    where r.event_id = p_event and r.zone_id = v_seat.zone_id
      and (r.free > 0 or r.free_accessible > 0 or strpos(r.map, 'c') > 0)
      and c.status = 'available' and c.kind = v_seat.kind and c.zone_id = v_seat.zone_id
      and c.seat_id <> all (v_new_seats) and c.seat_id <> all (v_lost_lines)
    order by abs(r.rank - v_seat.rank), abs(c.place - v_seat.place), c.seat_id
    limit 1
    for update of r, c skip locked;
    if v_new is null then
      v_possible := false;
      exit;
    end if;
    v_new_seats := v_new_seats || v_new;
    v_reseated := v_reseated || jsonb_build_object('from', v_seat.seat_id, 'to', v_new);
  end loop;

  if not v_possible then
    perform move_counters(p_event, v_accounts, negated(v_units), zeros(v_units));
    return jsonb_build_object('result', 'lost', 'lost', to_jsonb(v_unavailable));
  end if;

  update hold_seats l set state = 'live'
  where l.event_id = p_event and l.hold_id = p_hold and l.state in ('taken', 'released')
    and l.seat_id <> all (v_unavailable);
  get diagnostics v_back = row_count;
  for v_seat in select r ->> 'from' as old_id, r ->> 'to' as new_id
    from jsonb_array_elements(v_reseated) r
  loop
    -- The old line leaves the hold for the new seat at the same price.
    update hold_seats l set state = 'live', seat_id = v_seat.new_id
    where l.event_id = p_event and l.hold_id = p_hold and l.seat_id = v_seat.old_id;
    v_back := v_back + 1;
  end loop;
  v_seats := array(select l.seat_id from hold_seats l
    where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live');
  update seats s
  set status = 'held', hold_id = p_hold, held_until = v_now + c_time, paying_until = null,
      version = s.version + 1, updated_at = v_now
  where s.event_id = p_event and s.seat_id = any (v_seats)
    and (s.status = 'available' or (s.status = 'held' and s.hold_id = p_hold));
  perform refresh_rows(p_event, v_seats || v_unavailable);

  with lines as (
    update hold_zones l set state = 'live', held_until = v_now + c_time, paying_until = null
    where l.event_id = p_event and l.hold_id = p_hold and l.state in ('taken', 'released')
    returning l.zone_id, l.quantity
  ), moved as (
    update zones z set held = z.held + lines.quantity,
      version = nextval('inventory_version'), updated_at = v_now
    from lines where z.event_id = p_event and z.zone_id = lines.zone_id
  )
  select v_back + coalesce(sum(quantity), 0) into v_back from lines;
  with lines as (
    update hold_addons l set state = 'live', held_until = v_now + c_time, paying_until = null
    where l.event_id = p_event and l.hold_id = p_hold and l.state in ('taken', 'released')
    returning l.addon_id, l.variant, l.quantity
  )
  update addons a set held = a.held + lines.quantity, version = nextval('inventory_version')
  from lines
  where a.event_id = p_event and a.addon_id = lines.addon_id and a.variant = lines.variant;

  perform move_counters(p_event,
    v_accounts || v_hold.account,
    negated(v_units) || v_back,
    zeros(v_units) || 0);
  update holds h
  set state = 'live', ended_at = null, paying_until = null,
      expires_at = v_now + c_time, cap_at = greatest(h.cap_at, v_now + c_time)
  where h.event_id = p_event and h.id = p_hold;
  return jsonb_build_object('result', 'retaken', 'reseated', v_reseated);
end
$$;
