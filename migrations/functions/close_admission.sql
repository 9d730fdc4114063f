-- Ends an admission for good: holds of this place and of any generation up to p_gen are refused from
-- now on. Safe to repeat; the first time of closing stays. The gate may close what was never used.
-- Without p_gen the generation on record (or 0) is kept.
create or replace function close_admission(p_event text, p_place text, p_gen bigint)
returns jsonb
language plpgsql as $$
begin
  insert into admissions as a (event_id, place, gen, closed_at)
  values (p_event, p_place, coalesce(p_gen, 0), clock_timestamp())
  on conflict (event_id, place) do update
    set gen = greatest(a.gen, excluded.gen),
        closed_at = coalesce(a.closed_at, excluded.closed_at);
  return jsonb_build_object('closed', true);
end
$$;
