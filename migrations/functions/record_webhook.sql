-- A webhook's record and its effect in one call: either both are there or the provider sends it
-- again. An event about a charge that we do not know yet is parked.
--
-- Answers {verdict, order?, attempt?}: applied | parked | ignored | duplicate.
create or replace function record_webhook(
  p_provider text, p_account text, p_event text, p_type text, p_ref text, p_payload jsonb
) returns jsonb language plpgsql as $$
declare
  v_state text;
begin
  insert into webhook_events (provider, account, provider_event_id, type, provider_ref, payload, state)
    values (p_provider, p_account, p_event, p_type, p_ref, p_payload,
      case when p_payload ? 'outcome' then 'parked' else 'ignored' end)
    on conflict (provider, account, provider_event_id) do nothing
    returning state into v_state;
  if not found then
    return jsonb_build_object('verdict', 'duplicate');
  end if;
  if v_state = 'ignored' then
    return jsonb_build_object('verdict', 'ignored');
  end if;
  return apply_parked_webhook(p_provider, p_account, p_event);
end
$$;

-- `payload` is our own reading of the event, never the provider's document:
-- {outcome: charge_succeeded | charge_failed | charge_cancelled | refund_succeeded | refund_failed,
--  amount?, currency?, reason?, refund?}.
create or replace function apply_parked_webhook(p_provider text, p_account text, p_event text)
returns jsonb language plpgsql as $$
declare
  e webhook_events;
  v_attempt text;
  v_order text;
  v_refund text;
  v_outcome text;
  v_result jsonb;
begin
  select * into e from webhook_events
    where provider = p_provider and account = p_account and provider_event_id = p_event
    for update;
  if e.state <> 'parked' then
    return jsonb_build_object('verdict', 'duplicate');
  end if;
  v_outcome := e.payload ->> 'outcome';
  if v_outcome like 'refund%' then
    select id, order_id into v_refund, v_order from refunds
      where id = e.payload ->> 'refund' and state <> 'created';
    if not found then
      return jsonb_build_object('verdict', 'parked');
    end if;
    v_result := record_refund_result(v_refund, substr(v_outcome, 8), e.provider_ref,
      e.payload ->> 'reason', null);
  else
    select id, order_id into v_attempt, v_order from payment_attempts
      where provider = e.provider and provider_account = e.account
        and provider_ref = e.provider_ref;
    if not found then
      return jsonb_build_object('verdict', 'parked');
    end if;
    v_result := case v_outcome
      when 'charge_succeeded' then record_attempt_success(
        v_attempt, (e.payload ->> 'amount')::bigint, e.payload ->> 'currency')
      else record_attempt_failure(
        v_attempt, coalesce(e.payload ->> 'reason', v_outcome)) end;
  end if;
  update webhook_events
    set state = 'applied', applied_at = sale_clock(),
      result = case when (v_result ->> 'changed')::boolean then v_result ->> 'state'
        else 'no change' end
    where provider = p_provider and account = p_account and provider_event_id = p_event;
  return jsonb_build_object('verdict', 'applied', 'order', v_order, 'attempt', v_attempt,
    'state', v_result ->> 'state');
end
$$;
