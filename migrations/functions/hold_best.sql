-- The best seats for a party within a section, a zone or the house. Verdicts as of `hold_seats`, and
-- `sold_out` (fewer free than asked for), `seats_unavailable` (enough, but not together),
-- unknown_section, unknown_zone, and `contended`: rows that would do are locked by others just now.
-- Then it is asked again with `p_waits` 1, 2, 3: it waits for up to eight of them, and with 3 it rather
-- splits the party than sends it away.
--   p_best  {quantity, section?, zone?, together?, accessible?}
create or replace function hold_best(
  p_event text,
  p_hold text,
  p_who jsonb,
  p_best jsonb,
  p_addons jsonb default '[]',
  p_idem jsonb default null,
  p_waits integer default 0
) returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  c_rows_waited constant integer := 8;
  c_waits_max constant integer := 3;
  v_account text := p_who ->> 'account';
  v_n integer := (p_best ->> 'quantity')::integer;
  v_section text := p_best ->> 'section';
  v_zone text := p_best ->> 'zone';
  v_accessible boolean := coalesce((p_best ->> 'accessible')::boolean, false);
  v_addons jsonb := canonical_addons(p_addons);
  v_addon_keys text[] := addon_keys(v_addons);
  v_request jsonb := jsonb_build_object('best', p_best, 'addons', v_addons);
  v_now timestamptz := sale_clock();
  v_judged jsonb;
  v_verdict jsonb;
  v_own_due text[];
  v_sections text[] := '{}';
  v_rows text[] := '{}';
  v_accounts text[];
  v_units integer[];
  v_freed text[];
  v_due record;
  v_found record;
begin
  perform lock_person(p_event, v_account);
  v_judged := (judge_holds(p_event, array[jsonb_build_object('who', p_who, 'request', v_request,
    'units', v_n, 'idem', p_idem)]))[1];
  if v_judged ? 'verdict' then
    return record_verdict(p_idem, v_judged -> 'verdict');
  end if;
  if v_section is not null and not exists (
    select 1 from sections s where s.event_id = p_event and s.section_id = v_section)
  then
    return record_verdict(p_idem, '{"result": "unknown_section"}');
  end if;
  if v_zone is not null and not exists (
    select 1 from zones z where z.event_id = p_event and z.zone_id = v_zone and z.kind = 'seated')
  then
    return record_verdict(p_idem, '{"result": "unknown_zone"}');
  end if;

  if p_waits > 0 then
    select coalesce(array_agg(c.section_id), '{}'), coalesce(array_agg(c.row_id), '{}')
    into v_sections, v_rows
    from (
      select r.section_id, r.row_id from rows r
      where r.event_id = p_event
        and (v_section is null or r.section_id = v_section)
        and (v_zone is null or r.zone_id = v_zone)
        and (r.free > 0 or (v_accessible and r.free_accessible > 0) or r.due_at <= v_now)
      order by r.longest >= v_n desc, r.rank
      limit c_rows_waited
    ) c;
  end if;
  v_own_due := array(select jsonb_array_elements_text(v_judged -> 'own_due'));
  perform lock_inventory(p_event, v_own_due, '{}', v_sections, v_rows, '{}', v_addon_keys);
  if cardinality(still_due(p_event, v_own_due)) < cardinality(v_own_due) then
    return '{"result": "conflict_retry"}';
  end if;
  select o_accounts, o_units, o_seats into v_accounts, v_units, v_freed
  from end_lines(p_event, v_own_due, 'taken');
  select * into v_due from expire_due(p_event, '{}', '{}', '{}', v_addon_keys);
  v_accounts := v_accounts || v_due.o_accounts;
  v_units := v_units || v_due.o_units;

  v_verdict := judge_addons(p_event, v_addons);
  if v_verdict is null then
    select * into v_found from find_seats(p_event, v_n, v_section, v_zone,
      coalesce((p_best ->> 'together')::boolean, false), v_accessible,
      p_waits >= c_waits_max);
    v_accounts := v_accounts || v_found.o_accounts;
    v_units := v_units || v_found.o_units;
    v_freed := v_freed || v_found.o_freed;
    v_verdict := v_found.o_refusal;
  end if;
  v_units := negated(v_units);
  if v_verdict is null then
    v_verdict := jsonb_build_object('result', 'held', 'hold', make_hold(
      p_event, p_hold, p_who, v_request, v_judged, v_found.o_seats, v_addons,
      v_found.o_adjacent));
    v_accounts := v_accounts || v_account;
    v_units := v_units || v_n;
    v_freed := array(select f from unnest(v_freed) f where f <> all (v_found.o_seats));
  end if;
  perform move_counters(p_event, v_accounts, v_units, zeros(v_units));
  perform end_holds(p_event, v_own_due, 'expired');
  v_verdict := record_verdict(p_idem, v_verdict);
  return case when cardinality(v_freed) > 0
    then v_verdict || jsonb_build_object('freed', to_jsonb(v_freed)) else v_verdict end;
end
$$;
