-- Marks an attempt SENT and protects its seats, in one call, before the one confirm leaves. It
-- refuses unless every unit is still the hold's own and there is time left to the hold's cap. The
-- provider's reference is kept even then, so that a webhook about it is never a stranger.
--
-- Answers {verdict, state}: begun | not_created | order_not_payable | hold_expired |
-- hold_not_live | hold_too_short | not_found. Only `begun` with state `sent` permits a confirm.
create or replace function begin_attempt(
  p_attempt text, p_ref text, p_paying_ms integer, p_inquire_after_ms integer
) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  v_verdict text;
  e record;
begin
  select * into o from orders
    where id = (select order_id from payment_attempts where id = p_attempt) for update;
  if not found then
    return jsonb_build_object('verdict', 'not_found');
  end if;
  select * into a from payment_attempts where id = p_attempt for update;
  if a.state <> 'created' then
    return jsonb_build_object('verdict', 'not_created', 'state', a.state);
  end if;
  if o.state <> 'pending' then
    v_verdict := 'order_not_payable';
  else
    v_verdict := protect_lines(o.event_id, o.hold_id,
      sale_clock() + make_interval(secs => p_paying_ms / 1000.0)) ->> 'result';
  end if;
  if v_verdict <> 'protected' then
    update payment_attempts
      set state = 'failed', reason = v_verdict, provider_ref = p_ref,
        ended_at = sale_clock(), updated_at = sale_clock()
      where id = p_attempt;
    return jsonb_build_object('verdict', v_verdict, 'state', 'failed');
  end if;
  update payment_attempts
    set state = 'sent', provider_ref = p_ref, sent_at = sale_clock(), updated_at = sale_clock(),
      next_inquiry_at = sale_clock() + make_interval(secs => p_inquire_after_ms / 1000.0)
    where id = p_attempt;

  -- The gate hears how long its slot is needed.
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), o.event_id, o.id, 'order.paying',
      jsonb_build_object('order', o.id, 'event', o.event_id, 'place', o.place,
        'jti', o.admission_jti, 'untilMs',
        floor(extract(epoch from sale_clock() + make_interval(secs => p_paying_ms / 1000.0)) * 1000)));

  -- A webhook may have come before we knew the reference.
  for e in select provider_event_id from webhook_events
    where provider = a.provider and account = a.provider_account and provider_ref = p_ref
      and state = 'parked' order by received_at
  loop
    perform apply_parked_webhook(a.provider, a.provider_account, e.provider_event_id);
  end loop;
  return jsonb_build_object('verdict', 'begun',
    'state', (select state from payment_attempts where id = p_attempt));
end
$$;
