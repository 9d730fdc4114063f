-- More time for who asked for it, once a hold.
alter table holds add column extended_at timestamptz;

-- Used DPoP proofs while Redis is away: the memory that all processes share then. Unlogged, since what a
-- crash of the server forgets was good for a minute, and each admitted request writes here meanwhile.
create unlogged table used_proofs (
  -- SHA-256 of key and proof id.
  proof bytea primary key,
  until timestamptz not null
);
create index used_proofs_by_end on used_proofs (until);

-- The same person, event, method and amount as an earlier attempt, in whichever order. Written with the
-- attempt, so that figures only count.
alter table payment_attempts add column same_again boolean not null default false;
create index payment_attempts_by_age on payment_attempts (created_at);
