import type { AttemptFacts } from "./attempt-reply.ts";

export type AttemptRow = AttemptFacts & {
  reply_status: number | null;
  reply_body: string | null;
};

export const ATTEMPT_FACTS = `
  select id, order_id as "order", state, reason, settled, reply_status, reply_body
  from payment_attempts where id = $1`;

export const ATTEMPT_BY_KEY = "select id from payment_attempts where order_id = $1 and key = $2";

/** The first final reply stays: whoever comes second repeats it. */
export const RECORD_REPLY = `
  update payment_attempts set reply_status = coalesce(reply_status, $2),
    reply_body = coalesce(reply_body, $3)
  where id = $1
  returning reply_status, reply_body`;

export const CLAIM_ATTEMPTS = `
  select id, order_id as "order", provider_ref as ref, inquiries
  from claim_due_attempts($1, $2, $3)`;

export type ClaimedAttempt = { id: string; order: string; ref: string; inquiries: number };

export const DUE_ATTEMPT_OF_ORDER = `
  select id from payment_attempts
  where order_id = $1 and state in ('sent', 'unknown') and next_inquiry_at <= sale_clock()`;

export const CLAIM_REFUNDS = `
  select id, order_id as "order", attempt_id as attempt, amount, currency, tries, charge_ref as ref
  from claim_due_refunds($1, $2, $3)`;

export type ClaimedRefund = {
  id: string;
  order: string;
  attempt: string;
  amount: number;
  currency: string;
  tries: number;
  ref: string;
};

export const CLAIM_UNSETTLED = "select order_id from claim_unsettled_orders($1, $2)";

export const RECORD_SETTLE_ERROR = `
  update payment_attempts set settle_error = left($2, 500)
  where order_id = $1 and state = 'succeeded' and settled is null`;

export const PARKED_WEBHOOKS = `
  select e.account, e.provider_event_id as id from webhook_events e
  where e.provider = $1 and e.state = 'parked' and (
    exists (select 1 from payment_attempts a where a.provider = e.provider
      and a.provider_account = e.account and a.provider_ref = e.provider_ref)
    or exists (select 1 from refunds r where r.id = e.payload ->> 'refund' and r.state <> 'created'))
  order by e.received_at limit $2`;

export const REFUND_VIEW = `
  select id, order_id as "order", attempt_id as attempt, state, amount, currency,
    to_jsonb(tickets) as tickets, reason, failure
  from refunds where id = $1`;

export type RefundRow = {
  id: string;
  order: string;
  attempt: string;
  state: "created" | "sent" | "succeeded" | "failed" | "unknown";
  amount: number;
  currency: string;
  tickets: string[];
  reason: string;
  failure: string | null;
};

export const RUNS = `
  select id, provider, day::text as day, state, counts, error, iso_time(started_at) as "startedAt"
  from reconciliation_runs order by started_at desc limit 100`;

export const QUEUE = `
  select id, provider, day::text as day, class, reference, order_id as "order",
    attempt_id as attempt, details, state, iso_time(created_at) as "createdAt"
  from discrepancies where state in ('open', 'queued') order by created_at limit 200`;
