-- An organizer's one act over a whole event: it is called off or moved, and every buyer is written to.
alter table incidents add column kind text not null default 'charges'
  check (kind in ('charges', 'cancelled', 'postponed'));
alter table incidents add column event_id text;
create index incidents_by_event on incidents (event_id) where event_id is not null;
-- An order given away has no charge to return, and its holder is written to all the same.
alter table incident_orders drop constraint incident_orders_attempts_check;

-- Synthetic crowds on a copy of an event, so that nothing of them ever touches the event itself.
create table rehearsals (
  id text primary key,
  event_id text not null,
  -- The copy, at gate and core; it is removed when the rehearsal ends.
  twin_id text not null,
  plan jsonb not null,
  state text not null default 'running' check (state in ('running', 'ended', 'failed')),
  report jsonb,
  started_by text not null,
  started_at timestamptz not null default now(),
  -- Who runs it says so every few seconds; when that stops, anybody may clear it away.
  beat_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((state = 'running') = (ended_at is null))
);
create unique index rehearsals_one_at_once on rehearsals (event_id) where state = 'running';
create unique index rehearsals_one_twin on rehearsals (twin_id) where state = 'running';
-- A copy is not listed, and is the only kind of event that can be removed.
alter table events add column rehearsal_of text;

-- A put names the version that its writer has seen.
drop function if exists put_event(text, jsonb, text, text);
