-- All tables of the sale core. What decides lives in functions/*.sql; what must be true whatever
-- anybody writes lives here, as constraints.
--
-- Conventions: money is bigint in minor units beside an ISO 4217 currency; times are timestamptz;
-- states are text with a CHECK, so that a dump can be read; ids made by us are text with a prefix
-- (`hold_…`, `ord_…`); ids given by an organizer (event, section, row, seat, zone, add-on) are the
-- organizer's own labels. Every inventory table leads its key with the event, and nothing in the sale
-- path joins across events, so that the database can be distributed by event.
--
-- Lock order of every function: the order, the person (advisory), row records by id, seats by id,
-- zones by id, add-ons by id, counters by account, the hold. Seats are changed only under the lock of
-- their row record.
--
-- Foreign keys exist where the parent row belongs to the same person's act. There is none from holds,
-- seats or orders to `events`, `zones` or `seats`: a foreign-key check takes a share lock on the
-- parent, which on one hot row makes multixacts and, on seats, would lock in plan order.

create table events (
  event_id text primary key check (event_id ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'),
  name text not null,
  venue text not null,
  starts_at timestamptz not null,
  sale_opens_at timestamptz not null,
  sale_closes_at timestamptz,
  time_zone text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  hold_ms integer not null default 600000 check (hold_ms between 60000 and 900000),
  per_order_max integer not null check (per_order_max between 1 and 100),
  per_account_max integer not null check (per_account_max between 1 and 1000),
  holds_per_person integer not null default 1 check (holds_per_person between 1 and 20),
  -- Fees are added on top of the price; the tax is on price and fees together, in 1/10,000.
  fee_per_unit bigint not null default 0 check (fee_per_unit >= 0),
  fee_per_order bigint not null default 0 check (fee_per_order >= 0),
  tax_basis_points integer not null default 0 check (tax_basis_points between 0 and 10000),
  state text not null default 'active' check (state in ('active', 'postponed', 'cancelled')),
  -- Admissions issued before this instant are refused; a reset of the waiting room raises it.
  admissions_not_before timestamptz not null default '-infinity',
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (sale_closes_at is null or sale_closes_at > sale_opens_at)
);

-- Numbers every change of a row map or a zone, so that a reader who has seen version v asks for what
-- came after it. A sequence, not a counter per event: a counter would be one hot row per sale.
create sequence inventory_version as bigint;

create table zones (
  event_id text not null references events,
  zone_id text not null,
  name text not null,
  kind text not null check (kind in ('seated', 'standing')),
  price bigint not null check (price >= 0),
  ordinal integer not null default 0,
  -- Of a standing zone only: a seated zone is the sum of its seats.
  capacity integer not null default 0 check (capacity >= 0),
  held integer not null default 0 check (held >= 0),
  sold integer not null default 0 check (sold >= 0),
  version bigint not null default nextval('inventory_version'),
  updated_at timestamptz not null default now(),
  primary key (event_id, zone_id),
  check (held + sold <= capacity),
  check (kind = 'standing' or capacity = 0)
) with (fillfactor = 20);

create table sections (
  event_id text not null references events,
  section_id text not null,
  name text not null,
  ordinal integer not null,
  primary key (event_id, section_id)
);

-- The row record: the lock of best available, and a map of the row that follows its seats.
-- Whoever changes the status of a seat holds this record and rebuilds the map in the same function.
create table rows (
  event_id text not null,
  section_id text not null,
  row_id text not null,
  zone_id text not null,
  -- Lower is better; the order of sections and rows in the organizer's plan.
  rank integer not null,
  -- One letter for each place: g general, a accessible, c companion, `.` no seat here.
  layout text not null check (layout ~ '^[gac.]+$' and length(layout) <= 1000),
  -- The numbers on the seats in the order of the places; null when they are 1…n.
  numbers integer[],
  -- One letter for each place: f, a, c free (general, accessible, companion), h held, s sold,
  -- b blocked, `.` no seat here.
  map text not null check (length(map) = length(layout)),
  free integer not null check (free >= 0),
  free_accessible integer not null check (free_accessible >= 0),
  longest integer not null check (longest >= 0),
  -- Bit r is set when there is a run of exactly r free general seats, r ≤ 62.
  runs bigint not null,
  -- Nothing in the row can be due before this instant; null when nothing is held.
  due_at timestamptz,
  version bigint not null default nextval('inventory_version'),
  primary key (event_id, section_id, row_id),
  foreign key (event_id, section_id) references sections
) with (fillfactor = 50);
create index rows_by_rank on rows (event_id, rank);

-- Partitioned by event: hash, not list. A list needs a partition per event, made by DDL under an
-- exclusive lock in the middle of other events' sales, and ends in thousands of them; 16 hash
-- partitions need no DDL ever, keep each index and each vacuum small, and a query that names its
-- event (all do) is pruned to one. An event lies whole in one partition, which is also what Citus or
-- a database per group of events would move. Within an event rows and sections never lock each
-- other, so the section is the next unit to split by.
create table seats (
  event_id text not null,
  seat_id text not null,
  section_id text not null,
  row_id text not null,
  place integer not null check (place between 1 and 1000),
  number integer not null check (number between 1 and 9999),
  zone_id text not null,
  kind text not null default 'general' check (kind in ('general', 'accessible', 'companion')),
  status text not null default 'available'
    check (status in ('available', 'held', 'sold', 'blocked')),
  hold_id text,
  held_until timestamptz,
  paying_until timestamptz,
  order_id text,
  version bigint not null default 1,
  updated_at timestamptz not null default now(),
  primary key (event_id, seat_id),
  check ((status = 'held') = (hold_id is not null)),
  check ((status = 'held') = (held_until is not null)),
  check (status = 'held' or paying_until is null),
  check ((status = 'sold') = (order_id is not null))
) partition by hash (event_id);

do $$
begin
  for i in 0..15 loop
    execute format(
      'create table seats_%s partition of seats for values with (modulus 16, remainder %s) '
      'with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)',
      i, i);
  end loop;
end
$$;
-- Not unique: a plan that renumbers a row passes through equal places within one statement. A plan
-- gives each seat a place of its own by construction.
create index seats_by_row on seats (event_id, section_id, row_id, place);
create index seats_available on seats (event_id, zone_id) where status = 'available';
create index seats_by_hold on seats (event_id, hold_id) where hold_id is not null;
create index seats_by_order on seats (event_id, order_id) where order_id is not null;

create table addons (
  event_id text not null references events,
  addon_id text not null,
  -- '' for an add-on without variants; else each variant has a stock of its own.
  variant text not null default '',
  name text not null,
  price bigint not null check (price >= 0),
  ordinal integer not null default 0,
  stock integer not null check (stock >= 0),
  held integer not null default 0 check (held >= 0),
  sold integer not null default 0 check (sold >= 0),
  version bigint not null default nextval('inventory_version'),
  primary key (event_id, addon_id, variant),
  check (held + sold <= stock)
) with (fillfactor = 50);

create table holds (
  event_id text not null,
  id text not null,
  -- The place in the queue that made it, and who it counts for: an account, else the place itself.
  place text not null,
  account text not null,
  jkt text,
  state text not null default 'live' check (state in ('live', 'released', 'expired', 'sold')),
  -- What was asked for, in one canonical form: the same again gives the same hold.
  request jsonb not null,
  adjacent boolean,
  total_amount bigint not null check (total_amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  units integer not null check (units > 0),
  expires_at timestamptz not null,
  paying_until timestamptz,
  -- 30 minutes after it was made: no payment may begin later than two minutes before this.
  cap_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (event_id, id),
  check (expires_at <= cap_at),
  check ((state = 'live') = (ended_at is null))
);
create index holds_by_id on holds (id);
create index holds_by_account on holds (event_id, account, created_at);
create index holds_due on holds (expires_at) where state = 'live';

-- Lines. `live` goes once to `taken` (its time ran out and it was taken back), `released` (given
-- back) or `sold`; a refund moves `sold` to `returned`; a late success may bring `taken` or
-- `released` back to `live`. The line's transition alone moves seat, zone, add-on and counter, so
-- whichever of release, lazy expiry, sweeper or cancel comes first, each unit is counted once.
-- Who changes a line holds the lock of its seat, zone or add-on. Lines have no foreign key to their
-- hold: one statement writes both, holds are never deleted, and 50 checks a batch took two thirds of a
-- batch's time under the zone's lock.
create table hold_seats (
  event_id text not null,
  hold_id text not null,
  seat_id text not null,
  zone_id text not null,
  state text not null default 'live'
    check (state in ('live', 'taken', 'released', 'sold', 'returned')),
  price bigint not null check (price >= 0),
  primary key (event_id, hold_id, seat_id)
);
-- A seat is in one living line at most: the constraint behind the conditional UPDATE.
create unique index hold_seats_one_owner on hold_seats (event_id, seat_id)
  where state in ('live', 'sold');

create table hold_zones (
  event_id text not null,
  hold_id text not null,
  zone_id text not null,
  quantity integer not null check (quantity > 0),
  returned integer not null default 0 check (returned between 0 and quantity),
  state text not null default 'live'
    check (state in ('live', 'taken', 'released', 'sold', 'returned')),
  price bigint not null check (price >= 0),
  held_until timestamptz not null,
  paying_until timestamptz,
  primary key (event_id, hold_id, zone_id)
);
create index hold_zones_due on hold_zones (event_id, zone_id, held_until) where state = 'live';

create table hold_addons (
  event_id text not null,
  hold_id text not null,
  addon_id text not null,
  variant text not null default '',
  quantity integer not null check (quantity > 0),
  state text not null default 'live'
    check (state in ('live', 'taken', 'released', 'sold', 'returned')),
  price bigint not null check (price >= 0),
  held_until timestamptz not null,
  paying_until timestamptz,
  primary key (event_id, hold_id, addon_id, variant)
);
create index hold_addons_due on hold_addons (event_id, addon_id, variant, held_until)
  where state = 'live';

-- Units held and bought per person. Only ≥ 0: the limit is a condition of the hold, since a CHECK
-- would refuse confirmations after the limit was lowered.
create table purchase_counters (
  event_id text not null,
  account text not null,
  held integer not null default 0 check (held >= 0),
  sold integer not null default 0 check (sold >= 0),
  primary key (event_id, account)
) with (fillfactor = 70);

create table admissions (
  event_id text not null,
  place text not null,
  gen bigint not null check (gen >= 0),
  jkt text,
  first_used_at timestamptz,
  closed_at timestamptz,
  primary key (event_id, place)
);

create table accounts (
  id text primary key,
  email text,
  -- The address with case, dots and tags folded for the hosts known to ignore them: one person.
  email_folded text unique,
  name text,
  locale text,
  verified_at timestamptz,
  code_hash bytea,
  code_expires_at timestamptz,
  code_tries integer not null default 0 check (code_tries between 0 and 5),
  erased_at timestamptz,
  created_at timestamptz not null default now()
);

create table account_sessions (
  token_hash bytea primary key,
  account_id text not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index account_sessions_by_account on account_sessions (account_id);

create table registrations (
  event_id text not null,
  account_id text not null references accounts on delete cascade,
  pass_gen bigint not null default 0 check (pass_gen >= 0),
  created_at timestamptz not null default now(),
  primary key (event_id, account_id)
);

create table orders (
  id text primary key,
  event_id text not null,
  hold_id text not null,
  place text not null,
  account text not null,
  state text not null default 'pending'
    check (state in ('pending', 'paid', 'expired', 'cancelled', 'refunded', 'part_refunded')),
  complimentary boolean not null default false,
  buyer_email text,
  buyer_name text,
  buyer_locale text,
  accept_equal_seats boolean not null default false,
  total_amount bigint not null check (total_amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The success that bought the seats. Successes themselves are refused by no constraint.
  paid_attempt_id text unique,
  -- Set when seats of a charged order were lost and other equal ones were given.
  reseated boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  paid_at timestamptz,
  ended_at timestamptz,
  unique (event_id, hold_id),
  check (complimentary or paid_at is null or paid_attempt_id is not null or total_amount = 0),
  check (state not in ('paid', 'refunded', 'part_refunded') or paid_at is not null),
  foreign key (event_id, hold_id) references holds
);
create index orders_by_account on orders (event_id, account);
create index orders_by_state on orders (state, created_at);

create table order_lines (
  order_id text not null references orders,
  line_no integer not null check (line_no > 0),
  event_id text not null,
  kind text not null check (kind in ('seat', 'zone', 'addon', 'product', 'fee', 'tax')),
  seat_id text,
  zone_id text,
  addon_id text,
  variant text,
  label text not null,
  quantity integer not null check (quantity > 0),
  unit_amount bigint not null check (unit_amount >= 0),
  amount bigint not null check (amount = unit_amount * quantity),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  primary key (order_id, line_no),
  check ((kind = 'seat') = (seat_id is not null)),
  check (kind <> 'zone' or zone_id is not null),
  check (kind <> 'addon' or addon_id is not null)
);

create table payment_intents (
  id text primary key,
  order_id text not null unique references orders,
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null default now()
);

create table payment_attempts (
  id text primary key,
  order_id text not null references orders,
  intent_id text not null references payment_intents,
  event_id text not null,
  key text not null check (key ~ '^[\x21-\x7e]{1,255}$'),
  request_hash text not null,
  provider text not null,
  provider_account text not null default '',
  provider_ref text,
  method text not null,
  instalments integer not null default 1 check (instalments between 1 and 36),
  origin text not null check (origin in ('press', 'retry_after_error', 'resume', 'own_retry')),
  state text not null default 'created'
    check (state in ('created', 'sent', 'succeeded', 'failed', 'unknown')),
  reason text,
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- What the provider says it charged; may differ from what was asked, and is then never confirmed.
  captured_amount bigint check (captured_amount >= 0),
  captured_currency text check (captured_currency ~ '^[A-Z]{3}$'),
  -- What became of a success: it paid its order, got a refund, or waits for a person.
  settled text check (settled in ('order', 'refund', 'review')),
  settled_at timestamptz,
  settle_tries integer not null default 0,
  settle_error text,
  fenced_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  inquiries integer not null default 0,
  next_inquiry_at timestamptz,
  reply_status integer,
  reply_body text,
  request_id text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (order_id, key),
  check (state = 'created' or provider_ref is not null or state = 'failed'),
  check ((state = 'succeeded') = (captured_amount is not null)),
  check ((captured_amount is null) = (captured_currency is null)),
  check (settled is null or state = 'succeeded')
);
create unique index payment_attempts_one_in_flight on payment_attempts (order_id)
  where state in ('created', 'sent', 'unknown');
create unique index payment_attempts_by_ref
  on payment_attempts (provider, provider_account, provider_ref);
create index payment_attempts_open on payment_attempts (next_inquiry_at)
  where state in ('created', 'sent', 'unknown');
create index payment_attempts_unsettled on payment_attempts (ended_at)
  where state = 'succeeded' and settled is null;
alter table orders add foreign key (paid_attempt_id) references payment_attempts;

create table refunds (
  id text primary key,
  order_id text not null references orders,
  attempt_id text not null references payment_attempts,
  event_id text not null,
  -- The caller's key; a refund made by ourselves has `auto:<attempt>`.
  key text not null,
  request_hash text not null default '',
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The tickets it voids once it has succeeded; none: money only.
  tickets text[] not null default '{}',
  reason text not null,
  created_by text not null,
  state text not null default 'created'
    check (state in ('created', 'sent', 'succeeded', 'failed', 'unknown')),
  failure text,
  provider_ref text,
  tries integer not null default 0,
  lease_owner text,
  lease_until timestamptz,
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (order_id, key)
);
create index refunds_by_attempt on refunds (attempt_id);
create index refunds_open on refunds (next_try_at) where state in ('created', 'sent', 'unknown');

create table tickets (
  id text primary key,
  event_id text not null,
  order_id text not null references orders,
  line_no integer not null,
  -- Which unit of the line, from 1: a standing line of three gives three tickets.
  unit integer not null default 1 check (unit > 0),
  seat_id text,
  zone_id text not null,
  state text not null default 'valid' check (state in ('valid', 'used', 'void')),
  -- Raised when the ticket is handed to another person: older codes are worthless.
  issue integer not null default 1 check (issue > 0),
  holder_name text,
  used_at timestamptz,
  used_by text,
  voided_at timestamptz,
  created_at timestamptz not null default now(),
  check ((state = 'void') = (voided_at is not null)),
  foreign key (order_id, line_no) references order_lines
);
-- The last line of defence: it refuses even a hand-written INSERT.
create unique index tickets_one_per_seat on tickets (event_id, seat_id)
  where state <> 'void' and seat_id is not null;
create unique index tickets_one_per_unit on tickets (order_id, line_no, unit)
  where state <> 'void';

create table idempotency_keys (
  scope text not null,
  key text not null check (key ~ '^[\x21-\x7e]{1,255}$'),
  request_hash text not null,
  state text not null default 'in_flight' check (state in ('in_flight', 'done')),
  lease_owner text,
  lease_until timestamptz,
  status integer,
  content_type text,
  -- The recorded reply: its exact bytes, or the verdict they are made from without loss.
  body text,
  verdict jsonb,
  created_at timestamptz not null default now(),
  primary key (scope, key),
  check (state = 'in_flight' or body is not null or verdict is not null)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table idempotency_shadow (
  id text primary key,
  route text not null,
  scope text not null,
  key text not null,
  would text not null check (would in ('block_in_flight', 'replay', 'refuse_body')),
  first_request jsonb not null,
  second_request jsonb not null,
  mark text check (mark in ('true_positive', 'false_positive')),
  marked_by text,
  created_at timestamptz not null default now()
);
create index idempotency_shadow_by_route on idempotency_shadow (route, created_at);

create table webhook_events (
  provider text not null,
  account text not null default '',
  provider_event_id text not null,
  type text not null,
  provider_ref text,
  payload jsonb not null,
  state text not null check (state in ('applied', 'parked', 'ignored')),
  result text,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  primary key (provider, account, provider_event_id)
);
create index webhook_events_parked on webhook_events (provider, provider_ref)
  where state = 'parked';

-- What happens after a commit, written by the statement that causes it.
create table outbox (
  id text primary key,
  -- Orders the events of one order among themselves; never a cursor for the relay.
  seq bigint generated always as identity,
  event_id text,
  order_id text,
  kind text not null,
  payload jsonb not null,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now()
);
create index outbox_waiting on outbox (seq) where enqueued_at is null;

create table mails (
  message_id text primary key,
  outbox_id text,
  order_id text,
  kind text not null,
  recipient text,
  state text not null check (state in ('sending', 'sent', 'failed')),
  tries integer not null default 0,
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);

create table page_events (
  id bigint generated always as identity primary key,
  order_id text not null references orders,
  attempt_id text,
  kind text not null,
  at timestamptz not null default now()
);
create index page_events_by_order on page_events (order_id, id);

-- Append-only, each entry hashed with the one before it.
create table audit_log (
  seq bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  event_id text,
  target text,
  details jsonb not null default '{}',
  request_id text,
  prev_hash bytea,
  hash bytea not null
);
create index audit_log_by_event on audit_log (event_id, seq);

create table organizer_keys (
  id text primary key,
  key_hash bytea not null unique,
  name text not null,
  role text not null check (role in ('owner', 'operator', 'viewer')),
  -- The events it is good for; `*` for all.
  events text[] not null default '{*}',
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table settlement_lines (
  provider text not null,
  provider_account text not null default '',
  line_id text not null,
  day date not null,
  kind text not null check (kind in ('charge', 'refund')),
  provider_ref text not null,
  order_ref text,
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  occurred_at timestamptz not null,
  imported_at timestamptz not null default now(),
  primary key (provider, provider_account, line_id)
);
create index settlement_lines_by_day on settlement_lines (provider, day);
create index settlement_lines_by_ref on settlement_lines (provider, provider_ref);

create table reconciliation_runs (
  id text primary key,
  provider text not null,
  day date not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  counts jsonb not null default '{}',
  error text,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  reported_at timestamptz
);
create index reconciliation_runs_by_day on reconciliation_runs (provider, day);

create table discrepancies (
  id text primary key,
  run_id text not null references reconciliation_runs,
  provider text not null,
  day date not null,
  class text not null check (class in (
    'unknown_charge', 'ghost_charge', 'missing_charge', 'amount_differs', 'double_charge',
    'refund_mismatch', 'seat_without_order', 'order_without_tickets')),
  -- What it is about (provider reference, order or seat): found again it is the same one.
  reference text not null,
  attempt_id text,
  order_id text,
  details jsonb not null default '{}',
  state text not null default 'open' check (state in ('open', 'repairing', 'repaired', 'queued', 'dismissed')),
  repair text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (provider, day, class, reference)
);

-- Statistics before there is anything to count. A planner that knows nothing takes `event_id` for
-- nearly unique and is content with any index that begins with it; the plan it makes for an empty
-- table is then kept while the first sale fills it (tried: 5 ms for a batch of holds became 100 ms
-- within 20,000 holds). So each hot table once holds a thousand rows of two events, for ANALYZE to see.
insert into holds (event_id, id, place, account, request, total_amount, currency, units, expires_at,
  cap_at)
select 'e' || n % 2, 'h' || n, 'p' || n, 'a' || n, '{}', 0, 'EUR', 1, now(), now()
from generate_series(1, 1000) n;
insert into hold_seats (event_id, hold_id, seat_id, zone_id, price)
select 'e' || n % 2, 'h' || n, 's' || n, 'z', 0 from generate_series(1, 1000) n;
insert into hold_zones (event_id, hold_id, zone_id, quantity, price, held_until)
select 'e' || n % 2, 'h' || n, 'z', 1, 0, now() + n * interval '1 second'
from generate_series(1, 1000) n;
insert into hold_addons (event_id, hold_id, addon_id, quantity, price, held_until)
select 'e' || n % 2, 'h' || n, 'x', 1, 0, now() + n * interval '1 second'
from generate_series(1, 1000) n;
insert into purchase_counters (event_id, account)
select 'e' || n % 2, 'a' || n from generate_series(1, 1000) n;
insert into admissions (event_id, place, gen)
select 'e' || n % 2, 'p' || n, 0 from generate_series(1, 1000) n;
insert into idempotency_keys (scope, key, request_hash)
select 's' || n % 100, 'k' || n, '' from generate_series(1, 1000) n;
analyze holds, hold_seats, hold_zones, hold_addons, purchase_counters, admissions, idempotency_keys;
delete from holds;
delete from hold_seats;
delete from hold_zones;
delete from hold_addons;
delete from purchase_counters;
delete from admissions;
delete from idempotency_keys;
