-- Places in one standing zone for up to 100 people at once: one lock of the hot row for all of them.
-- Each request is judged by itself in the order given (first fit); each gets its own verdict, in that
-- order. At most one request per account. Add-ons only in a batch of one, since the stock of an
-- add-on is judged under its own lock.
--   p_requests  [{hold, who, quantity, addons?, idem?}]
create or replace function hold_zone_batch(p_event text, p_zone text, p_requests jsonb)
returns jsonb
language plpgsql volatile as $$
declare
  c_requests_max constant integer := 100;
  v_count integer := jsonb_array_length(p_requests);
  v_verdicts jsonb[] := array_fill(null::jsonb, array[v_count]);
  v_requests jsonb[] := array_fill(null::jsonb, array[v_count]);
  v_judged jsonb[] := array_fill(null::jsonb, array[v_count]);
  v_addons jsonb := '[]';
  v_own_due text[] := '{}';
  v_accounts text[] := '{}';
  v_units integer[] := '{}';
  v_freed text[];
  v_due record;
  v_free integer;
  v_ask jsonb;
  v_n integer;
begin
  if v_count < 1 or v_count > c_requests_max then
    raise exception 'a batch has 1 to % requests', c_requests_max;
  end if;
  if (select count(distinct r -> 'who' ->> 'account') from jsonb_array_elements(p_requests) r) < v_count
  then
    raise exception 'a batch has at most one request per account';
  end if;
  if not exists (
    select 1 from zones z where z.event_id = p_event and z.zone_id = p_zone and z.kind = 'standing')
  then
    return (select jsonb_agg(case
        when exists (select 1 from events e where e.event_id = p_event)
        then '{"result": "unknown_zone"}'::jsonb else '{"result": "unknown_event"}'::jsonb end)
      from generate_series(1, v_count));
  end if;

  -- Two batches may share people: locked in the order of what is locked, never of arrival.
  perform lock_person(p_event, a.account)
  from (select r -> 'who' ->> 'account' as account from jsonb_array_elements(p_requests) r
    order by hashtext(r -> 'who' ->> 'account')) a;
  for i in 1 .. v_count loop
    v_ask := p_requests -> (i - 1);
    if v_count = 1 then
      v_addons := canonical_addons(v_ask -> 'addons');
    elsif jsonb_array_length(coalesce(v_ask -> 'addons', '[]')) > 0 then
      raise exception 'add-ons only in a batch of one';
    end if;
    v_n := (v_ask ->> 'quantity')::integer;
    v_requests[i] := jsonb_build_object('zone', p_zone, 'quantity', v_n, 'addons', v_addons);
    v_judged[i] := judge_hold(p_event, v_ask -> 'who', v_requests[i], v_n, nullif(v_ask -> 'idem', 'null'));
    if v_judged[i] ? 'verdict' then
      v_verdicts[i] := v_judged[i] -> 'verdict';
    else
      v_own_due := v_own_due || array(select jsonb_array_elements_text(v_judged[i] -> 'own_due'));
    end if;
  end loop;

  perform lock_inventory(p_event, v_own_due, '{}', '{}', '{}', array[p_zone], addon_keys(v_addons));
  if cardinality(still_due(p_event, v_own_due)) < cardinality(v_own_due) then
    return (select jsonb_agg('{"result": "conflict_retry"}'::jsonb) from generate_series(1, v_count));
  end if;
  select o_accounts, o_units, o_seats into v_accounts, v_units, v_freed
  from end_lines(p_event, v_own_due, 'taken');
  select * into v_due from expire_due(p_event, '{}', '{}', array[p_zone], addon_keys(v_addons));
  v_accounts := v_accounts || v_due.o_accounts;
  v_units := negated(v_units || v_due.o_units);
  select z.capacity - z.held - z.sold into v_free
  from zones z where z.event_id = p_event and z.zone_id = p_zone;

  for i in 1 .. v_count loop
    continue when v_verdicts[i] is not null;
    v_ask := p_requests -> (i - 1);
    v_n := (v_ask ->> 'quantity')::integer;
    if v_n > v_free then
      v_verdicts[i] := jsonb_build_object('result', 'sold_out', 'available', v_free);
      continue;
    end if;
    v_verdicts[i] := judge_addons(p_event, v_addons);
    continue when v_verdicts[i] is not null;
    v_verdicts[i] := jsonb_build_object('result', 'held', 'hold', make_hold(
      p_event, v_ask ->> 'hold', v_ask -> 'who', v_requests[i], v_judged[i],
      '{}', p_zone, v_n, v_addons, null));
    v_free := v_free - v_n;
    v_accounts := v_accounts || (v_ask -> 'who' ->> 'account');
    v_units := v_units || v_n;
  end loop;
  perform move_counters(p_event, v_accounts, v_units, zeros(v_units));
  perform end_holds(p_event, v_own_due, 'expired');
  for i in 1 .. v_count loop
    v_verdicts[i] := record_verdict(
      nullif(p_requests -> (i - 1) -> 'idem', 'null'), v_verdicts[i]);
  end loop;
  if cardinality(v_freed) > 0 then
    v_verdicts[1] := v_verdicts[1] || jsonb_build_object('freed', to_jsonb(v_freed));
  end if;
  return to_jsonb(v_verdicts);
end
$$;
