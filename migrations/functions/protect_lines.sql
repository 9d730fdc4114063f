-- Before money moves: refuses unless every line of the hold is live, every seat still its own, and at
-- least two minutes remain to the cap; then nobody may take its units before `p_until`.
-- `{result: "protected", until}` | `hold_expired` | `hold_not_live` | `hold_too_short`.
create or replace function protect_lines(p_event text, p_hold text, p_until timestamptz)
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
  c_margin constant interval := interval '2 minutes';
  v_now timestamptz;
  v_hold holds;
  v_lines integer;
  v_seats integer;
begin
  perform lock_inventory(p_event, array[p_hold]);
  v_now := sale_clock();
  select * into v_hold from holds h where h.event_id = p_event and h.id = p_hold;
  if not found or v_hold.state in ('released', 'sold') then
    return jsonb_build_object('result', 'hold_not_live');
  end if;
  if v_hold.state = 'expired'
    or greatest(v_hold.expires_at, v_hold.paying_until) <= v_now
    or exists (select 1 from hold_seats l
      left join seats s on s.event_id = p_event and s.seat_id = l.seat_id
      where l.event_id = p_event and l.hold_id = p_hold
        and (l.state <> 'live' or s.status is distinct from 'held' or s.hold_id <> p_hold))
    or exists (select 1 from hold_zones l
      where l.event_id = p_event and l.hold_id = p_hold and l.state <> 'live')
    or exists (select 1 from hold_addons l
      where l.event_id = p_event and l.hold_id = p_hold and l.state <> 'live')
  then
    return jsonb_build_object('result', 'hold_expired');
  end if;
  if v_hold.cap_at - v_now < c_margin then
    return jsonb_build_object('result', 'hold_too_short');
  end if;
  select count(*) into v_lines from hold_seats l
  where l.event_id = p_event and l.hold_id = p_hold;
  update seats s set paying_until = p_until, updated_at = v_now
  where s.event_id = p_event and s.hold_id = p_hold and s.status = 'held';
  get diagnostics v_seats = row_count;
  if v_seats <> v_lines then
    raise exception 'hold % has % seat lines and % seats', p_hold, v_lines, v_seats;
  end if;
  update hold_zones l set paying_until = p_until
  where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live';
  update hold_addons l set paying_until = p_until
  where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live';
  update holds h set paying_until = p_until where h.event_id = p_event and h.id = p_hold;
  return jsonb_build_object('result', 'protected', 'until', iso_time(p_until));
end
$$;

-- After an attempt has failed: the hold keeps what is left of its own time.
create or replace function unprotect_lines(p_event text, p_hold text) returns void
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
begin
  perform lock_inventory(p_event, array[p_hold]);
  update seats s set paying_until = null, updated_at = sale_clock()
  where s.event_id = p_event and s.hold_id = p_hold and s.paying_until is not null;
  update hold_zones l set paying_until = null
  where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live';
  update hold_addons l set paying_until = null
  where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live';
  -- The row's `due_at` was the earlier of the two all along only if nothing rebuilt the map since.
  perform refresh_rows(p_event, array(
    select l.seat_id from hold_seats l
    where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live'));
  update holds h set paying_until = null where h.event_id = p_event and h.id = p_hold;
end
$$;
