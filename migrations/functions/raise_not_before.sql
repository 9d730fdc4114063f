-- Admissions of this event issued before p_at are refused from now on: what a reset of the waiting
-- room says. Only ever raised. `known` is false when the core has no such event.
create or replace function raise_admissions_not_before(p_event text, p_at timestamptz)
returns jsonb
language plpgsql as $$
begin
  update events
     set admissions_not_before = greatest(admissions_not_before, p_at)
   where event_id = p_event;
  return jsonb_build_object('known', found);
end
$$;
