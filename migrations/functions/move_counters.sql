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
  set held = c.held + (select sum(h) from unnest(p_accounts, p_held) t (account, h)
        where t.account = c.account),
      sold = c.sold + (select sum(s) from unnest(p_accounts, p_sold) t (account, s)
        where t.account = c.account)
  where c.event_id = p_event and c.account = any (p_accounts);
end
$$;
