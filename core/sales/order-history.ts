// Everything that happened to one order, from all the tables that know a piece of it, in one list.
import type { OrderHistory } from "../../shared/contract/sales.ts";
import type { Deps } from "../context.ts";

const ENTRIES_MAX = 500;

const HISTORY = `
  with entries (at, kind, what, details) as (
    select o.created_at, 'order', 'created', jsonb_build_object('place', o.place,
        'amount', o.total_amount, 'currency', o.currency) from orders o where o.id = $1
    union all
    select o.paid_at, 'order', 'paid', jsonb_build_object('attempt', o.paid_attempt_id,
        'reseated', o.reseated) from orders o where o.id = $1 and o.paid_at is not null
    union all
    select o.ended_at, 'order', o.state, '{}' from orders o where o.id = $1 and o.ended_at is not null
    union all
    select a.created_at, 'attempt', 'created', jsonb_build_object('attempt', a.id,
        'method', a.method, 'origin', a.origin, 'amount', a.amount, 'currency', a.currency)
      from payment_attempts a where a.order_id = $1
    union all
    select a.sent_at, 'attempt', 'sent', jsonb_build_object('attempt', a.id,
        'reference', a.provider_ref, 'unknownCause', a.unknown_cause, 'inquiries', a.inquiries)
      from payment_attempts a where a.order_id = $1 and a.sent_at is not null
    union all
    select a.ended_at, 'attempt', a.state, jsonb_build_object('attempt', a.id, 'why', a.reason,
        'captured', a.captured_amount, 'settled', a.settled)
      from payment_attempts a where a.order_id = $1 and a.ended_at is not null
    union all
    select r.created_at, 'refund', 'created', jsonb_build_object('refund', r.id,
        'amount', r.amount, 'currency', r.currency, 'tickets', cardinality(r.tickets),
        'reason', r.reason, 'by', r.created_by) from refunds r where r.order_id = $1
    union all
    select r.ended_at, 'refund', r.state, jsonb_build_object('refund', r.id, 'why', r.failure)
      from refunds r where r.order_id = $1 and r.ended_at is not null
    union all
    select p.at, 'page', p.kind, jsonb_build_object('attempt', p.attempt_id)
      from page_events p where p.order_id = $1
    union all
    select coalesce(m.sent_at, m.created_at), 'mail', m.kind || ' ' || m.state,
        jsonb_build_object('tries', m.tries, 'why', m.error) from mails m where m.order_id = $1
    union all
    select w.received_at, 'webhook', w.type, jsonb_build_object('state', w.state,
        'result', w.result)
      from webhook_events w join payment_attempts a
        on a.provider = w.provider and a.provider_ref = w.provider_ref
      where a.order_id = $1
    union all
    select s.at, 'door', s.result, jsonb_build_object('ticket', s.ticket_id, 'gate', s.gate)
      from ticket_scans s join tickets t on t.id = s.ticket_id where t.order_id = $1
    union all
    select l.at, 'audit', l.action, l.details || jsonb_build_object('by', l.actor)
      from audit_log l where l.event_id = (select event_id from orders where id = $1)
        and l.target = $1
  )
  select iso_time(at) as at, kind, what, jsonb_strip_nulls(details) as details
  from entries order by entries.at, kind, what limit $2`;

export async function readOrderHistory(
  deps: Pick<Deps, "db">,
  order: string,
): Promise<OrderHistory> {
  const entries = await deps.db.read<OrderHistory["entries"][number]>(HISTORY, [
    order,
    ENTRIES_MAX,
  ]);
  return { entries };
}
