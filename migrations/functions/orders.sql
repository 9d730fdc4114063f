-- Orders: made once per hold, paid by settle_order, and ended by cancel, expiry or refund.

-- The total is fixed here and charged exactly; the lines add up to it to the unit.
-- Answers {verdict, order?}: created | known | not_found | not_live | sale_changed.
create or replace function create_order(
  p_order text, p_intent text, p_hold text, p_event text, p_place text, p_email text, p_name text,
  p_locale text, p_accept_equal boolean
) returns jsonb language plpgsql as $$
declare
  h holds;
  v_known text;
  v_made text;
begin
  -- The hold before the order is safe here alone: the order is new, so nobody waits for it.
  select * into h from holds
    where event_id = p_event and id = p_hold and place = p_place for update;
  if not found then
    return jsonb_build_object('verdict', 'not_found');
  end if;
  select id into v_known from orders where event_id = p_event and hold_id = p_hold;
  if found then
    return jsonb_build_object('verdict', 'known', 'order', v_known);
  end if;
  if h.state <> 'live' or h.expires_at <= clock_timestamp() then
    return jsonb_build_object('verdict', 'not_live');
  end if;
  insert into orders (id, event_id, hold_id, place, account, buyer_email, buyer_name, buyer_locale,
      accept_equal_seats, total_amount, currency)
    values (p_order, p_event, p_hold, h.place, h.account, p_email, p_name, p_locale,
      p_accept_equal, h.total_amount, h.currency)
    returning id into v_made;
  insert into order_lines (order_id, line_no, event_id, kind, seat_id, zone_id, addon_id, variant,
      label, quantity, unit_amount, amount, currency)
    select p_order, row_number() over (order by l.rank, l.label), p_event, l.kind, l.seat_id,
      l.zone_id, l.addon_id, l.variant, l.label, l.quantity, l.price, l.price * l.quantity,
      h.currency
    from hold_order_lines(p_event, p_hold) l;
  if (select coalesce(sum(amount), 0) from order_lines where order_id = p_order) <> h.total_amount
  then
    -- Fees or tax were changed after the hold was made. The hold's posted total stands or falls.
    raise exception 'order % does not add up to its hold', p_order;
  end if;
  insert into payment_intents (id, order_id, amount, currency)
    values (p_intent, p_order, h.total_amount, h.currency);
  return jsonb_build_object('verdict', 'created', 'order', v_made);
end
$$;

-- A cancelled order gives its seats back at once. An attempt that may still charge is in the way:
-- the caller fences it at the provider first and comes again.
-- Answers {verdict, attempt?, ref?, state?, freed?}: cancelled | already | in_flight |
-- not_cancellable | not_found.
create or replace function cancel_order(p_order text) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  v_freed jsonb;
begin
  select * into o from orders where id = p_order for update;
  if not found then
    return jsonb_build_object('verdict', 'not_found');
  end if;
  if o.state = 'cancelled' then
    return jsonb_build_object('verdict', 'already');
  end if;
  select * into a from payment_attempts
    where order_id = p_order and state in ('sent', 'unknown', 'succeeded')
      and settled is distinct from 'refund'
    order by (state = 'succeeded') desc limit 1;
  if o.state <> 'pending' or a.state = 'succeeded' then
    return jsonb_build_object('verdict', 'not_cancellable', 'state', o.state);
  end if;
  if a.id is not null then
    return jsonb_build_object('verdict', 'in_flight', 'attempt', a.id, 'ref', a.provider_ref,
      'state', a.state);
  end if;
  -- Written down, never sent: begin_attempt finds it ended and sends nothing.
  update payment_attempts
    set state = 'failed', reason = 'cancelled', ended_at = clock_timestamp(),
      updated_at = clock_timestamp()
    where order_id = p_order and state = 'created';
  update orders
    set state = 'cancelled', ended_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = p_order;
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), o.event_id, o.id, 'order.cancelled',
      jsonb_build_object('order', o.id, 'hold', o.hold_id));
  v_freed := release_lines(o.event_id, o.hold_id) -> 'freed';
  return jsonb_build_object('verdict', 'cancelled', 'event', o.event_id, 'freed', v_freed);
end
$$;

-- Pending orders whose hold has ended and which no payment can reach any more, except late.
create or replace function expire_orders(p_limit integer) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  with due as (
    select o.id from orders o
      join holds h on h.event_id = o.event_id and h.id = o.hold_id
      where o.state = 'pending'
        and (h.state <> 'live' or (h.expires_at <= clock_timestamp()
          and coalesce(h.paying_until, '-infinity') <= clock_timestamp()))
        and not exists (select 1 from payment_attempts a
          where a.order_id = o.id and (a.state in ('created', 'sent', 'unknown')
            or (a.state = 'succeeded' and a.settled is null)))
      order by o.created_at limit p_limit for update of o skip locked
  ), ended as (
    update orders o
      set state = 'expired', ended_at = clock_timestamp(), updated_at = clock_timestamp()
      from due where o.id = due.id and o.state = 'pending'
      returning o.id, o.event_id, o.hold_id
  ), told as (
    insert into outbox (id, event_id, order_id, kind, payload)
      select 'out_' || gen_random_uuid(), event_id, id, 'order.expired',
        jsonb_build_object('order', id, 'hold', hold_id)
      from ended returning 1
  )
  select count(*) into v_count from told;
  return v_count;
end
$$;
