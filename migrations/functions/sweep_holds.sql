-- Events that have due holds, and how many; the sweeper calls `sweep_holds` for each.
create or replace function due_events(p_limit integer)
returns table (event_id text, due bigint)
language plpgsql volatile as $$
declare
  v_now timestamptz := sale_clock();
begin
  return query
    select h.event_id, count(*) from holds h
    where h.state = 'live' and h.expires_at <= v_now
      and (h.paying_until is null or h.paying_until <= v_now)
    group by h.event_id order by h.event_id limit p_limit;
end
$$;

-- Ends up to `p_limit` due holds of one event. Nothing waits for it: every hold function takes back
-- what is due in its own way. `{swept, freed: [seat ids], zones: [zone ids]}`.
create or replace function sweep_holds(p_event text, p_limit integer) returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  v_now timestamptz := sale_clock();
  v_holds text[];
  v_accounts text[];
  v_units integer[];
  v_freed text[];
begin
  v_holds := array(
    select h.id from holds h
    where h.event_id = p_event and h.state = 'live' and h.expires_at <= v_now
      and (h.paying_until is null or h.paying_until <= v_now)
    order by h.expires_at
    limit p_limit);
  if cardinality(v_holds) = 0 then
    return '{"swept": 0, "freed": [], "zones": []}';
  end if;
  perform lock_inventory(p_event, v_holds);
  -- Under the locks again: a payment may have begun meanwhile.
  v_holds := still_due(p_event, v_holds);
  select o_accounts, o_units, o_seats into v_accounts, v_units, v_freed
  from end_lines(p_event, v_holds, 'taken');
  perform move_counters(p_event, v_accounts, negated(v_units), zeros(v_units));
  perform end_holds(p_event, v_holds, 'expired');
  return jsonb_build_object(
    'swept', cardinality(v_holds),
    'freed', to_jsonb(v_freed),
    'zones', (select coalesce(jsonb_agg(distinct l.zone_id), '[]') from hold_zones l
      where l.event_id = p_event and l.hold_id = any (v_holds)));
end
$$;
