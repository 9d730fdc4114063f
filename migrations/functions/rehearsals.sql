-- Rehearsals: a synthetic crowd on a copy of an event.

-- Answers {verdict}: started | running | unknown_event | in_use. Nobody rehearses over real buyers.
create or replace function begin_rehearsal(
  p_id text, p_event text, p_twin text, p_plan jsonb, p_by text, p_reason text, p_request text
) returns jsonb language plpgsql as $$
begin
  perform 1 from events where event_id = p_event and rehearsal_of is null for no key update;
  if not found then
    return jsonb_build_object('verdict', 'unknown_event');
  end if;
  if exists (select 1 from events where event_id = p_event and sale_opens_at <= sale_clock()
      and state <> 'cancelled' and coalesce(sale_closes_at, 'infinity') > sale_clock()
      and exists (select 1 from holds h where h.event_id = p_event and h.state = 'live'))
  then
    return jsonb_build_object('verdict', 'in_use');
  end if;
  insert into rehearsals (id, event_id, twin_id, plan, started_by)
    values (p_id, p_event, p_twin, p_plan, p_by)
    on conflict do nothing;
  if not found then
    return jsonb_build_object('verdict', 'running');
  end if;
  perform append_audit(p_by, 'rehearsal.start', p_event, p_id,
    p_plan || jsonb_build_object('copy', p_twin, 'reason', p_reason), p_request);
  return jsonb_build_object('verdict', 'started');
end
$$;

-- Only a copy can be removed, with all that its crowd did. The audit log keeps its lines.
create or replace function remove_rehearsal_event(p_twin text) returns boolean
language plpgsql as $$
declare
  v_orders text[];
begin
  perform 1 from events where event_id = p_twin and rehearsal_of is not null for update;
  if not found then
    return false;
  end if;
  v_orders := array(select id from orders where event_id = p_twin);
  update orders set paid_attempt_id = null, complimentary = true where id = any (v_orders);
  delete from page_events where order_id = any (v_orders);
  delete from mails where order_id = any (v_orders);
  delete from outbox where event_id = p_twin;
  delete from incident_orders where order_id = any (v_orders);
  delete from refunds where event_id = p_twin;
  delete from payment_attempts where event_id = p_twin;
  delete from payment_intents where order_id = any (v_orders);
  delete from tickets where event_id = p_twin;
  delete from order_lines where event_id = p_twin;
  delete from orders where event_id = p_twin;
  delete from hold_seats where event_id = p_twin;
  delete from hold_zones where event_id = p_twin;
  delete from hold_addons where event_id = p_twin;
  delete from holds where event_id = p_twin;
  delete from purchase_counters where event_id = p_twin;
  delete from admissions where event_id = p_twin;
  delete from registrations where event_id = p_twin;
  delete from seats where event_id = p_twin;
  delete from rows where event_id = p_twin;
  delete from sections where event_id = p_twin;
  delete from addons where event_id = p_twin;
  delete from zones where event_id = p_twin;
  delete from events where event_id = p_twin;
  return true;
end
$$;

create or replace function end_rehearsal(
  p_id text, p_state text, p_report jsonb, p_by text, p_request text
) returns boolean language plpgsql as $$
declare
  r rehearsals;
begin
  update rehearsals set state = p_state, report = p_report, ended_at = sale_clock()
    where id = p_id and state = 'running' returning * into r;
  if not found then
    return false;
  end if;
  perform append_audit(p_by, 'rehearsal.end', r.event_id, r.id,
    jsonb_build_object('copy', r.twin_id, 'state', p_state, 'report', p_report), p_request);
  return true;
end
$$;
