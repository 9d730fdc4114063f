-- Add-ons of a request in one form: sorted, the same one only once, the variant '' when there is none.
create or replace function canonical_addons(p_addons jsonb) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'variant', variant, 'quantity', quantity)
    order by id, variant), '[]')
  from (
    select a ->> 'id' as id, coalesce(a ->> 'variant', '') as variant,
           sum((a ->> 'quantity')::integer) as quantity
    from jsonb_array_elements(coalesce(p_addons, '[]')) a
    group by 1, 2
  ) t
$$;

create or replace function addon_keys(p_addons jsonb) returns text[]
language sql immutable as $$
  select coalesce(array_agg((a ->> 'id') || '/' || (a ->> 'variant')), '{}')
  from jsonb_array_elements(p_addons) a
$$;

-- Null when all of them can be had; the caller has locked and expired them.
create or replace function judge_addons(p_event text, p_addons jsonb) returns jsonb
language plpgsql volatile as $$
declare
  v_addon record;
begin
  for v_addon in
    select w.id, w.variant, w.quantity, a.stock - a.held - a.sold as available
    from jsonb_to_recordset(p_addons) as w (id text, variant text, quantity integer)
    left join addons a on a.event_id = p_event and a.addon_id = w.id and a.variant = w.variant
    order by w.id, w.variant
  loop
    if v_addon.available is null then
      return jsonb_build_object('result', 'unknown_addon', 'addon', v_addon.id);
    elsif v_addon.available < v_addon.quantity then
      return jsonb_build_object(
        'result', 'addon_sold_out', 'addon', v_addon.id, 'available', v_addon.available);
    end if;
  end loop;
  return null;
end
$$;

-- Takes add-ons into a hold; the caller has locked them and `judge_addons` said yes. Returns
-- `{total, lines}`.
create or replace function take_addons(
  p_event text, p_hold text, p_addons jsonb, p_currency text, p_until timestamptz
) returns jsonb
language plpgsql volatile as $$
declare
  v_taken integer;
begin
  if p_addons = '[]' then
    return '{"total": 0, "lines": []}';
  end if;
  insert into hold_addons (event_id, hold_id, addon_id, variant, quantity, price, held_until)
  select p_event, p_hold, w.id, w.variant, w.quantity, a.price, p_until
  from jsonb_to_recordset(p_addons) as w (id text, variant text, quantity integer)
  join addons a on a.event_id = p_event and a.addon_id = w.id and a.variant = w.variant;
  update addons a
  set held = a.held + w.quantity, version = nextval('inventory_version')
  from jsonb_to_recordset(p_addons) as w (id text, variant text, quantity integer)
  where a.event_id = p_event and a.addon_id = w.id and a.variant = w.variant
    and a.held + a.sold + w.quantity <= a.stock;
  get diagnostics v_taken = row_count;
  if v_taken <> jsonb_array_length(p_addons) then
    raise exception 'hold % found an add-on sold out under its lock', p_hold;
  end if;
  return (
    select jsonb_build_object('total', sum(l.price * l.quantity), 'lines', addon_lines(p_event, p_hold, p_currency))
    from hold_addons l where l.event_id = p_event and l.hold_id = p_hold);
end
$$;

-- Writes a hold of seats that the caller has locked and found free: inserts first, then the guarded
-- update, judged by its row count. Returns the hold's view. The caller adds the units to the person's
-- counter with its other counter changes.
create or replace function make_hold(
  p_event text,
  p_hold text,
  p_who jsonb,
  p_request jsonb,
  p_judged jsonb,
  p_seats text[],
  p_addons jsonb,
  p_adjacent boolean
) returns jsonb
language plpgsql volatile as $$
declare
  c_lifetime constant interval := interval '30 minutes';
  v_now timestamptz := sale_clock();
  v_until timestamptz := v_now + (p_judged ->> 'ttl_ms')::integer * interval '1 millisecond';
  v_currency text := p_judged ->> 'currency';
  v_total bigint;
  v_seats jsonb;
  v_addons jsonb := '{"total": 0, "lines": []}';
  v_count integer;
begin
  select sum(z.price), jsonb_agg(seat_line(s, z.price, v_currency)
    order by s.section_id, length(s.row_id), s.row_id, s.place)
  into v_total, v_seats
  from seats s join zones z on z.event_id = p_event and z.zone_id = s.zone_id
  where s.event_id = p_event and s.seat_id = any (p_seats);
  if p_addons <> '[]' then
    select v_total + sum(a.price * w.quantity) into v_total
    from jsonb_to_recordset(p_addons) as w (id text, variant text, quantity integer)
    join addons a on a.event_id = p_event and a.addon_id = w.id and a.variant = w.variant;
  end if;

  with hold as (
    insert into holds (event_id, id, place, account, jkt, request, adjacent, total_amount, currency,
      units, expires_at, cap_at, created_at)
    values (p_event, p_hold, p_who ->> 'place', p_who ->> 'account', p_who ->> 'jkt', p_request,
      p_adjacent, v_total, v_currency, cardinality(p_seats), v_until, v_now + c_lifetime, v_now)
  ), counter as (
    insert into purchase_counters (event_id, account) values (p_event, p_who ->> 'account')
    on conflict (event_id, account) do nothing
  )
  insert into hold_seats (event_id, hold_id, seat_id, zone_id, price)
  select p_event, p_hold, l ->> 'id', l ->> 'zone', (l -> 'price' ->> 'amount')::bigint
  from jsonb_array_elements(v_seats) l;
  update seats s
  set status = 'held', hold_id = p_hold, held_until = v_until, paying_until = null,
      version = s.version + 1, updated_at = v_now
  where s.event_id = p_event and s.seat_id = any (p_seats) and s.status = 'available';
  get diagnostics v_count = row_count;
  if v_count <> cardinality(p_seats) then
    raise exception 'hold % found % of % seats free under their locks',
      p_hold, v_count, cardinality(p_seats);
  end if;
  perform refresh_rows(p_event, p_seats);
  if p_addons <> '[]' then
    v_addons := take_addons(p_event, p_hold, p_addons, v_currency, v_until);
  end if;
  return hold_document(p_event, p_hold, v_seats, '[]', v_addons -> 'lines', v_total, v_currency,
    v_until, p_adjacent);
end
$$;
