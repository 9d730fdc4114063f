-- Attempts whose answer is overdue, handed to one inquirer at a time. A SENT one past its deadline
-- is UNKNOWN from here on. `p_attempt` narrows it to one, for a page that asks.
create or replace function claim_due_attempts(p_limit integer, p_lease_ms integer, p_attempt text)
returns setof payment_attempts language sql as $$
  update payment_attempts
    set state = 'unknown', updated_at = sale_clock(),
      -- Nobody has written down any answer: the process that asked is dead or stands still.
      unknown_cause = coalesce(unknown_cause, 'nobody_recorded'),
      next_inquiry_at = sale_clock() + make_interval(secs => p_lease_ms / 1000.0)
    where id in (
      select id from payment_attempts
        where state in ('sent', 'unknown') and next_inquiry_at <= sale_clock()
          and (p_attempt is null or id = p_attempt)
        order by next_inquiry_at limit p_limit for update skip locked)
    returning *
$$;

-- Attempts written down and never sent: nothing was said to the provider that moves money.
create or replace function end_unsent_attempts(p_age_ms integer, p_limit integer)
returns integer language sql as $$
  with ended as (
    update payment_attempts
      set state = 'failed', reason = 'never_sent', ended_at = sale_clock(),
        updated_at = sale_clock()
      where id in (
        select id from payment_attempts
          where state = 'created'
            and created_at < sale_clock() - make_interval(secs => p_age_ms / 1000.0)
          order by created_at limit p_limit for update skip locked)
      returning 1)
  select count(*)::integer from ended
$$;
