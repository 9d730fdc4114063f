-- Finds and locks seats for a party, best row first, never waiting for a row somebody else works on.
-- The ladder: adjacent and leaving nobody's single seat, adjacent, split over up to three neighbouring
-- rows, wherever seats are free. `together` stops after the second rung. Rows on the way whose holds
-- are due are expired first; what that freed is returned for the counters. While others work on rows
-- where the party could sit together it is not split, unless `p_split_now`.
-- `o_refusal` is null when `o_seats` are locked and free.
create or replace function find_seats(
  p_event text,
  p_n integer,
  p_section text,
  p_zone text,
  p_together boolean,
  p_accessible boolean,
  p_split_now boolean,
  out o_seats text[],
  out o_adjacent boolean,
  out o_refusal jsonb,
  out o_accounts text[],
  out o_units integer[],
  out o_freed text[]
)
language plpgsql volatile as $$
declare
  c_tries constant integer := 40;
  c_split_tries constant integer := 5;
  c_split_rows constant integer := 3;
  v_now timestamptz := sale_clock();
  v_bit bigint := case when p_n <= 62 then 1::bigint << p_n else 0 end;
  v_pattern text := '(?=[acf]{' || p_n || '})[acf]*a';
  v_row record;
  v_due record;
  v_map text;
  v_start integer;
  v_window record;
  v_sections text[];
  v_rows text[];
begin
  o_accounts := '{}';
  o_units := '{}';
  o_freed := '{}';
  for v_rung in 1 .. case when p_accessible then 1 else 2 end loop
    for v_try in 1 .. c_tries loop
      select r.section_id, r.row_id, r.map, r.due_at into v_row
      from rows r
      where r.event_id = p_event
        and (p_section is null or r.section_id = p_section)
        and (p_zone is null or r.zone_id = p_zone)
        and (r.due_at <= v_now or case
          when p_accessible then r.free_accessible > 0 and r.map ~ v_pattern
          when v_rung = 1 then r.runs & v_bit <> 0 or r.longest >= p_n + 2
          else r.longest >= p_n end)
      order by r.rank
      limit 1
      for update skip locked;
      exit when not found;
      v_map := v_row.map;
      if v_row.due_at <= v_now then
        select * into v_due from expire_due(
          p_event, array[v_row.section_id], array[v_row.row_id], '{}', '{}');
        o_accounts := o_accounts || v_due.o_accounts;
        o_units := o_units || v_due.o_units;
        o_freed := o_freed || v_due.o_seats;
        select r.map into v_map from rows r
        where r.event_id = p_event and r.section_id = v_row.section_id and r.row_id = v_row.row_id;
      end if;
      v_start := case when p_accessible then choose_accessible(v_map, p_n)
        else choose_run(v_map, p_n, v_rung = 1) end;
      continue when v_start = 0;
      o_seats := array(
        select s.seat_id from seats s
        where s.event_id = p_event and s.section_id = v_row.section_id
          and s.row_id = v_row.row_id and s.place >= v_start and s.place < v_start + p_n
          and s.status = 'available' and (p_accessible or s.kind = 'general')
        order by s.seat_id
        for update);
      if cardinality(o_seats) = p_n then
        o_adjacent := true;
        return;
      end if;
      -- The map was wrong (somebody wrote to the seats by hand): rebuild it and go on.
      perform refresh_rows(p_event, array(
        select s.seat_id from seats s
        where s.event_id = p_event and s.section_id = v_row.section_id
          and s.row_id = v_row.row_id limit 1));
    end loop;
  end loop;

  if not p_accessible and not p_together and p_n > 1 and (p_split_now or not exists (
    select 1 from rows r
    where r.event_id = p_event and r.longest >= p_n
      and (p_section is null or r.section_id = p_section)
      and (p_zone is null or r.zone_id = p_zone)))
  then
    for v_window in
      select w.section_id, w.rank, k.width
      from generate_series(1, c_split_rows) k (width)
      cross join lateral (
        select r.section_id, r.rank
        from rows r
        join rows q on q.event_id = p_event and q.section_id = r.section_id
          and q.rank between r.rank and r.rank + k.width - 1
          and (p_zone is null or q.zone_id = p_zone)
        where r.event_id = p_event and r.free > 0
          and (p_section is null or r.section_id = p_section)
          and (p_zone is null or r.zone_id = p_zone)
        group by r.section_id, r.rank
        having sum(q.free) >= p_n
        order by r.rank
        limit c_split_tries
      ) w
      order by k.width, w.rank
      limit c_split_tries
    loop
      select coalesce(array_agg(t.section_id), '{}'), coalesce(array_agg(t.row_id), '{}')
      into v_sections, v_rows
      from (
        select r.section_id, r.row_id from rows r
        where r.event_id = p_event and r.section_id = v_window.section_id
          and r.rank between v_window.rank and v_window.rank + v_window.width - 1
          and (p_zone is null or r.zone_id = p_zone)
        for update skip locked
      ) t;
      o_seats := pick_scattered(p_event, v_sections, v_rows, p_n);
      if cardinality(o_seats) = p_n then
        o_adjacent := false;
        return;
      end if;
    end loop;
    select coalesce(array_agg(t.section_id), '{}'), coalesce(array_agg(t.row_id), '{}')
    into v_sections, v_rows
    from (
      select r.section_id, r.row_id from rows r
      where r.event_id = p_event and r.free > 0
        and (p_section is null or r.section_id = p_section)
        and (p_zone is null or r.zone_id = p_zone)
      order by r.rank
      limit p_n
      for update skip locked
    ) t;
    o_seats := pick_scattered(p_event, v_sections, v_rows, p_n);
    if cardinality(o_seats) = p_n then
      o_adjacent := false;
      return;
    end if;
  end if;

  o_seats := '{}';
  o_refusal := judge_scope(p_event, p_n, p_section, p_zone, p_together, p_accessible);
end
$$;

-- Nothing could be had without waiting. Is there something to wait for? The maps say; and before
-- anybody hears "sold out", the seats are asked whether the maps are right. Whoever is refused costs
-- this, at most once a second for a scope in each process (core/holds/sold-out.ts).
create or replace function judge_scope(
  p_event text, p_n integer, p_section text, p_zone text, p_together boolean, p_accessible boolean
) returns jsonb
language plpgsql volatile as $$
declare
  c_rows_mended constant integer := 20;
  v_now timestamptz := sale_clock();
  v_pattern text := '(?=[acf]{' || p_n || '})[acf]*a';
  v_free integer;
  v_fits boolean;
  v_wrong text[];
begin
  select coalesce(sum(case when p_accessible then r.free_accessible else r.free end), 0),
         coalesce(bool_or(r.due_at <= v_now or case
           when p_accessible then r.free_accessible > 0 and r.map ~ v_pattern
           else r.longest >= p_n end), false)
  into v_free, v_fits
  from rows r
  where r.event_id = p_event
    and (p_section is null or r.section_id = p_section)
    and (p_zone is null or r.zone_id = p_zone);
  if v_fits or (not p_together and not p_accessible and v_free >= p_n) then
    return jsonb_build_object('result', 'contended');
  end if;

  v_wrong := array(
    select min(t.seat_id) from (
      select s.seat_id, s.section_id, s.row_id from seats s
      where s.event_id = p_event and s.status = 'available'
      union all
      select s.seat_id, s.section_id, s.row_id from seats s
      where s.event_id = p_event and s.hold_id is not null and s.held_until <= v_now
        and (s.paying_until is null or s.paying_until <= v_now)
    ) t
    join seats s on s.event_id = p_event and s.seat_id = t.seat_id
    join rows r on r.event_id = p_event
      and r.section_id = s.section_id and r.row_id = s.row_id
    where (p_section is null or r.section_id = p_section)
      and (p_zone is null or r.zone_id = p_zone)
      and substr(r.map, s.place, 1) not in ('f', 'a', 'c')
    group by s.section_id, s.row_id
    limit c_rows_mended);
  if cardinality(v_wrong) > 0 then
    perform refresh_rows(p_event, array(
      select s.seat_id from seats s
      join rows r on r.event_id = p_event
        and r.section_id = s.section_id and r.row_id = s.row_id
      where s.event_id = p_event and s.seat_id = any (v_wrong)
      for update of r skip locked));
    return jsonb_build_object('result', 'contended');
  end if;
  if v_free >= p_n or (p_accessible and v_free > 0) then
    return jsonb_build_object('result', 'seats_unavailable',
      'unavailable', '[]'::jsonb, 'alternatives', '[]'::jsonb, 'available', v_free);
  end if;
  return jsonb_build_object('result', 'sold_out', 'available', v_free);
end
$$;

-- `p_n` free general seats of these locked rows, in as few pieces as can be: the longest runs first.
create or replace function pick_scattered(
  p_event text, p_sections text[], p_rows text[], p_n integer
) returns text[]
language sql volatile as $$
  select array(
    select s.seat_id from seats s
    where s.event_id = p_event and s.seat_id in (
      select u.seat_id
      from (
        select t.*, count(*) over (partition by t.section_id, t.row_id, t.island) as run
        from (
          select s.seat_id, s.section_id, s.row_id, s.place, r.rank,
                 s.place - row_number() over (
                   partition by s.section_id, s.row_id order by s.place) as island
          from unnest(p_sections, p_rows) k (section_id, row_id)
          join rows r on r.event_id = p_event
            and r.section_id = k.section_id and r.row_id = k.row_id
          join seats s on s.event_id = p_event
            and s.section_id = k.section_id and s.row_id = k.row_id
          where s.status = 'available' and s.kind = 'general'
        ) t
      ) u
      order by u.run desc, u.rank, u.place
      limit p_n)
    order by s.seat_id
    for update)
$$;
