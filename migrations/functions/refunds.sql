-- Refunds. The attempt's row lock makes the sum exact however many arrive at once: every refund
-- that has not failed counts, also one whose outcome is not known.
--
-- p_amount and p_tickets both null: all that is left, and every valid ticket. Tickets alone: their
-- prices. An amount alone: money only, and what is left of the order's money takes every ticket along
-- that is still valid: the order is refunded then, and nobody goes in for nothing. An empty list:
-- money only, and for that reason never all that is left while a ticket is valid.
-- Answers {verdict, refund?, state?}: created | existing | reused | not_found | not_possible |
-- unknown_ticket | leaves_tickets | exceeds.
create or replace function create_refund(
  p_refund text, p_order text, p_attempt text, p_amount bigint, p_tickets text[], p_reason text,
  p_key text, p_hash text, p_by text, p_request text
) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  r refunds;
  v_used bigint;
  v_amount bigint := p_amount;
  v_tickets text[] := p_tickets;
begin
  select * into o from orders where id = p_order for update;
  if not found then
    return jsonb_build_object('verdict', 'not_found');
  end if;
  select * into r from refunds where order_id = p_order and key = p_key;
  if found then
    return jsonb_build_object(
      'verdict', case when r.request_hash = p_hash then 'existing' else 'reused' end,
      'refund', r.id, 'state', r.state);
  end if;
  select * into a from payment_attempts
    where order_id = p_order and state = 'succeeded'
      and id = coalesce(p_attempt, o.paid_attempt_id, id)
    order by ended_at limit 1 for update;
  if not found then
    return jsonb_build_object('verdict', 'not_possible');
  end if;
  select coalesce(sum(amount), 0) into v_used from refunds
    where attempt_id = a.id and state <> 'failed';
  if v_tickets is null and a.id = o.paid_attempt_id
    and coalesce(v_amount, a.captured_amount - v_used) = a.captured_amount - v_used
  then
    select coalesce(array_agg(t.id order by t.id), '{}') into v_tickets from tickets t
      where t.order_id = p_order and t.state = 'valid' and not exists (
        select 1 from refunds x
          where x.order_id = p_order and x.state <> 'failed' and t.id = any (x.tickets));
  elsif cardinality(v_tickets) > 0 then
    select coalesce(array_agg(distinct t order by t), '{}') into v_tickets from unnest(v_tickets) t;
    if a.id is distinct from o.paid_attempt_id or cardinality(v_tickets) <> (
      select count(*) from tickets t
        where t.order_id = p_order and t.id = any (v_tickets) and t.state = 'valid'
          and not exists (select 1 from refunds x
            where x.order_id = p_order and x.state <> 'failed' and t.id = any (x.tickets)))
    then
      return jsonb_build_object('verdict', 'unknown_ticket');
    end if;
    if v_amount is null then
      select sum(l.unit_amount) into v_amount from tickets t
        join order_lines l on l.order_id = t.order_id and l.line_no = t.line_no
        where t.id = any (v_tickets);
    end if;
  end if;
  v_amount := coalesce(v_amount, a.captured_amount - v_used);
  if v_amount <= 0 or v_used + v_amount > a.captured_amount then
    return jsonb_build_object('verdict', 'exceeds', 'left', a.captured_amount - v_used);
  end if;
  if a.id = o.paid_attempt_id and v_used + v_amount = a.captured_amount and exists (
    select 1 from tickets t
      where t.order_id = p_order and t.state = 'valid' and t.id <> all (coalesce(v_tickets, '{}'))
        and not exists (select 1 from refunds x
          where x.order_id = p_order and x.state <> 'failed' and t.id = any (x.tickets)))
  then
    return jsonb_build_object('verdict', 'leaves_tickets');
  end if;
  insert into refunds (id, order_id, attempt_id, event_id, key, request_hash, amount, currency,
      tickets, reason, created_by, next_try_at)
    values (p_refund, p_order, a.id, a.event_id, p_key, p_hash, v_amount, a.captured_currency,
      coalesce(v_tickets, '{}'), p_reason, p_by, sale_clock());
  perform append_audit(p_by, 'order.refund', o.event_id, o.id,
    jsonb_build_object('refund', p_refund, 'attempt', a.id, 'amount', v_amount,
      'currency', a.captured_currency, 'tickets', coalesce(v_tickets, '{}'), 'reason', p_reason),
    p_request);
  return jsonb_build_object('verdict', 'created', 'refund', p_refund, 'state', 'created');
end
$$;

-- Refunds whose turn it is, each handed to one worker. `tries` tells a first sending (1) from later
-- ones, which inquire before they repeat.
create or replace function claim_due_refunds(p_limit integer, p_lease_ms integer, p_refund text)
returns table (id text, attempt_id text, order_id text, amount bigint, currency text, tries integer,
  age_ms bigint, provider text, charge_ref text) language sql as $$
  with due as (
    select r.id from refunds r
      where r.state in ('created', 'sent', 'unknown') and r.next_try_at <= sale_clock()
        and (p_refund is null or r.id = p_refund)
      order by r.next_try_at limit p_limit for update skip locked
  ), claimed as (
    update refunds r
      set state = case when r.state = 'created' then 'sent' else 'unknown' end,
        tries = r.tries + 1, sent_at = coalesce(r.sent_at, sale_clock()),
        updated_at = sale_clock(),
        next_try_at = sale_clock() + make_interval(secs => p_lease_ms / 1000.0)
      from due where r.id = due.id
      returning r.*
  )
  select c.id, c.attempt_id, c.order_id, c.amount, c.currency, c.tries,
    (extract(epoch from sale_clock() - c.sent_at) * 1000)::bigint, a.provider, a.provider_ref
  from claimed c join payment_attempts a on a.id = c.attempt_id
$$;

-- The provider's word on a refund: succeeded | failed | unknown (then `p_next_ms` says when to ask
-- again). Tickets become void and their seats free only with a success, and only once.
create or replace function record_refund_result(
  p_refund text, p_result text, p_ref text, p_failure text, p_next_ms integer
) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  r refunds;
  v_returned bigint;
  v_freed jsonb := '[]';
begin
  select * into o from orders
    where id = (select order_id from refunds where id = p_refund) for update;
  update refunds
    set state = p_result, provider_ref = coalesce(p_ref, provider_ref),
      failure = case when p_result = 'failed' then p_failure end,
      ended_at = case when p_result <> 'unknown' then sale_clock() end,
      next_try_at = case when p_result = 'unknown'
        then sale_clock() + make_interval(secs => coalesce(p_next_ms, 60000) / 1000.0) end,
      updated_at = sale_clock()
    where id = p_refund and (state in ('created', 'sent', 'unknown')
      or (state = 'failed' and p_result = 'succeeded'))
    returning * into r;
  if not found then
    return (select jsonb_build_object('changed', false, 'state', state, 'order', order_id)
      from refunds where id = p_refund);
  end if;
  if p_result = 'succeeded' then
    select * into a from payment_attempts where id = r.attempt_id;
    select sum(amount) into v_returned from refunds
      where attempt_id = a.id and state = 'succeeded';
    if cardinality(r.tickets) > 0 or a.id = o.paid_attempt_id then
      v_freed := void_tickets(o.id, r.tickets,
        a.id = o.paid_attempt_id and v_returned >= a.captured_amount);
    end if;
    if a.id = o.paid_attempt_id then
      update orders
        set state = case when v_returned >= a.captured_amount then 'refunded'
            else 'part_refunded' end,
          updated_at = sale_clock()
        where id = o.id and state in ('paid', 'part_refunded');
    end if;
    insert into outbox (id, event_id, order_id, kind, payload)
      values ('out_' || gen_random_uuid(), o.event_id, o.id, 'refund.succeeded',
        jsonb_build_object('refund', r.id, 'attempt', r.attempt_id, 'amount', r.amount,
          'currency', r.currency, 'reason', r.reason));
  end if;
  return jsonb_build_object('changed', true, 'state', r.state, 'order', r.order_id,
    'event', r.event_id, 'freed', v_freed);
end
$$;
