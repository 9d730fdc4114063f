-- Seats given away by the organizer: a hold, an order of nothing and its settlement in one call, so
-- the tickets are made, mailed and scanned like any others. No limit of a person applies.
create or replace function give_complimentary(
  p_event text, p_order text, p_hold text, p_seats text[], p_buyer jsonb, p_actor text,
  p_reason text, p_request_id text
) returns jsonb
language plpgsql volatile as $$
declare
  c_time constant interval := interval '1 minute';
  v_place text := 'complimentary:' || p_order;
  v_now timestamptz;
  v_currency text;
  v_wrong text[];
  v_due record;
begin
  select e.currency into v_currency from events e where e.event_id = p_event;
  if v_currency is null then
    return '{"result": "unknown_event"}';
  end if;
  v_wrong := array(select w from unnest(p_seats) w
    where not exists (select 1 from seats s where s.event_id = p_event and s.seat_id = w));
  if cardinality(v_wrong) > 0 then
    return jsonb_build_object('result', 'unknown_seat', 'unknown', to_jsonb(v_wrong));
  end if;
  perform lock_person(p_event, v_place);
  perform lock_inventory(p_event, '{}', p_seats);
  select * into v_due from expire_rows_of(p_event, p_seats);
  v_wrong := array(select s.seat_id from seats s
    where s.event_id = p_event and s.seat_id = any (p_seats)
      and s.status not in ('available', 'blocked')
    order by s.seat_id);
  if cardinality(v_wrong) > 0 then
    perform move_counters(p_event, v_due.o_accounts, negated(v_due.o_units), zeros(v_due.o_units));
    return jsonb_build_object('result', 'seats_unavailable', 'unavailable', to_jsonb(v_wrong));
  end if;
  v_now := sale_clock();
  insert into holds (event_id, id, place, account, request, total_amount, currency, units,
    expires_at, cap_at, created_at)
  values (p_event, p_hold, v_place, v_place,
    jsonb_build_object('seats', to_jsonb(p_seats), 'addons', '[]'::jsonb),
    0, v_currency, cardinality(p_seats), v_now + c_time, v_now + c_time, v_now);
  insert into purchase_counters (event_id, account) values (p_event, v_place)
  on conflict (event_id, account) do nothing;
  insert into hold_seats (event_id, hold_id, seat_id, zone_id, price)
  select p_event, p_hold, s.seat_id, s.zone_id, 0 from seats s
  where s.event_id = p_event and s.seat_id = any (p_seats);
  update seats s
  set status = 'held', hold_id = p_hold, held_until = v_now + c_time,
      version = s.version + 1, updated_at = v_now
  where s.event_id = p_event and s.seat_id = any (p_seats) and s.status in ('available', 'blocked');
  insert into orders (id, event_id, hold_id, place, account, complimentary, buyer_email, buyer_name,
    buyer_locale, total_amount, currency)
  values (p_order, p_event, p_hold, v_place, v_place, true, p_buyer ->> 'email', p_buyer ->> 'name',
    p_buyer ->> 'locale', 0, v_currency);
  insert into order_lines (order_id, line_no, event_id, kind, seat_id, zone_id, label, quantity,
    unit_amount, amount, currency)
  select p_order, row_number() over (
      order by s.section_id, length(s.row_id), s.row_id, s.place), p_event, 'seat', l.seat_id,
    l.zone_id, l.seat_id, 1, 0, 0, v_currency
  from hold_seats l
  join seats s on s.event_id = p_event and s.seat_id = l.seat_id
  where l.event_id = p_event and l.hold_id = p_hold;
  perform move_counters(p_event,
    v_due.o_accounts || v_place,
    negated(v_due.o_units) || cardinality(p_seats),
    zeros(v_due.o_units) || 0);
  if settle_order(p_order) ->> 'state' <> 'paid' then
    raise exception 'complimentary order % was not settled', p_order;
  end if;
  perform append_audit(p_actor, 'seats.complimentary', p_event, p_order,
    jsonb_build_object('seats', to_jsonb(p_seats), 'reason', p_reason), p_request_id);
  return jsonb_build_object('result', 'given', 'order', p_order, 'seats', to_jsonb(p_seats));
end
$$;
