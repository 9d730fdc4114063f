-- A hold as its holder sees it: prices as copied when it was made, times by this clock.
create or replace function hold_view(p_event text, p_hold text) returns jsonb
language plpgsql volatile as $$
declare
  v_hold holds;
  v_seats jsonb;
  v_zones jsonb := '[]';
  v_addons jsonb := '[]';
begin
  select * into v_hold from holds h where h.event_id = p_event and h.id = p_hold;
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.seat_id, 'section', s.section_id, 'row', s.row_id, 'number', s.number,
      'zone', l.zone_id,
      'price', jsonb_build_object('amount', l.price, 'currency', v_hold.currency))
    order by s.section_id, s.row_id, s.place), '[]')
  into v_seats
  from hold_seats l
  join seats s on s.event_id = p_event and s.seat_id = l.seat_id
  where l.event_id = p_event and l.hold_id = p_hold;
  -- Most holds of seats have neither standing places nor add-ons.
  if jsonb_array_length(v_seats) < v_hold.units then
    select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.zone_id, 'quantity', l.quantity,
        'price', jsonb_build_object('amount', l.price, 'currency', v_hold.currency))
      order by l.zone_id), '[]')
    into v_zones
    from hold_zones l where l.event_id = p_event and l.hold_id = p_hold;
  end if;
  if jsonb_array_length(v_hold.request -> 'addons') > 0 then
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'id', l.addon_id, 'variant', nullif(l.variant, ''), 'quantity', l.quantity,
        'price', jsonb_build_object('amount', l.price, 'currency', v_hold.currency)))
      order by l.addon_id, l.variant), '[]')
    into v_addons
    from hold_addons l where l.event_id = p_event and l.hold_id = p_hold;
  end if;
  return jsonb_build_object(
    'id', v_hold.id,
    'event', p_event,
    'seats', v_seats,
    'zones', v_zones,
    'addons', v_addons,
    'total', jsonb_build_object('amount', v_hold.total_amount, 'currency', v_hold.currency),
    'expiresAt', iso_time(v_hold.expires_at),
    'now', iso_time(sale_clock()))
    || case when v_hold.adjacent is null then '{}'::jsonb
       else jsonb_build_object('adjacent', v_hold.adjacent) end;
end
$$;

-- For the holder (the account it counts for): `{result: "live", hold}` or how it ended; a stranger
-- gets what a hold that never was gets.
create or replace function get_hold(p_event text, p_hold text, p_account text) returns jsonb
language plpgsql volatile as $$
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
