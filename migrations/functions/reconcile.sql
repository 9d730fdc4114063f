-- Three books compared: the provider's settlement lines, our attempts and refunds, our orders and
-- seats. Everything here may be run again: lines and discrepancies are found a second time, not made.

-- Lines as the provider's file has them.
create or replace function import_settlement(
  p_provider text, p_account text, p_day date, p_lines jsonb
) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  insert into settlement_lines (provider, provider_account, line_id, day, kind, provider_ref,
      order_ref, amount, currency, occurred_at)
    select p_provider, p_account, l.id, p_day, l.kind, l.ref, l."order", l.amount, l.currency, l.at
    from jsonb_to_recordset(p_lines) as l (id text, kind text, ref text, "order" text,
      amount bigint, currency text, at timestamptz)
    on conflict (provider, provider_account, line_id) do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

create or replace function begin_reconciliation(p_run text, p_provider text, p_day date)
returns void language sql as $$
  insert into reconciliation_runs (id, provider, day) values (p_run, p_provider, p_day)
$$;

-- Finds what differs for the day from `p_from` to `p_to` and writes it down, once each. Attempts and
-- refunds are looked for with an hour's grace, so that a charge at 23:59 that we recorded at 00:00,
-- or the other way round, is in the lines of the day before or of this one. Returns how many of each
-- class are new.
create or replace function find_discrepancies(
  p_run text, p_provider text, p_account text, p_day date, p_from timestamptz, p_to timestamptz
) returns jsonb language plpgsql
-- Whole books against whole books: a plan made for a table that was small yesterday and loops over
-- it would take minutes (tried: more than 55 s for 10,000 payments, against 2 s).
set enable_nestloop = off
as $$
declare
  c_grace constant interval := interval '1 hour';
  v_counts jsonb;
begin
  with lines as (
    select * from settlement_lines
      where provider = p_provider and provider_account = p_account and day = p_day
  ), charges as (
    select l.*, a.id as attempt_id, a.order_id, a.state, a.amount as asked,
        a.currency as asked_currency
      from lines l
      left join payment_attempts a on a.provider = l.provider
        and a.provider_account = l.provider_account and a.provider_ref = l.provider_ref
      where l.kind = 'charge'
  ), found (class, reference, attempt_id, order_id, details) as (
    select 'unknown_charge', provider_ref, attempt_id, coalesce(order_id, order_ref),
        jsonb_build_object('amount', amount, 'currency', currency, 'state', state)
      from charges where attempt_id is null or state in ('created', 'sent', 'unknown')
    union all
    select 'ghost_charge', provider_ref, attempt_id, order_id,
        jsonb_build_object('amount', amount, 'currency', currency)
      from charges where state = 'failed'
    union all
    select 'amount_differs', provider_ref, attempt_id, order_id,
        jsonb_build_object('asked', asked, 'askedCurrency', asked_currency, 'charged', amount,
          'chargedCurrency', currency)
      from charges where attempt_id is not null
        and (asked <> amount or asked_currency <> currency)
    union all
    select 'missing_charge', a.provider_ref, a.id, a.order_id,
        jsonb_build_object('amount', a.captured_amount, 'currency', a.captured_currency)
      from payment_attempts a
      where a.provider = p_provider and a.provider_account = p_account and a.state = 'succeeded'
        and a.ended_at >= p_from - c_grace and a.ended_at < p_to - c_grace
        and not exists (select 1 from settlement_lines l
          where l.provider = p_provider and l.provider_account = p_account
            and l.provider_ref = a.provider_ref and l.kind = 'charge')
    union all
    -- Two charges of one order, neither of which is on its way back.
    select 'double_charge', min(a.order_id), null, a.order_id,
        jsonb_build_object('charges', jsonb_agg(a.provider_ref order by a.provider_ref))
      from payment_attempts a
      where a.state = 'succeeded' and a.provider = p_provider
        and a.order_id in (select order_id from charges where order_id is not null)
        and a.captured_amount > coalesce((select sum(r.amount) from refunds r
          where r.attempt_id = a.id and r.state <> 'failed'), 0)
      group by a.order_id having count(*) > 1
    union all
    select 'refund_mismatch', l.line_id, r.attempt_id, r.order_id,
        jsonb_build_object('amount', l.amount, 'currency', l.currency, 'state', r.state,
          'recorded', r.amount, 'refund', r.id)
      from lines l
      left join refunds r on r.provider_ref = l.line_id
      where l.kind = 'refund' and (r.id is null or r.state <> 'succeeded'
        or r.amount <> l.amount or r.currency <> l.currency)
    union all
    select 'refund_mismatch', coalesce(r.provider_ref, r.id), r.attempt_id, r.order_id,
        jsonb_build_object('amount', r.amount, 'currency', r.currency, 'state', r.state,
          'refund', r.id)
      from refunds r join payment_attempts a on a.id = r.attempt_id
      where a.provider = p_provider and r.state = 'succeeded'
        and r.ended_at >= p_from - c_grace and r.ended_at < p_to - c_grace
        and not exists (select 1 from settlement_lines l
          where l.provider = p_provider and l.line_id = r.provider_ref)
    union all
    select 'seat_without_order', s.event_id || '/' || s.seat_id, null, s.order_id,
        jsonb_build_object('event', s.event_id, 'seat', s.seat_id)
      from seats s left join orders o on o.id = s.order_id
      where s.status = 'sold' and (o.id is null or o.state not in ('paid', 'part_refunded'))
    union all
    select 'order_without_tickets', o.id, null, o.id, jsonb_build_object('event', o.event_id)
      from orders o
      where o.state = 'paid' and exists (
          select 1 from order_lines l where l.order_id = o.id and l.kind in ('seat', 'zone'))
        and not exists (select 1 from tickets t where t.order_id = o.id)
  ), written as (
    insert into discrepancies (id, run_id, provider, day, class, reference, attempt_id, order_id,
        details)
      select 'dis_' || gen_random_uuid(), p_run, p_provider, p_day, class, reference, attempt_id,
        order_id, details
      from found
      on conflict (provider, day, class, reference) do nothing
      returning class
  )
  select coalesce(jsonb_object_agg(class, n), '{}') into v_counts
    from (select class, count(*) as n from written group by class) x;
  return v_counts;
end
$$;

create or replace function end_discrepancy(p_id text, p_state text, p_repair text)
returns void language sql as $$
  update discrepancies
    set state = p_state, repair = p_repair,
      ended_at = case when p_state = 'repaired' then sale_clock() end
    where id = p_id and state in ('open', 'repairing', 'queued')
$$;

-- The day's numbers stay, so that a trend can be seen.
create or replace function end_reconciliation(p_run text, p_error text) returns jsonb
language plpgsql as $$
declare
  v_counts jsonb;
begin
  select coalesce(jsonb_object_agg(class, jsonb_build_object('found', n, 'repaired', repaired,
      'queued', queued)), '{}')
    into v_counts
    from (
      select d.class, count(*) as n, count(*) filter (where d.state = 'repaired') as repaired,
        count(*) filter (where d.state in ('open', 'queued')) as queued
      from discrepancies d join reconciliation_runs r on r.provider = d.provider and r.day = d.day
      where r.id = p_run group by d.class) x;
  update reconciliation_runs
    set state = case when p_error is null then 'done' else 'failed' end, error = p_error,
      counts = v_counts, ended_at = sale_clock()
    where id = p_run;
  return v_counts;
end
$$;
