-- Why the provider's answer was missing at first: what an incident's report counts by.
alter table payment_attempts add column unknown_cause text;
drop function if exists record_attempt_unknown(text, integer);

-- One act of an operator: a set of charges goes back, and every buyer is written to.
create table incidents (
  id text primary key,
  key text not null unique,
  request_hash text not null,
  reason text not null,
  -- For the next purchase; the same words for everybody.
  voucher text,
  created_by text not null,
  created_at timestamptz not null default now()
);
create table incident_orders (
  incident_id text not null references incidents,
  order_id text not null references orders,
  attempts text[] not null check (cardinality(attempts) > 0),
  state text not null default 'waiting' check (state in ('waiting', 'done')),
  done_at timestamptz,
  primary key (incident_id, order_id),
  check ((state = 'done') = (done_at is not null))
);
create index incident_orders_waiting on incident_orders (incident_id, order_id)
  where state = 'waiting';

-- A refund of an incident is told by the incident's own mail.
alter table refunds add column incident_id text references incidents;

-- Tickets are read by order far more often than by seat; refunds are compared with the provider's.
create index tickets_by_order on tickets (order_id);
create index refunds_by_ref on refunds (provider_ref);

-- Functions that got one more argument with a default: two of one name would make each call ambiguous.
drop function if exists create_order(text, text, text, text, text, text, text, text, text, boolean);
drop function if exists return_lines(text, text, text[], jsonb);
drop function if exists void_tickets(text, text[]);
