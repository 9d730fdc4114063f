-- Places in one standing zone for up to 100 people at once: one lock of the hot row for all of them.
-- Each request is judged by itself in the order given (first fit); each gets its own verdict, in that
-- order. At most one request per account. Add-ons only in a batch of one, since the stock of an
-- add-on is judged under its own lock.
--   p_requests  [{hold, who, quantity, addons?, idem?}]
create or replace function hold_zone_batch(p_event text, p_zone text, p_requests jsonb)
returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  c_requests_max constant integer := 100;
  v_count integer := jsonb_array_length(p_requests);
  v_asks jsonb[] := array(select jsonb_array_elements(p_requests));
  v_addons jsonb := case when v_count = 1 then canonical_addons(v_asks[1] -> 'addons') else '[]' end;
  v_judged jsonb[];
  v_verdicts jsonb[];
  v_own_due text[] := '{}';
  v_accounts text[];
  v_units integer[];
  v_freed text[];
  v_due record;
  v_free integer;
  v_refusal jsonb;
  v_accepted integer[] := '{}';
  v_n integer;
begin
  if v_count < 1 or v_count > c_requests_max then
    raise exception 'a batch has 1 to % requests', c_requests_max;
  end if;
  if (select count(distinct a -> 'who' ->> 'account') from unnest(v_asks) a) < v_count then
    raise exception 'a batch has at most one request per account';
  end if;
  if v_count > 1 and exists (
    select 1 from unnest(v_asks) a where jsonb_array_length(coalesce(a -> 'addons', '[]')) > 0)
  then
    raise exception 'add-ons only in a batch of one';
  end if;
  -- Two batches may share people: locked in the order of what is locked, never of arrival.
  perform pg_advisory_xact_lock(hashtext(p_event), a.lock)
  from (select hashtext(a -> 'who' ->> 'account') as lock from unnest(v_asks) a order by 1) a;
  v_asks := array(
    select a || jsonb_build_object('units', a -> 'quantity', 'request', jsonb_build_object(
      'zone', p_zone, 'quantity', a -> 'quantity', 'addons', v_addons))
    from unnest(v_asks) with ordinality t (a, n) order by n);
  v_judged := judge_holds(p_event, v_asks);
  select array_agg(j -> 'verdict' order by n) into v_verdicts
  from unnest(v_judged) with ordinality t (j, n);
  v_own_due := array(
    select jsonb_array_elements_text(j -> 'own_due') from unnest(v_judged) j where j ? 'own_due');

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
  from zones z where z.event_id = p_event and z.zone_id = p_zone and z.kind = 'standing';
  v_refusal := case when v_free is null then '{"result": "unknown_zone"}'
    else judge_addons(p_event, v_addons) end;
  for i in 1 .. v_count loop
    continue when v_verdicts[i] is not null;
    v_n := (v_asks[i] ->> 'quantity')::integer;
    if v_refusal is not null then
      v_verdicts[i] := v_refusal;
    elsif v_n > v_free then
      v_verdicts[i] := jsonb_build_object('result', 'sold_out', 'available', v_free);
    else
      v_free := v_free - v_n;
      v_accepted := v_accepted || i;
      v_accounts := v_accounts || (v_asks[i] -> 'who' ->> 'account');
      v_units := v_units || v_n;
    end if;
  end loop;
  if cardinality(v_accepted) > 0 then
    v_verdicts := make_zone_holds(p_event, p_zone, v_asks, v_judged, v_verdicts, v_accepted, v_addons);
  end if;
  perform move_counters(p_event, v_accounts, v_units, zeros(v_units));
  perform end_holds(p_event, v_own_due, 'expired');
  for i in 1 .. v_count loop
    if v_asks[i] -> 'idem' is not null then
      v_verdicts[i] := record_verdict(nullif(v_asks[i] -> 'idem', 'null'), v_verdicts[i]);
    end if;
  end loop;
  if cardinality(v_freed) > 0 then
    v_verdicts[1] := v_verdicts[1] || jsonb_build_object('freed', to_jsonb(v_freed));
  end if;
  return to_jsonb(v_verdicts);
end
$$;

-- Writes the accepted holds of a batch, all in one statement, then moves the zone once. The caller
-- holds the zone's lock and has counted. Returns the verdicts with theirs filled in.
create or replace function make_zone_holds(
  p_event text, p_zone text, p_asks jsonb[], p_judged jsonb[], p_verdicts jsonb[],
  p_accepted integer[], p_addons jsonb
) returns jsonb[]
language plpgsql volatile as $$
declare
  c_lifetime constant interval := interval '30 minutes';
  v_now timestamptz := sale_clock();
  v_price bigint;
  v_currency text := p_judged[p_accepted[1]] ->> 'currency';
  v_addons_total bigint := 0;
  v_addons jsonb := '{"lines": []}';
  v_quantity integer;
  v_until timestamptz;
begin
  select z.price into v_price from zones z where z.event_id = p_event and z.zone_id = p_zone;
  if p_addons <> '[]' then
    select sum(a.price * w.quantity) into v_addons_total
    from jsonb_to_recordset(p_addons) as w (id text, variant text, quantity integer)
    join addons a on a.event_id = p_event and a.addon_id = w.id and a.variant = w.variant;
  end if;
  with made as (
    select p_asks[i] ->> 'hold' as id, p_asks[i] -> 'who' as who, p_asks[i] -> 'request' as request,
           (p_asks[i] ->> 'quantity')::integer as quantity,
           v_now + (p_judged[i] ->> 'ttl_ms')::integer * interval '1 millisecond' as until
    from unnest(p_accepted) i
  ), hold as (
    insert into holds (event_id, id, place, account, jkt, request, total_amount, currency, units,
      expires_at, cap_at, created_at)
    select p_event, id, who ->> 'place', who ->> 'account', who ->> 'jkt', request,
           v_price * quantity + v_addons_total, v_currency, quantity, until, v_now + c_lifetime, v_now
    from made
  ), counter as (
    insert into purchase_counters (event_id, account)
    select p_event, who ->> 'account' from made order by who ->> 'account'
    on conflict (event_id, account) do nothing
  ), line as (
    insert into hold_zones (event_id, hold_id, zone_id, quantity, price, held_until)
    select p_event, id, p_zone, quantity, v_price, until from made
  )
  select sum(quantity), min(until) into v_quantity, v_until from made;
  update zones z
  set held = z.held + v_quantity, version = nextval('inventory_version'), updated_at = v_now
  where z.event_id = p_event and z.zone_id = p_zone and z.held + z.sold + v_quantity <= z.capacity;
  if not found then
    raise exception 'zone % was full under its lock', p_zone;
  end if;
  if p_addons <> '[]' then
    v_addons := take_addons(p_event, p_asks[p_accepted[1]] ->> 'hold', p_addons, v_currency, v_until);
  end if;
  for k in 1 .. cardinality(p_accepted) loop
    p_verdicts[p_accepted[k]] := jsonb_build_object('result', 'held', 'hold', hold_document(
      p_event, p_asks[p_accepted[k]] ->> 'hold', '[]',
      jsonb_build_array(zone_line(
        p_zone, (p_asks[p_accepted[k]] ->> 'quantity')::integer, v_price, v_currency)),
      v_addons -> 'lines',
      v_price * (p_asks[p_accepted[k]] ->> 'quantity')::integer + v_addons_total,
      v_currency,
      v_now + (p_judged[p_accepted[k]] ->> 'ttl_ms')::integer * interval '1 millisecond',
      null));
  end loop;
  return p_verdicts;
end
$$;
