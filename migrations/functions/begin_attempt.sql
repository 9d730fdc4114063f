-- Marks an attempt SENT and protects its seats, in one call, before the one confirm leaves. It
-- refuses unless every unit is still the hold's own and there is time left to the hold's cap. The
-- provider's reference is kept even then, so that a webhook about it is never a stranger.
--
-- Answers {verdict, state}: begun | not_created | order_closed | hold_lost | hold_too_short |
-- not_found. Only `begun` with state `sent` permits a confirm.
create or replace function begin_attempt(
  p_attempt text, p_ref text, p_paying_ms integer, p_least_ms integer, p_inquire_after_ms integer
) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  h holds;
  v_until timestamptz;
  v_verdict text;
  v_lost boolean;
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

  perform lock_inventory(o.event_id, array[o.hold_id]);
  select * into h from holds where event_id = o.event_id and id = o.hold_id for update;

  v_lost := h.state <> 'live' or exists (
      select 1 from hold_seats l
      left join seats s on s.event_id = l.event_id and s.seat_id = l.seat_id
        and s.hold_id = l.hold_id and s.status = 'held'
      where l.event_id = h.event_id and l.hold_id = h.id
        and (l.state <> 'live' or s.seat_id is null))
    or exists (select 1 from hold_zones l
      where l.event_id = h.event_id and l.hold_id = h.id and l.state <> 'live')
    or exists (select 1 from hold_addons l
      where l.event_id = h.event_id and l.hold_id = h.id and l.state <> 'live');
  v_verdict := case
    when o.state <> 'pending' then 'order_closed'
    when v_lost then 'hold_lost'
    when h.cap_at < clock_timestamp() + make_interval(secs => p_least_ms / 1000.0)
      then 'hold_too_short'
    else 'begun' end;
  if v_verdict <> 'begun' then
    update payment_attempts
      set state = 'failed', reason = v_verdict, provider_ref = p_ref,
        ended_at = clock_timestamp(), updated_at = clock_timestamp()
      where id = p_attempt;
    return jsonb_build_object('verdict', v_verdict, 'state', 'failed');
  end if;

  v_until := clock_timestamp() + make_interval(secs => p_paying_ms / 1000.0);
  update seats set paying_until = v_until, updated_at = clock_timestamp()
    where event_id = o.event_id and hold_id = o.hold_id;
  update hold_zones set paying_until = v_until
    where event_id = o.event_id and hold_id = o.hold_id;
  update hold_addons set paying_until = v_until
    where event_id = o.event_id and hold_id = o.hold_id;
  update holds set paying_until = v_until where event_id = o.event_id and id = o.hold_id;
  update payment_attempts
    set state = 'sent', provider_ref = p_ref, sent_at = clock_timestamp(),
      updated_at = clock_timestamp(),
      next_inquiry_at = clock_timestamp() + make_interval(secs => p_inquire_after_ms / 1000.0)
    where id = p_attempt;

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
