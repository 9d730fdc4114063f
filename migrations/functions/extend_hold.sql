-- More time for a hold whose owner asks for it: once, as long again as it was made for, never past its
-- thirty minutes. Asked again it answers the same and moves nothing. The gate is told, so that the slot
-- lasts as long as the hold.
-- Answers `{result: "extended" | "same", hold}` | `hold_expired` | `hold_not_live` | `not_found`.
create or replace function extend_hold(p_event text, p_hold text, p_account text, p_jti text)
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
  v_now timestamptz;
  v_hold holds;
  v_until timestamptz;
begin
  select * into v_hold from holds h
  where h.event_id = p_event and h.id = p_hold and h.account = p_account;
  if not found then
    return '{"result": "not_found"}';
  end if;
  perform lock_inventory(p_event, array[p_hold]);
  v_now := sale_clock();
  -- Read again under the locks: it may have ended meanwhile, or a payment may have begun.
  select * into v_hold from holds h where h.event_id = p_event and h.id = p_hold for update;
  if v_hold.state in ('released', 'sold') then
    return '{"result": "hold_not_live"}';
  elsif v_hold.state <> 'live' or greatest(v_hold.expires_at, v_hold.paying_until) <= v_now then
    return '{"result": "hold_expired"}';
  end if;
  v_until := least(v_hold.cap_at,
    greatest(v_hold.expires_at, v_now) + (v_hold.expires_at - v_hold.created_at));
  if v_hold.extended_at is not null or v_until <= v_hold.expires_at then
    return jsonb_build_object('result', 'same', 'hold', hold_view(p_event, p_hold));
  end if;
  update seats s set held_until = v_until, updated_at = v_now
  where s.event_id = p_event and s.hold_id = p_hold and s.status = 'held';
  update hold_zones l set held_until = v_until
  where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live';
  update hold_addons l set held_until = v_until
  where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live';
  perform refresh_rows(p_event, array(
    select l.seat_id from hold_seats l
    where l.event_id = p_event and l.hold_id = p_hold and l.state = 'live'));
  update holds h set expires_at = v_until, extended_at = v_now
  where h.event_id = p_event and h.id = p_hold;
  insert into outbox (id, event_id, kind, payload)
  values ('out_' || gen_random_uuid(), p_event, 'hold.extended', jsonb_build_object(
    'hold', p_hold, 'event', p_event, 'place', v_hold.place, 'jti', p_jti,
    'untilMs', floor(extract(epoch from v_until) * 1000)));
  return jsonb_build_object('result', 'extended', 'hold', hold_view(p_event, p_hold));
end
$$;
