// The order as its buyer sees it, read in one statement so that its parts agree with each other.

export const ORDER_DOCUMENT = `
  select o.id, o.event_id as event, o.state, o.total_amount as amount, o.currency,
    o.hold_id as hold, o.paid_attempt_id as paid_attempt,
    iso_time(sale_clock()) as now,
    case when o.state = 'pending' then iso_time(greatest(h.expires_at, h.paying_until)) end
      as expires_at,
    (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'state', a.state, 'reason', a.reason,
        'settled', a.settled) order by a.created_at, a.id), '[]')
      from payment_attempts a where a.order_id = o.id) as attempts,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'seat', l.seat_id,
        'zone', l.zone_id, 'addon', l.addon_id, 'label', l.label, 'quantity', l.quantity,
        'amount', l.unit_amount) order by l.line_no), '[]')
      from order_lines l where l.order_id = o.id) as lines,
    (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'state', r.state,
        'amount', r.amount, 'currency', r.currency) order by r.created_at, r.id), '[]')
      from refunds r where r.order_id = o.id) as refunds
  from orders o
  join holds h on h.event_id = o.event_id and h.id = o.hold_id
  where o.id = $1`;

export type OrderRow = {
  id: string;
  event: string;
  state: "pending" | "paid" | "expired" | "cancelled" | "refunded" | "part_refunded";
  amount: number;
  currency: string;
  hold: string;
  paid_attempt: string | null;
  now: string;
  expires_at: string | null;
  attempts: {
    id: string;
    state: "created" | "sent" | "succeeded" | "failed" | "unknown";
    reason: string | null;
    settled: "order" | "refund" | "review" | null;
  }[];
  lines: {
    kind: "seat" | "zone" | "addon" | "product" | "fee" | "tax";
    seat: string | null;
    zone: string | null;
    addon: string | null;
    label: string;
    quantity: number;
    amount: number;
  }[];
  refunds: { id: string; state: string; amount: number; currency: string }[];
};

export const CHANGE_BUYER = `
  with before as (
    select id, buyer_email from orders where id = $1 for update
  ), changed as (
    update orders o
      set buyer_email = coalesce($2, o.buyer_email), buyer_name = coalesce($3, o.buyer_name),
        buyer_locale = coalesce($4, o.buyer_locale), updated_at = sale_clock()
      from before b
      where o.id = b.id and o.state in ('pending', 'paid', 'part_refunded')
      returning o.id, o.event_id, o.state, o.buyer_email is distinct from b.buyer_email as moved
  ), mailed as (
    -- A corrected address gets the tickets that went to the wrong one.
    insert into outbox (id, event_id, order_id, kind, payload)
      select 'out_' || gen_random_uuid(), event_id, id, 'order.mail_again',
        jsonb_build_object('order', id)
      from changed where moved and state <> 'pending'
  )
  select id from changed`;

export const EVENT_OF_ORDER = "select event_id as event from orders where id = $1";

export const LIST_ORDERS = `
  select o.id, o.state, o.buyer_email as email, o.buyer_name as name,
    jsonb_build_object('amount', o.total_amount, 'currency', o.currency) as total,
    iso_time(o.created_at) as "createdAt", iso_time(o.paid_at) as "paidAt",
    (select a.settled = 'review' from payment_attempts a
      where a.order_id = o.id and a.settled = 'review' limit 1) is true as review
  from orders o
  where o.event_id = $1 and ($2::text is null or o.state = $2)
    and ($3::text is null or o.buyer_email = $3)
    and ($4::timestamptz is null or o.created_at < $4)
    and ($6::text is null or o.id = $6 or o.buyer_email ilike $7 or o.buyer_name ilike $7
      or exists (select 1 from order_lines l where l.order_id = o.id and l.seat_id = $6)
      or exists (select 1 from tickets t where t.order_id = o.id and t.id = $6)
      or exists (select 1 from payment_attempts a
        where a.order_id = o.id and (a.id = $6 or a.provider_ref = $6)))
  order by o.created_at desc, o.id limit $5`;

export type ListedOrder = {
  id: string;
  state: OrderRow["state"];
  email: string;
  name: string;
  total: { amount: number; currency: string };
  createdAt: string;
  paidAt: string | null;
  /** Charged another amount than asked: waits for a person. */
  review: boolean;
};
