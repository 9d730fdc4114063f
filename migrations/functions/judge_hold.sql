-- What a person may do, judged under the person's lock and before any other: a recorded reply to the
-- same Idempotency-Key, the admission, the sale window, a hold that lives already, the limits.
-- Answers `{verdict}` when that decides the request, else `{ttl_ms, currency, own_due: [hold ids]}`.
--   p_who   {place, account, gen, jkt?, iat: milliseconds}
--   p_idem  {scope, key, hash} or null
create or replace function judge_hold(
  p_event text, p_who jsonb, p_request jsonb, p_units integer, p_idem jsonb
) returns jsonb
language plpgsql volatile as $$
declare
  c_abandoned_window constant interval := interval '2 hours';
  c_ttl_min_ms constant integer := 60000;
  v_account text := p_who ->> 'account';
  v_gen bigint := coalesce((p_who ->> 'gen')::bigint, 0);
  v_event events;
  v_now timestamptz := sale_clock();
  v_saved record;
  v_admission admissions;
  v_hold record;
  v_live integer := 0;
  v_first text;
  v_same text;
  v_own_due text[] := '{}';
  v_abandoned integer;
  v_own integer;
begin
  if p_idem is not null then
    select k.request_hash, k.verdict into v_saved
    from idempotency_keys k where k.scope = p_idem ->> 'scope' and k.key = p_idem ->> 'key';
    if found then
      return jsonb_build_object('verdict', case
        when v_saved.request_hash = p_idem ->> 'hash'
          then v_saved.verdict || '{"replayed": true}'
        else '{"result": "idempotency_key_reused", "replayed": true}'::jsonb end);
    end if;
  end if;

  select * into v_event from events e where e.event_id = p_event;
  if not found then
    return '{"verdict": {"result": "unknown_event"}}';
  end if;
  insert into admissions (event_id, place, gen, jkt, first_used_at)
  values (p_event, p_who ->> 'place', v_gen, p_who ->> 'jkt', v_now)
  on conflict (event_id, place) do nothing;
  select * into v_admission from admissions a
  where a.event_id = p_event and a.place = p_who ->> 'place';
  if v_admission.closed_at is not null or v_gen < v_admission.gen
    or to_timestamp((p_who ->> 'iat')::numeric / 1000) < v_event.admissions_not_before
  then
    return '{"verdict": {"result": "admission_closed"}}';
  end if;
  if v_gen > v_admission.gen then
    update admissions a set gen = v_gen, jkt = p_who ->> 'jkt'
    where a.event_id = p_event and a.place = p_who ->> 'place' and a.gen < v_gen;
  end if;

  if v_now < v_event.sale_opens_at then
    return jsonb_build_object('verdict', jsonb_build_object(
      'result', 'sale_not_open', 'opensAt', iso_time(v_event.sale_opens_at)));
  end if;
  if v_event.state = 'cancelled' or v_now >= v_event.sale_closes_at then
    return '{"verdict": {"result": "sale_closed"}}';
  end if;

  for v_hold in
    select h.id, h.request, greatest(h.expires_at, h.paying_until) <= v_now as due
    from holds h
    where h.event_id = p_event and h.account = v_account and h.state = 'live'
    order by h.created_at, h.id
  loop
    if v_hold.due then
      v_own_due := v_own_due || v_hold.id;
    else
      v_live := v_live + 1;
      v_first := coalesce(v_first, v_hold.id);
      if v_hold.request = p_request then
        v_same := coalesce(v_same, v_hold.id);
      end if;
    end if;
  end loop;
  -- Who may have several holds may ask twice for two of the best; the same chosen seats are the same.
  if v_same is not null and (p_request ? 'seats' or v_live >= v_event.holds_per_person) then
    return jsonb_build_object('verdict', jsonb_build_object(
      'result', 'same', 'hold', hold_view(p_event, v_same)));
  end if;
  if v_live >= v_event.holds_per_person then
    return jsonb_build_object('verdict', jsonb_build_object(
      'result', 'hold_exists', 'hold', v_first));
  end if;

  if p_units > v_event.per_order_max then
    return jsonb_build_object('verdict', jsonb_build_object(
      'result', 'limit_exceeded', 'limit', 'order', 'max', v_event.per_order_max));
  end if;
  -- Only this person's own acts raise the counter, and they wait for the person's lock; so a plain
  -- read is an upper bound. What is due of the person's own is about to be taken off.
  select coalesce(sum(c.held + c.sold), 0) into v_own
  from purchase_counters c where c.event_id = p_event and c.account = v_account;
  if v_own + p_units > v_event.per_account_max and cardinality(v_own_due) > 0 then
    v_own := v_own
      - (select count(*) from hold_seats l where l.event_id = p_event
          and l.hold_id = any (v_own_due) and l.state = 'live')
      - (select coalesce(sum(l.quantity), 0) from hold_zones l where l.event_id = p_event
          and l.hold_id = any (v_own_due) and l.state = 'live');
  end if;
  if v_own + p_units > v_event.per_account_max then
    return jsonb_build_object('verdict', jsonb_build_object(
      'result', 'limit_exceeded', 'limit', 'account', 'max', v_event.per_account_max,
      'remaining', greatest(0, v_event.per_account_max - v_own)));
  end if;

  -- Denial of inventory: the first abandoned hold is forgiven, each further one halves the next.
  select count(*) into v_abandoned
  from holds h
  where h.event_id = p_event and h.account = v_account
    and h.created_at > v_now - c_abandoned_window
    and (h.state = 'expired' or h.id = any (v_own_due));
  return jsonb_build_object(
    'ttl_ms', greatest(c_ttl_min_ms, v_event.hold_ms >> least(10, greatest(0, v_abandoned - 1))),
    'currency', v_event.currency,
    'own_due', to_jsonb(v_own_due));
end
$$;

-- Records the final answer to a key, and gives it back. Answers that may change by themselves are
-- not final. Under the person's lock, as `judge_hold` is.
create or replace function record_verdict(p_idem jsonb, p_verdict jsonb) returns jsonb
language plpgsql volatile as $$
begin
  if p_idem is not null and not p_verdict ? 'replayed' and p_verdict ->> 'result' not in (
    'unknown_event', 'admission_closed', 'sale_not_open', 'sale_closed', 'contended', 'conflict_retry')
  then
    insert into idempotency_keys (scope, key, request_hash, state, verdict)
    values (p_idem ->> 'scope', p_idem ->> 'key', p_idem ->> 'hash', 'done', p_verdict)
    on conflict (scope, key) do nothing;
  end if;
  return p_verdict;
end
$$;
