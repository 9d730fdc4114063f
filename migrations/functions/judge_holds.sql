-- What people may do, judged under each person's lock and before any other: a recorded reply to the
-- same Idempotency-Key, the admission, the sale window, a hold that lives already, the limits.
-- One read for any number of requests, since a combined batch has a hundred of them.
--   p_requests  [{who: {place, account, gen, jkt?, iat: ms}, request, units, idem?: {scope, key, hash, requestId}}]
-- Answers in the same order `{verdict}` where that decides the request, else
-- `{ttl_ms, currency, own_due: [hold ids]}`.
create or replace function judge_holds(p_event text, p_requests jsonb[]) returns jsonb[]
language plpgsql volatile as $$
declare
  -- Longer than any hold can live, so that it also covers every living hold.
  c_window constant interval := interval '2 hours';
  c_ttl_min_ms constant integer := 60000;
  v_now timestamptz := sale_clock();
  v_event events;
  v_fact record;
  v_own integer;
  v_judged jsonb[] := '{}';
  v_verdict jsonb;
  v_arrivals boolean := false;
begin
  select * into v_event from events e where e.event_id = p_event;
  if not found then
    return array_fill('{"verdict": {"result": "unknown_event"}}'::jsonb,
      array[cardinality(p_requests)]);
  end if;
  for v_fact in
    select q.who ->> 'account' as account, coalesce((q.who ->> 'gen')::bigint, 0) as gen,
           to_timestamp((q.who ->> 'iat')::numeric / 1000) as issued_at,
           q.request, q.units, q.idem ->> 'hash' as hash,
           k.request_hash, k.verdict,
           a.gen as known_gen,
           a.closed_at is not null and a.gen >= coalesce((q.who ->> 'gen')::bigint, 0) as closed,
           c.held + c.sold as counted,
           h.live, h.first, h.same, h.own_due, h.abandoned
    from (
      select n, r -> 'who' as who, r -> 'request' as request, (r ->> 'units')::integer as units,
             r -> 'idem' as idem
      from unnest(p_requests) with ordinality t (r, n)
    ) q
    left join lateral (
      select i.request_hash, i.verdict from idempotency_keys i
      where i.scope = q.idem ->> 'scope' and i.key = q.idem ->> 'key' limit 1
    ) k on true
    left join lateral (
      select d.gen, d.closed_at from admissions d
      where d.event_id = p_event and d.place = q.who ->> 'place' limit 1
    ) a on true
    left join lateral (
      select p.held, p.sold from purchase_counters p
      where p.event_id = p_event and p.account = q.who ->> 'account' limit 1
    ) c on true
    cross join lateral (
      select count(*) filter (where o.state = 'live' and not o.due) as live,
             min(o.id) filter (where o.state = 'live' and not o.due) as first,
             min(o.id) filter (where o.state = 'live' and not o.due and o.request = q.request) as same,
             coalesce(array_agg(o.id) filter (where o.state = 'live' and o.due), '{}') as own_due,
             count(*) filter (where o.state = 'expired' or o.state = 'live' and o.due) as abandoned
      from (
        select d.id, d.state, d.request, greatest(d.expires_at, d.paying_until) <= v_now as due
        from holds d
        where d.event_id = p_event and d.account = q.who ->> 'account'
          and d.created_at > v_now - c_window
      ) o
    ) h
    order by q.n
  loop
    v_own := coalesce(v_fact.counted, 0);
    if v_own + v_fact.units > v_event.per_account_max and cardinality(v_fact.own_due) > 0 then
      v_own := v_own - living_units(p_event, v_fact.own_due);
    end if;
    v_verdict := case
      when v_fact.request_hash is not null then
        case when v_fact.request_hash = v_fact.hash then v_fact.verdict || '{"replayed": true}'
        else '{"result": "idempotency_key_reused"}'::jsonb end
      when v_fact.closed or v_fact.gen < v_fact.known_gen
        or v_fact.issued_at < v_event.admissions_not_before
        then '{"result": "admission_closed"}'
      when v_now < v_event.sale_opens_at
        then jsonb_build_object('result', 'sale_not_open', 'opensAt', iso_time(v_event.sale_opens_at))
      when v_event.state = 'cancelled' or v_now >= v_event.sale_closes_at
        then '{"result": "sale_closed"}'
      -- Who may have several holds may ask twice for two of the best; chosen seats are the same.
      when v_fact.same is not null
        and (v_fact.request ? 'seats' or v_fact.live >= v_event.holds_per_person)
        then jsonb_build_object('result', 'same', 'hold', hold_view(p_event, v_fact.same))
      when v_fact.live >= v_event.holds_per_person
        then jsonb_build_object('result', 'hold_exists', 'hold', v_fact.first)
      when v_fact.units > v_event.per_order_max
        then jsonb_build_object(
          'result', 'limit_exceeded', 'limit', 'order', 'max', v_event.per_order_max)
      -- Only this person's own acts raise the counter, and they wait for the person's lock; so a
      -- plain read is an upper bound.
      when v_own + v_fact.units > v_event.per_account_max
        then jsonb_build_object(
          'result', 'limit_exceeded', 'limit', 'account', 'max', v_event.per_account_max,
          'remaining', greatest(0, v_event.per_account_max - v_own))
    end;
    v_arrivals := v_arrivals or v_fact.known_gen is null or v_fact.known_gen < v_fact.gen;
    v_judged := v_judged || case
      when v_verdict is not null then jsonb_build_object('verdict', v_verdict)
      -- Denial of inventory: the first abandoned hold is forgiven, each further one halves the next.
      else jsonb_build_object(
        'ttl_ms', greatest(c_ttl_min_ms,
          v_event.hold_ms >> least(10, greatest(0, v_fact.abandoned - 1))::integer),
        'currency', v_event.currency,
        'own_due', to_jsonb(v_fact.own_due)) end;
  end loop;

  if v_arrivals then
    insert into admissions as a (event_id, place, gen, jkt, first_used_at)
    select distinct on (r -> 'who' ->> 'place')
           p_event, r -> 'who' ->> 'place', coalesce((r -> 'who' ->> 'gen')::bigint, 0),
           r -> 'who' ->> 'jkt', v_now
    from unnest(p_requests) r
    order by r -> 'who' ->> 'place', coalesce((r -> 'who' ->> 'gen')::bigint, 0) desc
    on conflict (event_id, place) do update
    set gen = excluded.gen, jkt = excluded.jkt, closed_at = null,
        first_used_at = coalesce(a.first_used_at, excluded.first_used_at)
    where a.gen < excluded.gen;
  end if;
  return v_judged;
end
$$;

-- Units of the living lines of these holds.
create or replace function living_units(p_event text, p_holds text[]) returns integer
language sql stable as $$
  select ((select count(*) from hold_seats l
      where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live')
    + (select coalesce(sum(l.quantity), 0) from hold_zones l
      where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live'))::integer
$$;

-- Records the final answer to a key, and gives it back. Answers that may change by themselves are
-- not final. Under the person's lock, as `judge_holds` is.
create or replace function record_verdict(p_idem jsonb, p_verdict jsonb) returns jsonb
language plpgsql volatile as $$
begin
  if p_idem is not null and not p_verdict ? 'replayed' and p_verdict ->> 'result' not in (
    'unknown_event', 'admission_closed', 'sale_not_open', 'sale_closed', 'contended', 'conflict_retry',
    'idempotency_key_reused')
  then
    insert into idempotency_keys (scope, key, request_hash, state, verdict)
    values (p_idem ->> 'scope', p_idem ->> 'key', p_idem ->> 'hash', 'done',
      p_verdict || jsonb_build_object('requestId', p_idem ->> 'requestId'))
    on conflict (scope, key) do nothing;
  end if;
  return p_verdict;
end
$$;
