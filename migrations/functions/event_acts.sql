-- Acts over a whole event. Each is written down whole, as an incident; the job that carries incidents
-- out goes on order by order, wherever it was stopped.

-- Called off: nothing is held or paid any more, every charge goes back, every ticket is void, every
-- buyer is written to. Answers {verdict, incident?}: done | existing | reused | unknown_event.
create or replace function cancel_event(
  p_incident text, p_key text, p_hash text, p_event text, p_reason text, p_by text, p_request text
) returns jsonb language plpgsql as $$
declare
  v_made jsonb := begin_event_act(p_incident, p_key, p_hash, p_event, 'cancelled', p_reason, p_by);
begin
  if v_made ->> 'verdict' <> 'done' then
    return v_made;
  end if;
  update events set state = 'cancelled', version = version + 1, updated_at = sale_clock()
    where event_id = p_event;
  perform gather_cancelled();
  perform append_audit(p_by, 'event.cancel', p_event, p_event,
    jsonb_build_object('incident', v_made ->> 'incident', 'reason', p_reason), p_request);
  return v_made;
end
$$;

-- Moved to another time: tickets stay as they are, every buyer is written to.
-- Answers {verdict, incident?}: done | existing | reused | unknown_event | cancelled.
create or replace function postpone_event(
  p_incident text, p_key text, p_hash text, p_event text, p_starts_at timestamptz, p_reason text,
  p_by text, p_request text
) returns jsonb language plpgsql as $$
declare
  v_made jsonb;
  v_before timestamptz;
begin
  if exists (select 1 from events where event_id = p_event and state = 'cancelled') then
    return jsonb_build_object('verdict', 'cancelled');
  end if;
  v_made := begin_event_act(p_incident, p_key, p_hash, p_event, 'postponed', p_reason, p_by);
  if v_made ->> 'verdict' <> 'done' then
    return v_made;
  end if;
  select starts_at into v_before from events where event_id = p_event;
  update events
    set starts_at = p_starts_at, version = version + 1, updated_at = sale_clock()
    where event_id = p_event;
  insert into incident_orders (incident_id, order_id, attempts)
    select p_incident, o.id, '{}' from orders o
      where o.event_id = p_event and o.state in ('paid', 'part_refunded');
  perform append_audit(p_by, 'event.postpone', p_event, p_event,
    jsonb_build_object('incident', p_incident, 'before', iso_time(v_before),
      'after', iso_time(p_starts_at), 'reason', p_reason), p_request);
  return v_made;
end
$$;

create or replace function begin_event_act(
  p_incident text, p_key text, p_hash text, p_event text, p_kind text, p_reason text, p_by text
) returns jsonb language plpgsql as $$
declare
  i incidents;
begin
  perform 1 from events where event_id = p_event for no key update;
  if not found then
    return jsonb_build_object('verdict', 'unknown_event');
  end if;
  -- An event is called off once, however many press at the same time.
  select * into i from incidents
    where key = p_key or (p_kind = 'cancelled' and kind = p_kind and event_id = p_event)
    order by (key = p_key) desc limit 1;
  if found then
    return jsonb_build_object(
      'verdict', case when i.key <> p_key or i.request_hash = p_hash then 'existing'
        else 'reused' end,
      'incident', i.id);
  end if;
  insert into incidents (id, key, request_hash, reason, created_by, kind, event_id)
    values (p_incident, p_key, p_hash, p_reason, p_by, p_kind, p_event);
  return jsonb_build_object('verdict', 'done', 'incident', p_incident);
end
$$;

-- Orders of events called off that were paid, also those whose payment came through afterwards.
create or replace function gather_cancelled() returns integer language plpgsql as $$
declare
  v_count integer;
begin
  insert into incident_orders (incident_id, order_id, attempts)
    select i.id, o.id, array(select a.id from payment_attempts a
        where a.order_id = o.id and a.state = 'succeeded' and a.settled is distinct from 'refund'
        order by a.id)
      from incidents i
      join orders o on o.event_id = i.event_id and o.state in ('paid', 'part_refunded')
      where i.kind = 'cancelled' and i.created_at > sale_clock() - interval '30 days'
    on conflict (incident_id, order_id) do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

-- Tickets that were given away: nothing to return, so they are void at once.
create or replace function void_gift(p_order text) returns void language plpgsql as $$
begin
  perform 1 from orders where id = p_order for update;
  perform void_tickets(p_order,
    array(select t.id from tickets t where t.order_id = p_order and t.state <> 'void'), true);
  update orders set state = 'refunded', updated_at = sale_clock()
    where id = p_order and state in ('paid', 'part_refunded');
end
$$;
