-- Writes a payment attempt down before anything is said to the provider. The same key with the same
-- body is the same attempt, whoever sends it; a second attempt may begin only when the first has an
-- end, and never after a success that is not on its way back.
--
-- Answers {verdict, attempt?, state?}: created | existing | reused | in_flight | not_payable |
-- hold_expired | not_found.
create or replace function create_attempt(
  p_attempt text, p_order text, p_key text, p_hash text, p_provider text, p_account text,
  p_method text, p_instalments integer, p_origin text, p_request text
) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  h holds;
begin
  select * into o from orders where id = p_order for update;
  if not found then
    return jsonb_build_object('verdict', 'not_found');
  end if;
  select * into a from payment_attempts where order_id = p_order and key = p_key;
  if found then
    return jsonb_build_object(
      'verdict', case when a.request_hash = p_hash then 'existing' else 'reused' end,
      'attempt', a.id, 'state', a.state);
  end if;
  select * into a from payment_attempts
    where order_id = p_order
      and (state in ('created', 'sent', 'unknown')
        or (state = 'succeeded' and settled is distinct from 'refund' and o.state = 'pending'))
    limit 1;
  if found then
    return jsonb_build_object('verdict', 'in_flight', 'attempt', a.id, 'state', a.state);
  end if;
  -- What is called off is not paid for any more.
  if o.state <> 'pending' or exists (
    select 1 from events e where e.event_id = o.event_id and e.state = 'cancelled')
  then
    return jsonb_build_object('verdict', 'not_payable', 'state', o.state);
  end if;
  select * into h from holds where event_id = o.event_id and id = o.hold_id;
  if h.state <> 'live' or h.expires_at <= sale_clock() then
    return jsonb_build_object('verdict', 'hold_expired');
  end if;
  insert into payment_attempts (
    id, order_id, intent_id, event_id, key, request_hash, provider, provider_account, method,
    instalments, origin, amount, currency, request_id, same_again)
  select p_attempt, o.id, i.id, o.event_id, p_key, p_hash, p_provider, p_account, p_method,
    p_instalments, p_origin, i.amount, i.currency, p_request,
    -- Another purchase, another try, or a press that became two payments: the level tells which.
    exists (select 1 from orders p join payment_attempts b on b.order_id = p.id
      where p.event_id = o.event_id and p.account = o.account and b.method = p_method
        and b.amount = i.amount and b.currency = i.currency)
  from payment_intents i where i.order_id = o.id;
  return jsonb_build_object('verdict', 'created', 'attempt', p_attempt, 'state', 'created');
end
$$;
