-- The parts of a hold as its holder sees it.
create or replace function seat_line(p_seat seats, p_price bigint, p_currency text) returns jsonb
language sql immutable as $$
  select jsonb_build_object(
    'id', p_seat.seat_id, 'section', p_seat.section_id, 'row', p_seat.row_id,
    'number', p_seat.number, 'zone', p_seat.zone_id,
    'price', jsonb_build_object('amount', p_price, 'currency', p_currency))
$$;

create or replace function zone_line(
  p_zone text, p_quantity integer, p_price bigint, p_currency text
) returns jsonb
language sql immutable as $$
  select jsonb_build_object('id', p_zone, 'quantity', p_quantity,
    'price', jsonb_build_object('amount', p_price, 'currency', p_currency))
$$;

create or replace function addon_lines(p_event text, p_hold text, p_currency text) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'id', l.addon_id, 'variant', nullif(l.variant, ''), 'quantity', l.quantity,
      'price', jsonb_build_object('amount', l.price, 'currency', p_currency)))
    order by l.addon_id, l.variant), '[]')
  from hold_addons l where l.event_id = p_event and l.hold_id = p_hold
$$;

create or replace function hold_document(
  p_event text, p_hold text, p_seats jsonb, p_zones jsonb, p_addons jsonb, p_total bigint,
  p_currency text, p_until timestamptz, p_adjacent boolean
) returns jsonb
language plpgsql volatile as $$
begin
  return jsonb_build_object(
    'id', p_hold,
    'event', p_event,
    'seats', p_seats,
    'zones', p_zones,
    'addons', p_addons,
    'total', jsonb_build_object('amount', p_total, 'currency', p_currency),
    'expiresAt', iso_time(p_until),
    'now', iso_time(sale_clock()))
    || case when p_adjacent is null then '{}'::jsonb
       else jsonb_build_object('adjacent', p_adjacent) end;
end
$$;

-- A hold as it was written: prices as copied when it was made, times by this clock.
create or replace function hold_view(p_event text, p_hold text) returns jsonb
language plpgsql volatile as $$
declare
  v_hold holds;
  v_seats jsonb;
  v_zones jsonb;
begin
  select * into v_hold from holds h where h.event_id = p_event and h.id = p_hold;
  select coalesce(jsonb_agg(seat_line(s, l.price, v_hold.currency)
    order by s.section_id, length(s.row_id), s.row_id, s.place), '[]')
  into v_seats
  from hold_seats l
  join seats s on s.event_id = p_event and s.seat_id = l.seat_id
  where l.event_id = p_event and l.hold_id = p_hold;
  select coalesce(jsonb_agg(zone_line(l.zone_id, l.quantity, l.price, v_hold.currency)
    order by l.zone_id), '[]')
  into v_zones
  from hold_zones l where l.event_id = p_event and l.hold_id = p_hold;
  return hold_document(p_event, p_hold, v_seats, v_zones,
    addon_lines(p_event, p_hold, v_hold.currency), v_hold.total_amount, v_hold.currency,
    v_hold.expires_at, v_hold.adjacent)
    || case when v_hold.extended_at is null then '{}'::jsonb else '{"extended": true}' end;
end
$$;

-- For the holder (the account it counts for): `{result: "live", hold}` or how it ended; a stranger
-- gets what a hold that never was gets.
create or replace function get_hold(p_event text, p_hold text, p_account text) returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  v_hold holds;
begin
  select * into v_hold from holds h
  where h.event_id = p_event and h.id = p_hold and h.account = p_account;
  if not found then
    return '{"result": "not_found"}';
  end if;
  if v_hold.state = 'live' and greatest(v_hold.expires_at, v_hold.paying_until) > sale_clock() then
    return jsonb_build_object('result', 'live', 'hold', hold_view(p_event, p_hold));
  end if;
  return jsonb_build_object('result', case v_hold.state
    when 'released' then 'hold_not_live' when 'sold' then 'hold_not_live' else 'hold_expired' end);
end
$$;
