-- A payment incident: one act refunds a set of charges and writes to every buyer, once each. An event
-- that is called off or moved is one, too (`event_acts.sql`).

-- Charges are named by attempt or by the provider's reference; one that is no success of ours stops
-- the whole act. Answers {verdict, incident?, orders?, unknown?}: created | existing | reused |
-- unknown_charge.
create or replace function create_incident(
  p_incident text, p_key text, p_hash text, p_charges text[], p_reason text, p_voucher text,
  p_by text, p_request text
) returns jsonb language plpgsql as $$
declare
  i incidents;
  v_unknown text[];
  v_orders integer;
begin
  insert into incidents (id, key, request_hash, reason, voucher, created_by)
    values (p_incident, p_key, p_hash, p_reason, p_voucher, p_by)
    on conflict (key) do nothing;
  if not found then
    select * into i from incidents where key = p_key;
    return jsonb_build_object(
      'verdict', case when i.request_hash = p_hash then 'existing' else 'reused' end,
      'incident', i.id);
  end if;
  select array_agg(c) into v_unknown from unnest(p_charges) c
    where not exists (select 1 from payment_attempts a
      where a.state = 'succeeded' and (a.id = c or a.provider_ref = c));
  if v_unknown is not null then
    delete from incidents where id = p_incident;
    return jsonb_build_object('verdict', 'unknown_charge', 'unknown', to_jsonb(v_unknown));
  end if;
  insert into incident_orders (incident_id, order_id, attempts)
    select p_incident, a.order_id, array_agg(a.id order by a.id) from payment_attempts a
      where a.state = 'succeeded' and (a.id = any (p_charges) or a.provider_ref = any (p_charges))
      group by a.order_id;
  get diagnostics v_orders = row_count;
  perform append_audit(p_by, 'payments.incident', null, p_incident,
    jsonb_build_object('orders', v_orders, 'reason', p_reason), p_request);
  return jsonb_build_object('verdict', 'created', 'incident', p_incident, 'orders', v_orders);
end
$$;

-- The next order of an incident: its refunds and the event that writes to its buyer, in one call, so
-- that neither is there without the other. One order a call, since each takes the audit log's lock.
-- Answers {order} or {order: null} when there is nothing left to do.
create or replace function advance_incident() returns jsonb language plpgsql as $$
declare
  w incident_orders;
  i incidents;
  v_attempt text;
  v_made jsonb;
  v_event text;
  v_amount bigint := 0;
  v_currency text;
begin
  perform gather_cancelled();
  select * into w from incident_orders where state = 'waiting'
    order by incident_id, order_id limit 1 for update skip locked;
  if not found then
    return '{"order": null}';
  end if;
  select * into i from incidents where id = w.incident_id;
  foreach v_attempt in array w.attempts loop
    v_made := create_refund(
      'ref_' || translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_'),
      w.order_id, v_attempt, null, null, i.reason, 'incident:' || i.id || ':' || v_attempt, i.id,
      i.created_by, i.id);
    update refunds set incident_id = i.id
      where id = v_made ->> 'refund' and v_made ->> 'verdict' = 'created';
    -- What had gone back before is told, too: the buyer asks about the charge, not about our act.
    select v_amount + coalesce(sum(r.amount), 0) into v_amount from refunds r
      where r.attempt_id = v_attempt and r.state <> 'failed';
    select captured_currency into v_currency from payment_attempts where id = v_attempt;
  end loop;
  select event_id into v_event from orders where id = w.order_id;
  if i.kind = 'cancelled' and cardinality(w.attempts) = 0 then
    perform void_gift(w.order_id);
  end if;
  update incident_orders set state = 'done', done_at = sale_clock()
    where incident_id = w.incident_id and order_id = w.order_id;
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), v_event, w.order_id,
      case i.kind when 'charges' then 'payment.incident' else 'event.' || i.kind end,
      jsonb_build_object('incident', i.id, 'amount', v_amount, 'currency', v_currency,
        'voucher', i.voucher, 'reason', i.reason));
  return jsonb_build_object('order', w.order_id);
end
$$;
