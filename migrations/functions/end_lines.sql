-- `live → taken | released` for every living line of these holds; seats, row maps, zones and add-ons
-- follow. The caller has called `lock_inventory` for them and adds the returned units to the purchase
-- counters. A line that is no longer live is left alone, so that each unit is counted once.
create or replace function end_lines(
  p_event text,
  p_holds text[],
  p_to text,
  out o_accounts text[],
  out o_units integer[],
  out o_seats text[]
)
language plpgsql volatile as $$
declare
  v_now timestamptz := sale_clock();
begin
  if p_to not in ('taken', 'released') then
    raise exception 'a living line ends as taken or released, not as %', p_to;
  end if;
  o_accounts := '{}';
  o_units := '{}';
  o_seats := '{}';
  if cardinality(p_holds) = 0 then
    return;
  end if;
  with lines as (
    update hold_seats l
    set state = p_to
    where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live'
    returning l.hold_id, l.seat_id
  ), freed as (
    update seats s
    set status = 'available', hold_id = null, held_until = null, paying_until = null,
        version = s.version + 1, updated_at = v_now
    from lines
    where s.event_id = p_event and s.seat_id = lines.seat_id and s.hold_id = lines.hold_id
      and s.status = 'held'
    returning s.seat_id
  ), zone_lines as (
    update hold_zones l
    set state = p_to
    where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live'
    returning l.hold_id, l.zone_id, l.quantity
  ), zone_moves as (
    update zones z
    set held = z.held - t.quantity, version = nextval('inventory_version'), updated_at = v_now
    from (select zone_id, sum(quantity)::integer as quantity from zone_lines group by zone_id) t
    where z.event_id = p_event and z.zone_id = t.zone_id
  ), addon_lines as (
    update hold_addons l
    set state = p_to
    where l.event_id = p_event and l.hold_id = any (p_holds) and l.state = 'live'
    returning l.addon_id, l.variant, l.quantity
  ), addon_moves as (
    update addons a
    set held = a.held - t.quantity, version = nextval('inventory_version')
    from (
      select addon_id, variant, sum(quantity)::integer as quantity
      from addon_lines group by addon_id, variant
    ) t
    where a.event_id = p_event and a.addon_id = t.addon_id and a.variant = t.variant
  ), people as (
    select h.account, sum(u.units)::integer as units
    from (
      select hold_id, 1 as units from lines
      union all
      select hold_id, quantity from zone_lines
    ) u
    join holds h on h.event_id = p_event and h.id = u.hold_id
    group by h.account
  )
  select array(select account from people order by account),
         array(select units from people order by account),
         array(select seat_id from freed)
  into o_accounts, o_units, o_seats;
  if cardinality(o_seats) > 0 then
    perform refresh_rows(p_event, o_seats);
  end if;
  if p_to = 'taken' then
    perform tell_expired(p_event, p_holds);
  end if;
end
$$;

-- Writes the end of a hold whose lines have ended. The last lock of every function.
create or replace function end_holds(p_event text, p_holds text[], p_state text) returns void
language plpgsql volatile as $$
begin
  if cardinality(p_holds) > 0 then
    update holds h
    set state = p_state, ended_at = sale_clock()
    where h.event_id = p_event and h.state = 'live' and h.id in (
      select o.id from holds o
      where o.event_id = p_event and o.id = any (p_holds)
      order by o.id for update);
  end if;
end
$$;

-- Those of these holds that are due, read under their locks: a payment may have begun between the
-- look that named them and the locks.
create or replace function still_due(p_event text, p_holds text[]) returns text[]
language plpgsql volatile as $$
declare
  v_now timestamptz := sale_clock();
begin
  if cardinality(p_holds) = 0 then
    return p_holds;
  end if;
  return array(
    select h.id from holds h
    where h.event_id = p_event and h.id = any (p_holds)
      and greatest(h.expires_at, h.paying_until) <= v_now);
end
$$;

create or replace function negated(p_units integer[]) returns integer[]
language sql immutable as $$
  select coalesce(array_agg(-u order by n), '{}') from unnest(p_units) with ordinality t (u, n)
$$;

create or replace function zeros(p_units integer[]) returns integer[]
language sql immutable as $$
  select coalesce(array_fill(0, array[cardinality(p_units)]), '{}')
$$;

-- All of it for one hold: lock, move the lines, the counters and the hold. For callers that hold no
-- other inventory lock (an order's cancel, for example).
create or replace function release_lines(p_event text, p_hold text, p_to text default 'released')
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
  v_accounts text[];
  v_units integer[];
  v_seats text[];
begin
  perform lock_inventory(p_event, array[p_hold]);
  select o_accounts, o_units, o_seats into v_accounts, v_units, v_seats
  from end_lines(p_event, array[p_hold], p_to);
  perform move_counters(p_event, v_accounts, negated(v_units), zeros(v_units));
  perform end_holds(p_event, array[p_hold], case p_to when 'taken' then 'expired' else 'released' end);
  return jsonb_build_object('result', 'released', 'freed', to_jsonb(v_seats));
end
$$;
