// What a mail says, read when it is sent: an address corrected meanwhile is the one that counts.

/** The crowd of a rehearsal has no mailbox. */
const PARTIES = `
  o.id, o.event_id as event, case when e.rehearsal_of is null then o.buyer_email end as email, o.buyer_name as name,
  o.buyer_locale as locale, o.reseated, o.total_amount as amount, o.currency,
  e.name as "eventName", e.venue, iso_time(e.starts_at) as "startsAt", e.time_zone as "timeZone"`;

const TICKETS = `
  (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'state', t.state, 'zone', z.name,
      'section', c.name, 'row', s.row_id, 'number', s.number) order by t.line_no, t.unit, t.id), '[]')
    from tickets t
      join zones z on z.event_id = t.event_id and z.zone_id = t.zone_id
      left join seats s on s.event_id = t.event_id and s.seat_id = t.seat_id
      left join sections c on c.event_id = s.event_id and c.section_id = s.section_id
    where t.order_id = o.id) as tickets`;

export const ORDER_FACTS = `
  select ${PARTIES}, ${TICKETS},
    (select coalesce(sum(l.amount) filter (where l.kind = 'fee'), 0)
      from order_lines l where l.order_id = o.id)::bigint as fees,
    (select coalesce(sum(l.amount) filter (where l.kind = 'tax'), 0)
      from order_lines l where l.order_id = o.id)::bigint as tax,
    (select a.request_id from payment_attempts a
      where a.order_id = o.id and a.state = 'succeeded' order by a.created_at limit 1) as "requestId"
  from orders o join events e on e.event_id = o.event_id
  where o.id = $1`;

export type TicketFacts = {
  id: string;
  state: "valid" | "void" | "used";
  zone: string;
  section: string | null;
  row: string | null;
  number: number | null;
};

export type OrderFacts = {
  id: string;
  event: string;
  email: string | null;
  name: string | null;
  locale: string | null;
  reseated: boolean;
  amount: number;
  /** Of the amount. */
  fees: number;
  tax: number;
  currency: string;
  eventName: string;
  venue: string;
  startsAt: string;
  timeZone: string;
  /** Of the request that paid. */
  requestId: string | null;
  tickets: TicketFacts[];
};

/** `issue` is the one that the mail is about: a ticket handed on again gets another mail. */
export const TRANSFER_FACTS = `
  select t.order_id as order, t.holder_email as email, t.holder_name as name,
    t.holder_locale as locale, e.name as "eventName", e.venue, iso_time(e.starts_at) as "startsAt",
    e.time_zone as "timeZone",
    jsonb_build_object('id', t.id, 'state', t.state, 'zone', z.name, 'section', c.name,
      'row', s.row_id, 'number', s.number) as ticket
  from tickets t
    join events e on e.event_id = t.event_id
    join zones z on z.event_id = t.event_id and z.zone_id = t.zone_id
    left join seats s on s.event_id = t.event_id and s.seat_id = t.seat_id
    left join sections c on c.event_id = s.event_id and c.section_id = s.section_id
  where t.id = $1 and t.issue = $2 and t.holder_email is not null`;

export type TransferFacts = {
  order: string;
  email: string;
  name: string | null;
  locale: string | null;
  eventName: string;
  venue: string;
  startsAt: string;
  timeZone: string;
  ticket: TicketFacts;
};

/**
 * Committed before anything is sent; `mine` means: send it. A mail that the server has taken or
 * refused for good is never begun again, and one that somebody is sending just now not yet. What it
 * says was read a moment ago; who was erased since is `gone`, and the address is not written down
 * again: the rows that an erasure changes are read here under a lock.
 */
export const BEGIN_MAIL = `
  with buyer as (
    select 1 from orders
    where id = $3 and $4::text <> 'transfer' and buyer_email is not null for share
  ), holder as (
    select 1 from tickets
    where order_id = $3 and $4::text = 'transfer' and lower(holder_email) = lower($5)
    order by id for share
  ), person as (
    select 1 from accounts where id = $7 and email is not null for share
  ), wanted as (
    select 1 where ($3::text is null and $7::text is null) or exists (select 1 from buyer)
      or exists (select 1 from holder) or exists (select 1 from person)
  ), begun as (
    insert into mails as m (message_id, outbox_id, order_id, kind, recipient, state, tries,
      lease_until)
    select $1, $2, $3, $4, $5, 'sending', 1, clock_timestamp() + $6::integer * interval '1 ms'
    from wanted
    on conflict (message_id) do update
      set tries = m.tries + 1, recipient = excluded.recipient, error = null,
        lease_until = excluded.lease_until
      where m.state = 'sending' and coalesce(m.lease_until, '-infinity') < clock_timestamp()
    returning 1
  )
  select exists (select 1 from begun) as mine, not exists (select 1 from wanted) as gone,
    coalesce((select state from mails where message_id = $1), 'sending') as state`;

export type BegunMail = { mine: boolean; gone: boolean; state: "sending" | "sent" | "failed" };

export const END_MAIL = `
  update mails set state = $2, error = $3, lease_until = null,
    sent_at = case when $2 = 'sent' then clock_timestamp() end
  where message_id = $1`;

export const NOTE_MAIL_ERROR =
  "update mails set error = $2, lease_until = null where message_id = $1";
