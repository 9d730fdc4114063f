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
