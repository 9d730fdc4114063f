-- What the provider said about an attempt. Transitions go forward only: a success beats a failure
-- and counts after one, a failure never undoes a success, and "we do not know" undoes nothing.

-- A success is written by one UPDATE of one row that no seat, limit or order can refuse; what it
-- buys is decided afterwards by settle_order. Another amount or currency than asked is recorded as
-- the provider charged it and waits for a person. Answers {changed, state, order}.
create or replace function record_attempt_success(
  p_attempt text, p_amount bigint, p_currency text
) returns jsonb language plpgsql as $$
declare
  a payment_attempts;
begin
  update payment_attempts
    set state = 'succeeded', captured_amount = p_amount, captured_currency = p_currency,
      reason = case when amount = p_amount and currency = p_currency then null
        else 'amount_mismatch' end,
      settled = case when amount = p_amount and currency = p_currency then null
        else 'review' end,
      settled_at = case when amount = p_amount and currency = p_currency then null
        else sale_clock() end,
      ended_at = sale_clock(), updated_at = sale_clock(), next_inquiry_at = null,
      -- A refusal that was told before is no longer the truth.
      reply_status = null, reply_body = null
    where id = p_attempt and state <> 'succeeded' and provider_ref is not null
    returning * into a;
  if not found then
    return (select jsonb_build_object('changed', false, 'state', state, 'order', order_id)
      from payment_attempts where id = p_attempt);
  end if;
  if a.settled = 'review' then
    insert into outbox (id, event_id, order_id, kind, payload)
      values ('out_' || gen_random_uuid(), a.event_id, a.order_id, 'payment.review',
        jsonb_build_object('attempt', a.id, 'asked', a.amount, 'charged', p_amount,
          'currency', a.currency, 'chargedCurrency', p_currency));
  end if;
  return jsonb_build_object('changed', true, 'state', 'succeeded', 'order', a.order_id);
end
$$;

-- A real refusal, or a cancellation that the provider confirmed. The hold keeps what is left of its
-- own time, so the protection that paying gave ends here.
create or replace function record_attempt_failure(p_attempt text, p_reason text)
returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
begin
  select * into o from orders
    where id = (select order_id from payment_attempts where id = p_attempt) for update;
  update payment_attempts
    set state = 'failed', reason = p_reason, ended_at = sale_clock(),
      updated_at = sale_clock(), next_inquiry_at = null
    where id = p_attempt and state in ('created', 'sent', 'unknown')
    returning * into a;
  if not found then
    return (select jsonb_build_object('changed', false, 'state', state, 'order', order_id)
      from payment_attempts where id = p_attempt);
  end if;
  if a.sent_at is not null and o.state = 'pending' then
    perform unprotect_lines(o.event_id, o.hold_id);
  end if;
  return jsonb_build_object('changed', true, 'state', 'failed', 'order', a.order_id);
end
$$;

-- No answer. `p_next_ms`: when to ask next. The first cause is the one that counts.
create or replace function record_attempt_unknown(
  p_attempt text, p_next_ms integer, p_cause text
) returns jsonb language plpgsql as $$
declare
  a payment_attempts;
begin
  update payment_attempts
    set inquiries = inquiries + case when state = 'unknown' then 1 else 0 end,
      state = 'unknown', unknown_cause = coalesce(unknown_cause, p_cause),
      updated_at = sale_clock(),
      next_inquiry_at = sale_clock() + make_interval(secs => p_next_ms / 1000.0)
    where id = p_attempt and state in ('sent', 'unknown')
    returning * into a;
  if not found then
    return (select jsonb_build_object('changed', false, 'state', state, 'order', order_id)
      from payment_attempts where id = p_attempt);
  end if;
  return jsonb_build_object('changed', true, 'state', 'unknown', 'order', a.order_id);
end
$$;
