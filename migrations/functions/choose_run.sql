-- Where a party of `p_n` sits best in one row: the first place of the window of free general seats
-- nearest to the middle of the row, the lower one of two; 0 when there is none. `p_clean`: no window
-- that leaves a single free seat at either side.
create or replace function choose_run(p_map text, p_n integer, p_clean boolean) returns integer
language plpgsql immutable as $$
declare
  v_width integer := length(p_map);
  v_party text := repeat('f', p_n);
  v_first integer := 1;
  v_last integer;
  v_from integer;
  v_best integer := 0;
  v_best_far integer;
  v_far integer;
begin
  loop
    -- The next run that is long enough: [v_first, v_last].
    v_from := strpos(substr(p_map, v_first), v_party);
    exit when v_from = 0;
    v_first := v_first + v_from - 1;
    v_last := v_width - length(ltrim(substr(p_map, v_first), 'f'));
    for v_start in v_first .. v_last - p_n + 1 loop
      if p_clean and (v_start - v_first = 1 or v_last - (v_start + p_n - 1) = 1) then
        continue;
      end if;
      v_far := abs(2 * v_start + p_n - 1 - (v_width + 1));
      if v_best = 0 or v_far < v_best_far then
        v_best := v_start;
        v_best_far := v_far;
      end if;
    end loop;
    v_first := v_last + 1;
  end loop;
  return v_best;
end
$$;

-- The same for a party with a wheelchair: at least one accessible seat, the others companion seats or
-- general ones beside them; with as few accessible and then as few general seats as can be.
create or replace function choose_accessible(p_map text, p_n integer) returns integer
language plpgsql immutable as $$
declare
  v_width integer := length(p_map);
  v_window text;
  v_cost integer;
  v_best integer := 0;
  v_best_cost integer;
begin
  for v_start in 1 .. v_width - p_n + 1 loop
    v_window := substr(p_map, v_start, p_n);
    continue when translate(v_window, 'acf', '') <> '' or strpos(v_window, 'a') = 0;
    v_cost := 1000000 * (p_n - length(replace(v_window, 'a', '')))
      + 10000 * (p_n - length(replace(v_window, 'f', '')))
      + abs(2 * v_start + p_n - 1 - (v_width + 1));
    if v_best = 0 or v_cost < v_best_cost then
      v_best := v_start;
      v_best_cost := v_cost;
    end if;
  end loop;
  return v_best;
end
$$;
