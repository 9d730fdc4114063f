-- Forgets a person and keeps the money: amounts, attempts, refunds and seats stay as they were, names
-- and addresses go. By account (then also its registrations and sessions, and the tickets that others
-- handed to its address), or by one order.
--   p_account, p_subject, p_email  of an account, else null: orders of the account and of its address
--   p_order                        one order, else null
-- While a payment may still end, the buyer must be reachable: nothing is changed then.
-- Answers {verdict, orders?}: erased | in_flight.
create or replace function erase_buyer(
  p_account text, p_subject text, p_email text, p_order text, p_actor text, p_request_id text
) returns jsonb
language plpgsql volatile as $$
declare
  v_orders text[];
  v_emails text[];
begin
  v_orders := array(
    select o.id from orders o
    where o.id = p_order
      or (p_subject is not null and o.account = p_subject and o.account like '%|%')
      or (p_email is not null and lower(o.buyer_email) = lower(p_email))
    order by o.id
    for update);
  if exists (select 1 from orders where id = any (v_orders) and state = 'pending')
    or exists (select 1 from payment_attempts
      where order_id = any (v_orders) and state in ('created', 'sent', 'unknown'))
    or exists (select 1 from refunds
      where order_id = any (v_orders) and state in ('created', 'sent', 'unknown'))
  then
    return jsonb_build_object('verdict', 'in_flight');
  end if;

  -- Every address that the erased orders and the account were known by.
  v_emails := array(
    select lower(o.buyer_email) from orders o
      where o.id = any (v_orders) and o.buyer_email is not null
    union select lower(p_email) where p_email is not null);

  update orders set buyer_email = null, buyer_name = null, buyer_locale = null,
      updated_at = sale_clock()
    where id = any (v_orders);
  -- A ticket that was handed on bears another person's name, which is not this buyer's to erase;
  -- unless it was handed to the buyer's own address, in this order or (of an account, which has
  -- proved its address) in anybody's.
  update tickets set holder_name = null, holder_email = null, holder_locale = null
    where id in (
      select id from tickets
      where (order_id = any (v_orders)
          and (transferred_at is null or lower(holder_email) = any (v_emails)))
        or (p_email is not null and lower(holder_email) = lower(p_email))
      order by id for update);
  update mails set recipient = null
    where order_id = any (v_orders)
      or (p_email is not null and lower(recipient) = lower(p_email));
  if p_account is not null then
    update accounts set email = null, email_folded = null, name = null, locale = null,
        code_hash = null, code_expires_at = null, erased_at = clock_timestamp()
      where id = p_account;
    delete from account_sessions where account_id = p_account;
    delete from registrations where account_id = p_account;
  end if;
  perform append_audit(p_actor, 'buyer.erased', null, coalesce(p_account, p_order),
    jsonb_build_object('orders', to_jsonb(v_orders)), p_request_id);
  return jsonb_build_object('verdict', 'erased', 'orders', to_jsonb(v_orders));
end
$$;
