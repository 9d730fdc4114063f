-- Rows that no relay has taken, oldest first, leased to the caller: a relay that dies leaves them to
-- the next one. Claims are made one after another, so a later event of an order is never claimed
-- while an earlier one is with somebody else; relaying itself goes on beside it.
create or replace function claim_outbox(p_limit integer, p_lease_ms integer) returns jsonb
language plpgsql volatile as $$
declare
  v_rows jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended('sira:outbox', 0));
  with due as (
    select o.id from outbox o
    where o.enqueued_at is null
      and (o.lease_until is null or o.lease_until < clock_timestamp())
      and not exists (
        select 1 from outbox e
        where e.enqueued_at is null and e.order_id = o.order_id and e.seq < o.seq
          and e.lease_until >= clock_timestamp()
      )
    order by o.seq limit p_limit
    for update skip locked
  ), claimed as (
    update outbox o
    set lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
    from due where o.id = due.id
    returning o.*
  )
  -- A null inside the payload is something that was said, and its reader waits for it.
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'id', id, 'kind', kind, 'event', event_id, 'order', order_id))
    || jsonb_build_object('payload', payload) order by seq), '[]')
  into v_rows from claimed;
  return v_rows;
end
$$;
