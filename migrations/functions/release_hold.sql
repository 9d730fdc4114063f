-- The owner gives a hold back. A stranger gets `not_found`. What has ended already by release or time
-- is `released` again; while a payment is under way nobody may let the seats go.
create or replace function release_hold(p_event text, p_hold text, p_account text) returns jsonb
language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
  v_hold holds;
begin
  select * into v_hold from holds h
  where h.event_id = p_event and h.id = p_hold and h.account = p_account;
  if not found then
    return '{"result": "not_found"}';
  end if;
  perform lock_inventory(p_event, array[p_hold]);
  -- Read again under the locks: a payment may have begun meanwhile.
  select * into v_hold from holds h where h.event_id = p_event and h.id = p_hold;
  if v_hold.state = 'sold' then
    return '{"result": "hold_not_live"}';
  elsif v_hold.paying_until > sale_clock() then
    return '{"result": "attempt_in_flight"}';
  elsif v_hold.state <> 'live' then
    return '{"result": "released"}';
  end if;
  return release_lines(p_event, p_hold,
    case when v_hold.expires_at <= sale_clock() then 'taken' else 'released' end);
end
$$;
