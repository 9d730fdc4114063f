-- Creates an event, or changes it into what the plan says, all or nothing. What would lose something
-- held or sold is refused, naming each: `event_in_use {problems: [{what, id, why}]}`. Else
-- `{result: created | changed, seats, version}`. Where `p_version` is given and is not the event's own,
-- somebody else was faster: `{result: version_conflict, version}`.
--   p_plan  {name, venue, startsAt, saleOpensAt, saleClosesAt?, timeZone, currency, holdMs,
--            perOrderMax, perAccountMax,
--            fees?:    {perTicket, perOrder, taxBasisPoints},          none is nought
--            zones:    [{id, name, price, fee?, kind, capacity, ordinal}],
--            sections: [{id, name, ordinal}],
--            rows:     [{section, row, zone, rank, layout, numbers}],   one number for each seat
--            addons:   [{id, variant, name, price, stock, ordinal}]}
create or replace function put_event(
  p_event text, p_plan jsonb, p_actor text, p_request_id text, p_version bigint default null
) returns jsonb
language plpgsql volatile as $$
declare
  c_problems_max constant integer := 50;
  v_created boolean;
  v_sections text[];
  v_rows text[];
  v_due record;
  v_problems jsonb;
  v_seats integer;
  v_version bigint;
begin
  insert into events (event_id, name, venue, starts_at, sale_opens_at, time_zone, currency,
    per_order_max, per_account_max)
  values (p_event, '', '', 'infinity', 'infinity', 'UTC', p_plan ->> 'currency', 1, 1)
  on conflict (event_id) do nothing;
  v_created := found;
  select e.version into v_version from events e where e.event_id = p_event for no key update;
  if p_version is not null and not v_created and v_version <> p_version then
    return jsonb_build_object('result', 'version_conflict', 'version', v_version);
  end if;

  -- Every row record, then zones, then add-ons: nobody changes a unit of this event meanwhile.
  select coalesce(array_agg(r.section_id), '{}'), coalesce(array_agg(r.row_id), '{}')
  into v_sections, v_rows from rows r where r.event_id = p_event;
  perform lock_inventory(p_event, '{}', '{}', v_sections, v_rows,
    array(select z.zone_id from zones z where z.event_id = p_event),
    array(select a.addon_id || '/' || a.variant from addons a where a.event_id = p_event));
  select * into v_due from expire_due(p_event, v_sections, v_rows,
    array(select z.zone_id from zones z where z.event_id = p_event and z.held > 0),
    array(select a.addon_id || '/' || a.variant from addons a
      where a.event_id = p_event and a.held > 0));

  v_problems := plan_problems(p_event, p_plan, c_problems_max);
  if jsonb_array_length(v_problems) > 0 then
    perform move_counters(p_event, v_due.o_accounts, negated(v_due.o_units), zeros(v_due.o_units));
    return jsonb_build_object('result', 'event_in_use', 'problems', v_problems);
  end if;

  update events e set
    name = p_plan ->> 'name',
    venue = p_plan ->> 'venue',
    starts_at = (p_plan ->> 'startsAt')::timestamptz,
    sale_opens_at = (p_plan ->> 'saleOpensAt')::timestamptz,
    sale_closes_at = (p_plan ->> 'saleClosesAt')::timestamptz,
    time_zone = p_plan ->> 'timeZone',
    currency = p_plan ->> 'currency',
    hold_ms = (p_plan ->> 'holdMs')::integer,
    per_order_max = (p_plan ->> 'perOrderMax')::integer,
    per_account_max = (p_plan ->> 'perAccountMax')::integer,
    fee_per_unit = coalesce((p_plan #>> '{fees,perTicket}')::bigint, 0),
    fee_per_order = coalesce((p_plan #>> '{fees,perOrder}')::bigint, 0),
    tax_basis_points = coalesce((p_plan #>> '{fees,taxBasisPoints}')::integer, 0),
    version = e.version + 1,
    updated_at = sale_clock()
  where e.event_id = p_event;
  v_seats := apply_plan(p_event, p_plan);

  perform move_counters(p_event, v_due.o_accounts, negated(v_due.o_units), zeros(v_due.o_units));
  perform append_audit(p_actor, case when v_created then 'event.create' else 'event.change' end,
    p_event, p_event, (p_plan - '{rows,sections}'::text[]) || jsonb_build_object('seats', v_seats),
    p_request_id);
  return jsonb_build_object(
    'result', case when v_created then 'created' else 'changed' end,
    'seats', v_seats,
    'version', (select e.version from events e where e.event_id = p_event));
end
$$;

-- The seats a plan asks for: one row for each letter of each layout that is a seat.
create or replace function plan_seats(p_plan jsonb)
returns table (
  seat_id text, section_id text, row_id text, place integer, number integer, zone_id text, kind text
)
language sql stable as $$
  select r.section || '-' || r."row" || '-' || n.number, r.section, r."row", l.place::integer,
         n.number, r.zone,
         case l.letter when 'g' then 'general' when 'a' then 'accessible' else 'companion' end
  from jsonb_to_recordset(p_plan -> 'rows') as r (
    section text, "row" text, zone text, layout text, numbers integer[])
  cross join lateral (
    select letter, place, row_number() over (order by place) as nth
    from string_to_table(r.layout, null) with ordinality t (letter, place)
    where letter <> '.'
  ) l
  cross join lateral (select coalesce(r.numbers[l.nth], l.nth::integer) as number) n
$$;

create or replace function plan_problems(p_event text, p_plan jsonb, p_limit integer) returns jsonb
language sql volatile as $$
  select coalesce(jsonb_agg(jsonb_build_object('what', what, 'id', id, 'why', why)), '[]')
  from (
    select 'seat' as what, s.seat_id as id,
           case when w.seat_id is null then 'is ' || s.status || ' and not in the plan any more'
             else 'is ' || s.status || ' and would change its zone' end as why
    from seats s
    left join plan_seats(p_plan) w on w.seat_id = s.seat_id
    where s.event_id = p_event and s.status in ('held', 'sold')
      and (w.seat_id is null or w.zone_id <> s.zone_id)
    union all
    select 'zone', z.zone_id, case
        when w.id is null then 'has places held or sold'
        when w.kind <> z.kind then 'has places held or sold and would change its kind'
        else 'has ' || (z.held + z.sold) || ' places held or sold, more than ' || w.capacity end
    from zones z
    left join jsonb_to_recordset(p_plan -> 'zones') as w (id text, kind text, capacity integer)
      on w.id = z.zone_id
    where z.event_id = p_event and z.held + z.sold > 0
      and (w.id is null or w.kind <> z.kind or coalesce(w.capacity, 0) < z.held + z.sold)
    union all
    select 'addon', a.addon_id || case a.variant when '' then '' else '/' || a.variant end,
           'has ' || (a.held + a.sold) || ' held or sold'
    from addons a
    left join jsonb_to_recordset(coalesce(p_plan -> 'addons', '[]'))
      as w (id text, variant text, stock integer)
      on w.id = a.addon_id and w.variant = a.variant
    where a.event_id = p_event and a.held + a.sold > 0
      and (w.id is null or w.stock < a.held + a.sold)
    union all
    select 'currency', e.currency, 'something is held or sold in it'
    from events e
    where e.event_id = p_event and e.currency <> p_plan ->> 'currency' and (
      exists (select 1 from seats s where s.event_id = p_event and s.status in ('held', 'sold'))
      or exists (select 1 from zones z where z.event_id = p_event and z.held + z.sold > 0)
      or exists (select 1 from addons a where a.event_id = p_event and a.held + a.sold > 0))
    limit p_limit
  ) p
$$;

-- Writes zones, sections, rows, seats and add-ons of a plan that has no problems; only what differs.
create or replace function apply_plan(p_event text, p_plan jsonb) returns integer
language plpgsql volatile as $$
declare
  v_before integer := (select count(*) from seats s where s.event_id = p_event);
  v_seats integer;
  v_partition regclass;
begin
  insert into zones as z (event_id, zone_id, name, kind, price, fee, ordinal, capacity)
  select p_event, w.id, w.name, w.kind, w.price, w.fee, w.ordinal, coalesce(w.capacity, 0)
  from jsonb_to_recordset(p_plan -> 'zones') as w (
    id text, name text, kind text, price bigint, fee bigint, ordinal integer, capacity integer)
  on conflict (event_id, zone_id) do update
  set name = excluded.name, kind = excluded.kind, price = excluded.price, fee = excluded.fee,
      ordinal = excluded.ordinal, capacity = excluded.capacity,
      version = nextval('inventory_version'), updated_at = sale_clock();
  insert into sections as s (event_id, section_id, name, ordinal)
  select p_event, w.id, w.name, w.ordinal
  from jsonb_to_recordset(p_plan -> 'sections') as w (id text, name text, ordinal integer)
  on conflict (event_id, section_id) do update
  set name = excluded.name, ordinal = excluded.ordinal;

  insert into rows as r (event_id, section_id, row_id, zone_id, rank, layout, numbers, map,
    free, free_accessible, longest, runs)
  select p_event, w.section, w."row", w.zone, w.rank, w.layout, w.numbers,
         translate(w.layout, 'gac', 'fac'), 0, 0, 0, 0
  from jsonb_to_recordset(p_plan -> 'rows') as w (
    section text, "row" text, zone text, rank integer, layout text, numbers integer[])
  on conflict (event_id, section_id, row_id) do update
  set zone_id = excluded.zone_id, rank = excluded.rank, layout = excluded.layout,
      numbers = excluded.numbers, map = excluded.map
  where (r.zone_id, r.rank, r.layout) <> (excluded.zone_id, excluded.rank, excluded.layout)
     or r.numbers is distinct from excluded.numbers;

  delete from seats s
  where s.event_id = p_event and s.status in ('available', 'blocked')
    and not exists (select 1 from plan_seats(p_plan) w where w.seat_id = s.seat_id);
  insert into seats as s (event_id, seat_id, section_id, row_id, place, number, zone_id, kind)
  select p_event, w.seat_id, w.section_id, w.row_id, w.place, w.number, w.zone_id, w.kind
  from plan_seats(p_plan) w
  on conflict (event_id, seat_id) do update
  set place = excluded.place, zone_id = excluded.zone_id, kind = excluded.kind,
      version = s.version + 1, updated_at = sale_clock()
  where (s.place, s.zone_id, s.kind) <> (excluded.place, excluded.zone_id, excluded.kind);
  delete from rows r
  where r.event_id = p_event and (r.section_id, r.row_id) not in (
    select w.section, w."row" from jsonb_to_recordset(p_plan -> 'rows') as w (section text, "row" text));
  delete from sections s
  where s.event_id = p_event and s.section_id not in (
    select w.id from jsonb_to_recordset(p_plan -> 'sections') as w (id text));
  delete from zones z
  where z.event_id = p_event and z.zone_id not in (
    select w.id from jsonb_to_recordset(p_plan -> 'zones') as w (id text));
  perform refresh_rows(p_event, array(
    select distinct on (s.section_id, s.row_id) s.seat_id from seats s where s.event_id = p_event));

  insert into addons as a (event_id, addon_id, variant, name, price, ordinal, stock)
  select p_event, w.id, w.variant, w.name, w.price, w.ordinal, w.stock
  from jsonb_to_recordset(coalesce(p_plan -> 'addons', '[]')) as w (
    id text, variant text, name text, price bigint, ordinal integer, stock integer)
  on conflict (event_id, addon_id, variant) do update
  set name = excluded.name, price = excluded.price, ordinal = excluded.ordinal,
      stock = excluded.stock, version = nextval('inventory_version');
  delete from addons a
  where a.event_id = p_event and (a.addon_id, a.variant) not in (
    select w.id, w.variant from jsonb_to_recordset(coalesce(p_plan -> 'addons', '[]'))
      as w (id text, variant text));
  select count(*) into v_seats from seats s where s.event_id = p_event;
  if v_seats <> v_before then
    -- Without statistics of the new seats the first holds read whole events (tried: 20 ms instead of
    -- 1.2 ms each) until autovacuum comes by, which may be after the sale.
    analyze rows;
    analyze zones;
    select s.tableoid::regclass into v_partition from seats s where s.event_id = p_event limit 1;
    if v_partition is not null then
      execute format('analyze %s', v_partition);
    end if;
  end if;
  return v_seats;
end
$$;
