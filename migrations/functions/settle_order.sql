-- What a recorded success buys. One call sells the seats, pays the order, writes the tickets and the
-- outbox row and ends the admission; or takes lost units again (equal ones if the buyer agreed); or
-- writes the refund. The first success of an order is the one that pays it; each further one is
-- refunded. Safe to repeat: it acts only on successes that nothing has been decided about.
--
-- Answers {order, state, event, sold: [seat ids], settled: [{attempt, as}]}.
create or replace function settle_order(p_order text) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  v_sold boolean;
  v_seats jsonb := '[]';
  v_settled jsonb := '[]';
begin
  -- The person first, as in every function: this one ends their admission.
  select * into o from orders where id = p_order;
  if not found then
    return jsonb_build_object('order', p_order, 'state', 'not_found');
  end if;
  perform lock_person(o.event_id, o.account);
  select * into o from orders where id = p_order for update;

  if o.total_amount = 0 and o.state = 'pending' then
    -- Nothing to charge: the order is paid by being made.
    if sell_lines(o.event_id, o.hold_id, o.id) ->> 'result' = 'sold' then
      o := pay_order(o, null);
    end if;
  end if;

  for a in select * from payment_attempts
    where order_id = p_order and state = 'succeeded' and settled is null
    order by ended_at, id for update
  loop
    v_sold := false;
    if o.paid_attempt_id is null and o.state in ('pending', 'expired') then
      v_sold := sell_or_retake(o);
    end if;
    if v_sold then
      o := pay_order(o, a.id);
    else
      perform refund_success(o, a,
        case when o.paid_attempt_id is null then 'reservation_lost' else 'duplicate' end);
      if o.state = 'pending' then
        update orders set state = 'expired', ended_at = sale_clock(), updated_at = sale_clock()
          where id = o.id returning * into o;
      end if;
    end if;
    update payment_attempts
      set settled = case when v_sold then 'order' else 'refund' end, settled_at = sale_clock(),
        updated_at = sale_clock()
      where id = a.id;
    v_settled := v_settled || jsonb_build_object('attempt', a.id,
      'as', case when v_sold then 'order' else 'refund' end);
  end loop;

  if o.state = 'paid' then
    select coalesce(jsonb_agg(seat_id order by seat_id), '[]') into v_seats from seats
      where event_id = o.event_id and order_id = o.id;
  end if;
  return jsonb_build_object('order', o.id, 'state', o.state, 'event', o.event_id,
    'sold', v_seats, 'settled', v_settled);
end
$$;

-- Sells the hold's lines, or, when some were lost, those it can have again. A buyer who has meanwhile
-- paid for other seats of the event wants the money back, not more seats.
create or replace function sell_or_retake(o orders) returns boolean language plpgsql as $$
declare
  v_retaken jsonb;
begin
  if sell_lines(o.event_id, o.hold_id, o.id) ->> 'result' = 'sold' then
    return true;
  end if;
  if exists (select 1 from orders x
    where x.event_id = o.event_id and x.account = o.account and x.id <> o.id
      and x.state in ('paid', 'part_refunded') and not x.complimentary)
  then
    return false;
  end if;
  v_retaken := retake_lines(o.event_id, o.hold_id, o.accept_equal_seats);
  if v_retaken ->> 'result' <> 'retaken' then
    return false;
  end if;
  update order_lines l
    set seat_id = r ->> 'to', label = r ->> 'to'
    from jsonb_array_elements(v_retaken -> 'reseated') r
    where l.order_id = o.id and l.seat_id = r ->> 'from';
  update orders set reseated = jsonb_array_length(v_retaken -> 'reseated') > 0 where id = o.id;
  if sell_lines(o.event_id, o.hold_id, o.id) ->> 'result' <> 'sold' then
    raise exception 'units of order % were retaken and could not be sold', o.id;
  end if;
  return true;
end
$$;

-- The order is paid: tickets, one for each unit; the admission ends; the outbox says so.
create or replace function pay_order(o orders, p_attempt text) returns orders language plpgsql as $$
begin
  update orders
    set state = 'paid', paid_attempt_id = p_attempt, paid_at = sale_clock(), ended_at = null,
      updated_at = sale_clock()
    where id = o.id returning * into o;
  perform write_tickets(o);
  update admissions set closed_at = sale_clock()
    where event_id = o.event_id and place = o.place and closed_at is null;
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), o.event_id, o.id, 'order.paid',
      jsonb_build_object('order', o.id, 'event', o.event_id, 'place', o.place,
        'jti', o.admission_jti, 'attempt', p_attempt, 'reseated', o.reseated));
  return o;
end
$$;

-- One ticket for each unit of the order. Returns how many.
create or replace function write_tickets(o orders) returns integer language sql as $$
  with written as (
    insert into tickets (id, event_id, order_id, line_no, unit, seat_id, zone_id, holder_name)
      select 'tkt_' || translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_'),
        o.event_id, o.id, l.line_no, u.unit, l.seat_id, l.zone_id, o.buyer_name
      from order_lines l cross join lateral generate_series(1, l.quantity) u (unit)
      where l.order_id = o.id and l.kind in ('seat', 'zone')
      returning 1)
  select count(*)::integer from written
$$;

-- A success that buys nothing goes back by itself, whole, and voids no ticket.
create or replace function refund_success(o orders, a payment_attempts, p_reason text)
returns void language plpgsql as $$
declare
  v_left bigint;
begin
  select a.captured_amount - coalesce(sum(amount), 0) into v_left from refunds
    where attempt_id = a.id and state <> 'failed';
  if v_left <= 0 then
    return;
  end if;
  insert into refunds (id, order_id, attempt_id, event_id, key, amount, currency, reason, created_by,
      next_try_at)
    values ('ref_' || translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_'),
      o.id, a.id, o.event_id, 'auto:' || a.id, v_left, a.captured_currency, p_reason, 'system',
      sale_clock())
    on conflict (order_id, key) do nothing;
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), o.event_id, o.id, 'payment.refunding',
      jsonb_build_object('order', o.id, 'attempt', a.id, 'amount', v_left,
        'currency', a.captured_currency, 'reason', p_reason));
end
$$;

-- Orders with a success nothing has been decided about, oldest first; one worker each.
create or replace function claim_unsettled_orders(p_limit integer, p_lease_ms integer)
returns table (order_id text) language sql as $$
  with due as (
    select id from payment_attempts
      where state = 'succeeded' and settled is null
        and coalesce(next_settle_at, ended_at + interval '2 seconds') <= sale_clock()
      order by ended_at limit p_limit for update skip locked
  ), claimed as (
    update payment_attempts a
      set settle_tries = settle_tries + 1,
        next_settle_at = sale_clock() + make_interval(
          secs => p_lease_ms / 1000.0 * least(power(2, settle_tries), 16))
      from due where a.id = due.id
      returning a.order_id
  )
  select distinct order_id from claimed
$$;

-- Tickets of a refund become void and their units free, each once: the ticket's own transition decides.
-- `p_whole`: all of the money is back, so the add-ons are, too.
create or replace function void_tickets(p_order text, p_tickets text[], p_whole boolean default false)
returns jsonb language plpgsql as $$
declare
  v_event text;
  v_seats text[];
  v_zones jsonb;
begin
  with voided as (
    update tickets set state = 'void', voided_at = sale_clock()
      where order_id = p_order and id = any (p_tickets) and state <> 'void'
      returning event_id, seat_id, zone_id
  ), zones as (
    select zone_id, count(*) as units from voided where seat_id is null group by zone_id
  )
  select coalesce((select min(event_id) from voided),
      (select event_id from orders where p_whole and id = p_order)),
    array(select seat_id from voided where seat_id is not null),
    coalesce((select jsonb_object_agg(zone_id, units) from zones), '{}')
    into v_event, v_seats, v_zones;
  if v_event is null then
    return '[]';
  end if;
  return return_lines(v_event, p_order, v_seats, v_zones, p_whole) -> 'freed';
end
$$;
