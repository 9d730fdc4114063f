-- The one clock of every decision about time. It moves within a transaction: after a lock was waited
-- for, the time is what it is then, not what it was when the call began.
create or replace function sale_clock() returns timestamptz
language sql volatile as $$
  select clock_timestamp()
$$;

-- ISO 8601, UTC, milliseconds: the form of every time in a reply.
create or replace function iso_time(p_at timestamptz) returns text
language sql stable as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
