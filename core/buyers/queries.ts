// What belongs to a buyer, found by what the buyer has proved: an order's token, or an address.

/**
 * The same one row for every address, so that neither the answer nor its time tells whether there
 * are orders; the address itself is not written down again.
 */
export const ASK_LINKS = `
  insert into outbox (id, kind, payload)
  select 'out_' || gen_random_uuid(), 'order.links', jsonb_build_object('orders',
    (select coalesce(jsonb_agg(id), '[]') from (
      select id from orders where lower(buyer_email) = lower($1)
      order by created_at desc limit 20) o), 'locale', $2::text)
  returning 1`;

/** Orders whose addresses were changed since they were asked for are left out. */
export const LINK_FACTS = `
  select o.id, o.buyer_email as email, o.buyer_name as name, o.buyer_locale as locale, o.state,
    e.name as "eventName", iso_time(e.starts_at) as "startsAt", e.time_zone as "timeZone"
  from orders o join events e on e.event_id = o.event_id
  where o.id = any ($1) and o.buyer_email is not null order by o.created_at desc`;

export type LinkFacts = {
  id: string;
  email: string;
  name: string | null;
  locale: string | null;
  state: string;
  eventName: string;
  startsAt: string;
  timeZone: string;
};

export const MAIL_AGAIN = `
  insert into outbox (id, event_id, order_id, kind, payload)
  select 'out_' || gen_random_uuid(), event_id, id, 'order.mail_again',
    jsonb_build_object('order', id)
  from orders where id = $1 and state in ('paid', 'part_refunded') and buyer_email is not null
  returning 1`;

/** Everything kept about these orders, in our own words and with nobody else's data. */
export const EXPORT_ORDERS = `
  select jsonb_build_object('id', o.id, 'event', o.event_id, 'state', o.state,
    'createdAt', iso_time(o.created_at), 'paidAt', iso_time(o.paid_at),
    'buyer', jsonb_build_object('email', o.buyer_email, 'name', o.buyer_name,
      'locale', o.buyer_locale),
    'total', jsonb_build_object('amount', o.total_amount, 'currency', o.currency),
    'lines', (select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'label', l.label,
        'quantity', l.quantity, 'amount', l.amount) order by l.line_no), '[]')
      from order_lines l where l.order_id = o.id),
    'payments', (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'method', a.method,
        'state', a.state, 'amount', a.amount, 'currency', a.currency,
        'at', iso_time(a.created_at)) order by a.created_at), '[]')
      from payment_attempts a where a.order_id = o.id),
    'refunds', (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'state', r.state,
        'amount', r.amount, 'currency', r.currency, 'at', iso_time(r.created_at))
        order by r.created_at), '[]') from refunds r where r.order_id = o.id),
    'tickets', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', t.id,
        'seat', t.seat_id, 'zone', t.zone_id, 'state', t.state,
        'holder', case when t.transferred_at is null then t.holder_name end,
        'usedAt', iso_time(t.used_at), 'usedGate', t.used_by,
        'handedOnAt', iso_time(t.transferred_at))) order by t.line_no, t.unit), '[]')
      from tickets t where t.order_id = o.id),
    'mails', (select coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'state', m.state,
        'recipient', m.recipient, 'at', iso_time(m.created_at)) order by m.created_at), '[]')
      from mails m where m.order_id = o.id and m.kind <> 'transfer'),
    'page', (select coalesce(jsonb_agg(jsonb_build_object('kind', p.kind, 'at', iso_time(p.at))
        order by p.id), '[]') from page_events p where p.order_id = o.id)) as view
  from orders o
  where o.id = $1
    or ($2::text is not null and o.account = $2 and o.account like '%|%')
    or ($3::text is not null and lower(o.buyer_email) = lower($3))
  order by o.created_at limit 1000`;

export const EXPORT_ACCOUNT = `
  select jsonb_build_object('id', a.id, 'email', a.email, 'name', a.name, 'locale', a.locale,
    'createdAt', iso_time(a.created_at), 'verifiedAt', iso_time(a.verified_at),
    'registrations', (select coalesce(jsonb_agg(jsonb_build_object('event', r.event_id,
        'at', iso_time(r.created_at)) order by r.created_at), '[]')
      from registrations r where r.account_id = a.id),
    'sessions', (select coalesce(jsonb_agg(jsonb_build_object('since', iso_time(s.created_at),
        'until', iso_time(s.expires_at)) order by s.created_at), '[]')
      from account_sessions s where s.account_id = a.id)) as view, a.email
  from accounts a where a.id = $1 and a.email is not null`;

/** Tickets that others handed to an address which has been proved, without the giver's data. */
export const EXPORT_RECEIVED = `
  select jsonb_strip_nulls(jsonb_build_object('id', t.id, 'event', t.event_id, 'seat', t.seat_id,
    'zone', t.zone_id, 'state', t.state, 'holder', t.holder_name, 'email', t.holder_email,
    'locale', t.holder_locale, 'receivedAt', iso_time(t.transferred_at),
    'usedAt', iso_time(t.used_at), 'usedGate', t.used_by)) as view
  from tickets t where lower(t.holder_email) = lower($1)
  order by t.transferred_at limit 1000`;
