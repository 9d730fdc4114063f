-- Who is sending a mail just now: nobody else begins it meanwhile.
alter table mails add column lease_until timestamptz;

-- Organizers' own systems that want to hear what happens to orders.
create table webhook_endpoints (
  id text primary key,
  event_id text not null,
  url text not null,
  kinds text[] not null,
  -- AES-256-GCM under a key made from CORE_SECRET, the id bound in.
  sealed_secret text not null,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_by text not null,
  created_at timestamptz not null default now()
);
create index webhook_endpoints_by_event on webhook_endpoints (event_id) where state = 'active';

create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints on delete cascade,
  outbox_id text not null,
  event_id text not null,
  order_id text,
  kind text not null,
  -- What is sent, without any personal datum.
  payload jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  tries integer not null default 0,
  last_status integer,
  last_fault text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- However often an event is relayed, each endpoint hears it once.
  unique (endpoint_id, outbox_id),
  check ((state = 'waiting') = (ended_at is null))
);
create index webhook_deliveries_by_event on webhook_deliveries (event_id, created_at);

-- Who has a ticket after it was handed on; null while it is the buyer's.
alter table tickets add column holder_email text;
alter table tickets add column holder_locale text;
alter table tickets add column transferred_at timestamptz;
create index tickets_by_event_change on tickets (event_id)
  where state <> 'valid' or issue > 1;

-- Every code that was read at a door, also those that did not admit: the record of an entrance. A
-- scan has an id of its own, so that a batch that is uploaded twice is answered the same.
create table ticket_scans (
  event_id text not null,
  id text not null,
  ticket_id text,
  result text not null
    check (result in ('admitted', 'already', 'void', 'superseded', 'unknown', 'invalid')),
  -- When and where the code was read, by the door's own word; received_at is ours.
  at timestamptz not null,
  gate text not null,
  actor text not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (event_id, id)
);
create index ticket_scans_by_ticket on ticket_scans (ticket_id, at);

-- Orders of a person with an account (`iss|sub`); places in the line have no bar in them.
create index orders_of_person on orders (account, created_at) where account like '%|%';
create index accounts_unverified on accounts (created_at) where verified_at is null;
create index account_sessions_by_end on account_sessions (expires_at);

create index orders_by_buyer on orders (lower(buyer_email)) where buyer_email is not null;
