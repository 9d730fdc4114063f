-- What reconciliation repairs by itself. Each looks again under the locks and does nothing when the
-- damage is not (or no longer) the one that it is sure about; then a person decides.

-- Charges of a paid order beside the one that paid it, which nothing is returning. Returns how many
-- are on their way back now.
create or replace function refund_doubles(p_order text) returns integer language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  v_count integer := 0;
begin
  select * into o from orders where id = p_order for update;
  if not found or o.paid_attempt_id is null then
    return 0;
  end if;
  for a in select * from payment_attempts
    where order_id = p_order and state = 'succeeded' and settled = 'refund'
      and id <> o.paid_attempt_id
    order by id for update
  loop
    if a.captured_amount > coalesce((select sum(amount) from refunds
      where attempt_id = a.id and state <> 'failed'), 0)
    then
      perform refund_success(o, a, 'duplicate');
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$$;

-- A paid order that has no ticket at all gets them, if every seat of it is still its own. Returns how
-- many were written.
create or replace function issue_missing_tickets(p_order text) returns integer language plpgsql as $$
declare
  o orders;
begin
  select * into o from orders where id = p_order for update;
  if not found or o.state <> 'paid' or exists (select 1 from tickets where order_id = p_order) then
    return 0;
  end if;
  if exists (select 1 from order_lines l
    where l.order_id = p_order and l.kind = 'seat' and not exists (select 1 from seats s
      where s.event_id = o.event_id and s.seat_id = l.seat_id and s.status = 'sold'
        and s.order_id = p_order))
  then
    return 0;
  end if;
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), o.event_id, o.id, 'order.mail_again',
      jsonb_build_object('order', o.id));
  return write_tickets(o);
end
$$;

-- A sold seat of an order that has ended, for which nobody has a ticket, sells again.
create or replace function free_orphan_seat(p_event text, p_seat text) returns boolean
language plpgsql as $$
declare
  o orders;
begin
  select x.* into o from seats s join orders x on x.id = s.order_id
    where s.event_id = p_event and s.seat_id = p_seat and s.status = 'sold';
  if not found then
    return false;
  end if;
  select * into o from orders where id = o.id for update;
  if o.state not in ('refunded', 'cancelled', 'expired') or exists (select 1 from tickets t
    where t.event_id = p_event and t.seat_id = p_seat and t.state <> 'void')
  then
    return false;
  end if;
  return jsonb_array_length(return_lines(p_event, o.id, array[p_seat], '{}') -> 'freed') = 1;
end
$$;
