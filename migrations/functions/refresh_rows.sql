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
-- change in its row.
create or replace function refresh_rows(p_event text, p_seats text[]) returns void
language sql volatile as $$
  update rows r
  set map = n.map,
      free = f.o_free,
      free_accessible = length(n.map) - length(replace(n.map, 'a', '')),
      longest = f.o_longest,
      runs = f.o_runs,
      due_at = n.due_at,
      version = nextval('inventory_version')
  from (
    select t.section_id, t.row_id,
           rpad(string_agg(lpad(t.letter, t.gap, '.'), '' order by t.place), t.width, '.') as map,
           min(t.due_at) as due_at
    from (
      select s.section_id, s.row_id, s.place,
             length(w.layout) as width,
             s.place - lag(s.place, 1, 0) over (
               partition by s.section_id, s.row_id order by s.place) as gap,
             case s.status
               when 'available' then
                 case s.kind when 'general' then 'f' when 'accessible' then 'a' else 'c' end
               when 'held' then 'h'
               when 'sold' then 's'
               else 'b'
             end as letter,
             greatest(s.held_until, s.paying_until) as due_at
      from rows w
      join seats s on s.event_id = p_event
        and s.section_id = w.section_id and s.row_id = w.row_id
      where w.event_id = p_event
        and (w.section_id, w.row_id) in (
          select g.section_id, g.row_id from seats g
          where g.event_id = p_event and g.seat_id = any (p_seats))
    ) t
    group by t.section_id, t.row_id, t.width
  ) n
  cross join lateral map_runs(n.map) f
  where r.event_id = p_event and r.section_id = n.section_id and r.row_id = n.row_id
$$;
