// Many paid orders at once, in our books and in the simulator's own, without a payment each.
import { newId } from "../../../shared/ids.ts";
import type { TestCore } from "./harness.ts";
import { FLOOR_PRICE, openSale, unique } from "./sale.ts";

export type BulkOrder = {
  order: string;
  attempt: string;
  ref: string;
  /** When the provider says it took the money, and when we wrote it down. */
  chargedAt: number;
  endedAt: number;
};

const ROWS = `
  with rows as (
    select * from jsonb_to_recordset($2::jsonb) as r ("order" text, hold text, attempt text,
      intent text, ref text, "endedAt" double precision, email text)
  ), h as (
    insert into holds (event_id, id, place, account, request, total_amount, currency, units, state,
        expires_at, cap_at, ended_at)
      select $1, hold, hold, hold, '{}', $3::bigint, $4, 1, 'sold', now(), now(), now() from rows
  ), l as (
    insert into hold_zones (event_id, hold_id, zone_id, quantity, price, held_until, state)
      select $1, hold, 'floor', 1, $3::bigint, now(), 'sold' from rows
  ), c as (
    insert into purchase_counters (event_id, account, sold) select $1, hold, 1 from rows
  ), o as (
    insert into orders (id, event_id, hold_id, place, account, buyer_email, buyer_name,
        buyer_locale, total_amount, currency, state, paid_attempt_id, paid_at)
      select "order", $1, hold, hold, hold, email, 'Ayşe Işık', 'tr', $3::bigint, $4, 'paid',
        attempt, to_timestamp("endedAt" / 1000) from rows
  ), i as (
    insert into payment_intents (id, order_id, amount, currency)
      select intent, "order", $3::bigint, $4 from rows
  ), n as (
    insert into order_lines (order_id, line_no, event_id, kind, zone_id, label, quantity,
        unit_amount, amount, currency)
      select "order", 1, $1, 'zone', 'floor', 'Floor', 1, $3::bigint, $3::bigint, $4 from rows
  ), t as (
    insert into tickets (id, event_id, order_id, line_no, zone_id)
      select 'tkt_' || attempt, $1, "order", 1, 'floor' from rows
  ), z as (
    update zones set sold = sold + (select count(*) from rows)
      where event_id = $1 and zone_id = 'floor'
  )
  insert into payment_attempts (id, order_id, intent_id, event_id, key, request_hash, provider,
      provider_ref, method, origin, state, amount, currency, captured_amount, captured_currency,
      settled, settled_at, sent_at, ended_at, created_at)
    select attempt, "order", intent, $1, attempt, '', 'simulator', ref, 'pm_ok', 'press',
      'succeeded', $3::bigint, $4, $3::bigint, $4, 'order', now(), now(),
      to_timestamp("endedAt" / 1000), to_timestamp("endedAt" / 1000)
    from rows`;

/** @param times of each order: when it was charged there and recorded here. */
export async function paidOrders(
  core: TestCore,
  times: readonly { chargedAt: number; endedAt: number }[],
  currency = "TRY",
): Promise<BulkOrder[]> {
  const { event } = await openSale(core, { currency, capacity: times.length });
  const made = times.map((at) => {
    const order = newId("ord");
    const attempt = newId("att");
    const ref = charge(core, { order, attempt, currency, at: at.chargedAt });
    return { ...at, order, attempt, ref };
  });
  const rows = made.map((one) => ({
    ...one,
    hold: newId("hold"),
    intent: newId("pi"),
    email: `${unique("fan")}@example.com`,
  }));
  await core.db.write(ROWS, [event, JSON.stringify(rows), FLOOR_PRICE, currency], { slow: true });
  return made;
}

/** A charge in the simulator's books alone. */
export function charge(
  core: TestCore,
  input: { order: string; attempt: string; currency: string; at: number },
): string {
  const { ledger } = core.psp;
  const made = ledger.create(input.attempt, {
    reference: input.order,
    attempt: input.attempt,
    key: input.attempt,
    amount: FLOOR_PRICE,
    currency: input.currency,
    method: "pm_ok",
    instalments: 1,
  });
  if (!("charge" in made)) throw new Error("a new charge");
  made.charge.calls.confirm = 1;
  ledger.conclude(made.charge, "succeeded", input.at);
  return made.charge.id;
}

/** A second charge of each order, of which the buyer has heard nothing yet. */
export async function chargeAgain(core: TestCore, orders: readonly BulkOrder[]): Promise<string[]> {
  const rows = orders.map(({ order, chargedAt }) => {
    const attempt = newId("att");
    return {
      order,
      attempt,
      ref: charge(core, { order, attempt, currency: "TRY", at: chargedAt }),
    };
  });
  await core.db.write(
    `insert into payment_attempts (id, order_id, intent_id, event_id, key, request_hash, provider,
        provider_ref, method, origin, state, amount, currency, captured_amount, captured_currency,
        settled, settled_at, sent_at, ended_at)
      select r.attempt, r."order", i.id, o.event_id, r.attempt, '', 'simulator', r.ref, 'pm_ok',
        'retry_after_error', 'succeeded', i.amount, i.currency, i.amount, i.currency, 'refund',
        now(), now(), now()
      from jsonb_to_recordset($1::jsonb) as r ("order" text, attempt text, ref text)
      join orders o on o.id = r."order" join payment_intents i on i.order_id = o.id`,
    [JSON.stringify(rows)],
    { slow: true },
  );
  return rows.map(({ ref }) => ref);
}
