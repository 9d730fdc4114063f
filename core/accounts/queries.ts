// Accounts. Each statement is guarded by what it changes: a code is tried and used up in one step.

/** The same whether the account is new or old; a new code ends the one before it. */
export const ASK_CODE = `
  with account as (
    insert into accounts as a (id, email, email_folded, locale, code_hash, code_expires_at)
    values ($1, $2, $3, $4, decode($5, 'hex'),
      clock_timestamp() + $6::integer * interval '1 minute')
    on conflict (email_folded) do update
      set email = case when a.verified_at is null then excluded.email else a.email end,
        locale = coalesce(excluded.locale, a.locale), code_hash = excluded.code_hash,
        code_expires_at = excluded.code_expires_at, code_tries = 0
    returning id
  )
  insert into outbox (id, kind, payload)
  select 'out_' || gen_random_uuid(), 'account.code',
    jsonb_build_object('account', id, 'nonce', $7::text)
  from account returning 1`;

/** Counts the try before the code is looked at, so parallel tries cannot have more than five. */
export const TAKE_TRY = `
  update accounts set code_tries = code_tries + 1
  where email_folded = $1 and code_hash is not null and code_tries < 5
    and code_expires_at > clock_timestamp()
  returning id, encode(code_hash, 'hex') as hash`;

export const OPEN_SESSION = `
  with account as (
    update accounts
    set code_hash = null, code_expires_at = null,
      verified_at = coalesce(verified_at, clock_timestamp())
    where id = $1 and code_hash = decode($2, 'hex') returning id
  )
  insert into account_sessions (token_hash, account_id, expires_at)
  select decode($3, 'hex'), id, clock_timestamp() + $4::integer * interval '1 day' from account
  returning account_id as id`;

export const SESSION = `
  select a.id from account_sessions s join accounts a on a.id = s.account_id
  where s.token_hash = decode($1, 'hex') and s.expires_at > clock_timestamp()
    and a.erased_at is null`;

export const CLOSE_SESSION = "delete from account_sessions where token_hash = decode($1, 'hex')";

export const CODE_FACTS = `
  select email, email_folded as folded, locale, encode(code_hash, 'hex') as hash
  from accounts
  where id = $1 and code_hash is not null and code_expires_at > clock_timestamp()`;

export type CodeFacts = { email: string; folded: string; locale: string | null; hash: string };

export const ACCOUNT_VIEW = `
  select jsonb_build_object('id', a.id, 'email', a.email,
    'registrations', (select coalesce(jsonb_agg(jsonb_build_object('event', r.event_id,
        'name', e.name, 'startsAt', iso_time(e.starts_at), 'timeZone', e.time_zone,
        'at', iso_time(r.created_at)) order by e.starts_at), '[]')
      from registrations r join events e on e.event_id = r.event_id where r.account_id = a.id),
    'orders', (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'event', o.event_id,
        'name', e.name, 'startsAt', iso_time(e.starts_at), 'timeZone', e.time_zone,
        'state', o.state, 'createdAt', iso_time(o.created_at)) order by o.created_at desc), '[]')
      from (select * from orders where account = $2 and account like '%|%'
        order by created_at desc limit 200) o join events e on e.event_id = o.event_id)) as view
  from accounts a where a.id = $1 and a.email is not null`;

/** Once per person and event; again is the same registration. Past the sale's end: no row. */
export const REGISTER = `
  with made as (
    insert into registrations (event_id, account_id)
    select e.event_id, $2 from events e
    where e.event_id = $1 and e.state <> 'cancelled' and e.rehearsal_of is null
      and (e.sale_closes_at is null or e.sale_closes_at > sale_clock())
    on conflict (event_id, account_id) do nothing
    returning created_at
  )
  select iso_time(created_at) as at, true as made from made
  union all
  select iso_time(created_at), false from registrations where event_id = $1 and account_id = $2
  limit 1`;

export const EVENT_STATE = `
  select state = 'cancelled' or coalesce(sale_closes_at <= sale_clock(), false) as over
  from events where event_id = $1`;

/** Addresses that somebody typed and nobody confirmed, and sessions past their end. */
export const PRUNE_ACCOUNTS = `
  with strangers as (
    delete from accounts where id in (
      select id from accounts
      where verified_at is null and erased_at is null
        and created_at < clock_timestamp() - interval '1 day'
        and coalesce(code_expires_at, '-infinity') < clock_timestamp() limit $1)
    returning 1
  ), ended as (
    delete from account_sessions where token_hash in (
      select token_hash from account_sessions where expires_at < clock_timestamp() limit $1)
    returning 1
  )
  select (select count(*) from strangers) + (select count(*) from ended) as count`;
