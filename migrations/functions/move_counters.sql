-- Adds to the purchase counters, each account's changes summed up, accounts in order. The last lock
-- but one of every function (the hold's own row is the last).
create or replace function move_counters(
  p_event text, p_accounts text[], p_held integer[], p_sold integer[]
) returns void
language plpgsql volatile as $$
begin
  if cardinality(p_accounts) = 0 then
    return;
  end if;
  perform 1 from purchase_counters c
  where c.event_id = p_event and c.account = any (p_accounts)
  order by c.account
  for update;
  update purchase_counters c
  set held = c.held + d.held, sold = c.sold + d.sold
  from (
    select account, sum(h)::integer as held, sum(s)::integer as sold
    from unnest(p_accounts, p_held, p_sold) as t (account, h, s)
    group by account
  ) d
  where c.event_id = p_event and c.account = d.account and (d.held <> 0 or d.sold <> 0);
end
$$;
