-- Says once that the time of these holds was over, whoever found it: the sweeper, or the statement of
-- somebody else who wanted their seats. The row's id is the hold's, so a second finder adds nothing.
-- Called after the inventory's locks and before the counters', in the order of the holds' ids.
create or replace function tell_expired(p_event text, p_holds text[]) returns void
language sql volatile as $$
  insert into outbox (id, event_id, kind, payload)
  select 'out_expired_' || h.id, p_event, 'hold.expired', jsonb_build_object('hold', h.id)
  from (select distinct unnest(p_holds) as id) h
  order by h.id
  on conflict (id) do nothing
$$;
