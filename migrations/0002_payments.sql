-- The signed code of a ticket, kept once made: ECDSA signs differently each time, and a ticket
-- printed yesterday must look like the one on the phone today. A new issue gets a new code.
alter table tickets add column code text;

-- The admission that made the order, so that its slot can be given back when the order is paid.
alter table orders add column admission_jti text;

-- Settlement is retried; the job waits longer after each failure.
alter table payment_attempts add column next_settle_at timestamptz;
