-- Runs of free general seats in a map: the longest, a bit for each length up to 62, and the sum.
create or replace function map_runs(
  p_map text, out o_longest integer, out o_runs bigint, out o_free integer
)
language sql immutable as $$
  select coalesce(max(length(run)), 0),
         coalesce(bit_or(case when length(run) <= 62 then 1::bigint << length(run) else 0 end), 0),
         coalesce(sum(length(run)), 0)::integer
  from string_to_table(translate(p_map, 'achsb.', '      '), ' ') run
  where run <> ''
$$;

-- Rebuilds the maps of the rows of these seats from the seats themselves. The caller holds the row
-- records. From the truth rather than by patching, so that a map can be wrong only until the next
-- change in its row. Row by row, each by its key: as one statement over a join the planner reads
-- all rows of the house (tried).
create or replace function refresh_rows(p_event text, p_seats text[]) returns void
language plpgsql volatile as $$
declare
  v_row record;
  v_map text;
  v_due_at timestamptz;
  v_runs record;
begin
  for v_row in
    select distinct g.section_id, g.row_id from seats g
    where g.event_id = p_event and g.seat_id = any (p_seats)
  loop
    select string_agg(lpad(t.letter, t.gap, '.'), '' order by t.place), min(t.due_at)
    into v_map, v_due_at
    from (
      select s.place, s.place - lag(s.place, 1, 0) over (order by s.place) as gap,
             case s.status
               when 'available' then
                 case s.kind when 'general' then 'f' when 'accessible' then 'a' else 'c' end
               when 'held' then 'h'
               when 'sold' then 's'
               else 'b'
             end as letter,
             greatest(s.held_until, s.paying_until) as due_at
      from seats s
      where s.event_id = p_event and s.section_id = v_row.section_id and s.row_id = v_row.row_id
    ) t;
    select * into v_runs from map_runs(v_map);
    update rows r
    set map = rpad(v_map, length(r.layout), '.'),
        free = v_runs.o_free,
        free_accessible = length(v_map) - length(replace(v_map, 'a', '')),
        longest = v_runs.o_longest,
        runs = v_runs.o_runs,
        due_at = v_due_at,
        version = nextval('inventory_version')
    where r.event_id = p_event and r.section_id = v_row.section_id and r.row_id = v_row.row_id;
  end loop;
end
$$;
