-- Holds exactly these seats for this person, all or nothing.
-- Verdicts: held | same (201, 200) · seats_unavailable {unavailable, alternatives} · unknown_seat ·
-- hold_exists {hold} · limit_exceeded · unknown_addon · addon_sold_out · companion_alone ·
-- sale_not_open {opensAt} · sale_closed · admission_closed · unknown_event · idempotency_key_reused.
-- `freed` names seats whose time was found to be over on the way.
create or replace function hold_seats(
  p_event text,
  p_hold text,
  p_who jsonb,
  p_seats text[],
  p_addons jsonb default '[]',
  p_idem jsonb default null
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
  v_account text := p_who ->> 'account';
  v_addons jsonb := canonical_addons(p_addons);
  v_addon_keys text[] := addon_keys(v_addons);
  v_request jsonb;
  v_judged jsonb;
  v_verdict jsonb;
  v_own_due text[];
  v_unknown text[];
  v_sections text[];
  v_rows text[];
  v_unavailable text[];
  v_accounts text[];
  v_units integer[];
  v_freed text[];
  v_due record;
begin
  v_request := jsonb_build_object(
    'seats', (select jsonb_agg(s order by s) from unnest(p_seats) s), 'addons', v_addons);
  perform lock_person(p_event, v_account);
  v_judged := (judge_holds(p_event, array[jsonb_build_object('who', p_who, 'request', v_request,
    'units', cardinality(p_seats), 'idem', p_idem)]))[1];
  if v_judged ? 'verdict' then
    return record_verdict(p_idem, v_judged -> 'verdict');
  end if;
  v_unknown := array(select w from unnest(p_seats) w
    where not exists (select 1 from seats s where s.event_id = p_event and s.seat_id = w));
  if cardinality(v_unknown) > 0 then
    return record_verdict(p_idem, jsonb_build_object(
      'result', 'unknown_seat', 'unknown', to_jsonb(v_unknown)));
  end if;

  v_own_due := array(select jsonb_array_elements_text(v_judged -> 'own_due'));
  perform lock_inventory(p_event, v_own_due, p_seats, '{}', '{}', '{}', v_addon_keys);
  if cardinality(still_due(p_event, v_own_due)) < cardinality(v_own_due) then
    return '{"result": "conflict_retry"}';
  end if;
  select o_accounts, o_units, o_seats into v_accounts, v_units, v_freed
  from end_lines(p_event, v_own_due, 'taken');
  select array_agg(k.section_id), array_agg(k.row_id) into v_sections, v_rows
  from (select distinct s.section_id, s.row_id from seats s
    where s.event_id = p_event and s.seat_id = any (p_seats)) k;
  select * into v_due from expire_due(p_event, v_sections, v_rows, '{}', v_addon_keys);
  v_accounts := v_accounts || v_due.o_accounts;
  v_units := negated(v_units || v_due.o_units);
  v_freed := v_freed || v_due.o_seats;

  v_unavailable := array(select s.seat_id from seats s
    where s.event_id = p_event and s.seat_id = any (p_seats) and s.status <> 'available'
    order by s.seat_id);
  if cardinality(v_unavailable) > 0 then
    v_verdict := jsonb_build_object(
      'result', 'seats_unavailable',
      'unavailable', to_jsonb(v_unavailable),
      'alternatives', find_alternatives(p_event, p_seats));
  elsif exists (
    select 1 from seats c
    where c.event_id = p_event and c.seat_id = any (p_seats) and c.kind = 'companion'
      and not exists (
        select 1 from seats a
        where a.event_id = p_event and a.seat_id = any (p_seats) and a.kind = 'accessible'
          and a.section_id = c.section_id and a.row_id = c.row_id))
  then
    v_verdict := '{"result": "companion_alone"}';
  else
    v_verdict := judge_addons(p_event, v_addons);
  end if;
  if v_verdict is null then
    v_verdict := jsonb_build_object('result', 'held', 'hold', make_hold(
      p_event, p_hold, p_who, v_request, v_judged, p_seats, v_addons, null));
    v_accounts := v_accounts || v_account;
    v_units := v_units || cardinality(p_seats);
    v_freed := array(select f from unnest(v_freed) f where f <> all (p_seats));
  end if;
  perform move_counters(p_event, v_accounts, v_units, zeros(v_units));
  perform end_holds(p_event, v_own_due, 'expired');
  v_verdict := record_verdict(p_idem, v_verdict);
  return case when cardinality(v_freed) > 0
    then v_verdict || jsonb_build_object('freed', to_jsonb(v_freed)) else v_verdict end;
end
$$;

-- Up to three groups of as many adjacent seats, in rows near the first of the wanted ones and in its
-- zone. Read without locks: an offer, not a promise.
create or replace function find_alternatives(p_event text, p_seats text[]) returns jsonb
language plpgsql volatile as $$
declare
  c_rows_around constant integer := 20;
  v_near record;
  v_groups jsonb;
begin
  select r.rank, r.zone_id, r.section_id into v_near
  from seats s
  join rows r on r.event_id = p_event and r.section_id = s.section_id and r.row_id = s.row_id
  where s.event_id = p_event and s.seat_id = p_seats[1];
  select coalesce(jsonb_agg(g.ids order by g.far, g.rank), '[]') into v_groups
  from (
    select abs(r.rank - v_near.rank) as far, r.rank, (
        select jsonb_agg(s.seat_id order by s.place) from seats s
        where s.event_id = p_event and s.section_id = r.section_id and s.row_id = r.row_id
          and s.place >= c.start and s.place < c.start + cardinality(p_seats)) as ids
    from (
      select * from rows w
      where w.event_id = p_event
        and w.rank between v_near.rank - c_rows_around and v_near.rank + c_rows_around
        and w.zone_id = v_near.zone_id and w.longest >= cardinality(p_seats)
      order by (w.section_id = v_near.section_id) desc, abs(w.rank - v_near.rank), w.rank
      limit 3
    ) r
    cross join lateral (
      select coalesce(nullif(choose_run(r.map, cardinality(p_seats), true), 0),
                      choose_run(r.map, cardinality(p_seats), false)) as start
    ) c
  ) g
  where g.ids is not null;
  return v_groups;
end
$$;
