// What must be true of money and seats when everything is quiet, whatever happened before: read from
// the database and from the provider's own books, each broken rule as a sentence.
import type { Db } from "../../core/db/db.ts";

export type ProviderCharge = {
  id: string;
  reference: string;
  state: "created" | "succeeded" | "failed" | "cancelled";
  amount: number;
  currency: string;
  refunded: number;
  calls: { confirm: number };
};

type Order = { id: string; state: string; total: number; currency: string; tickets: number };

const ORDERS = `
  select o.id, o.state, o.total_amount as total, o.currency,
    (select count(*) from tickets t where t.order_id = o.id and t.state <> 'void') as tickets
  from orders o`;

const OPEN = `
  select 'attempt ' || id || ' has no end: ' || state as broken from payment_attempts
    where state in ('created', 'sent', 'unknown')
  union all
  select 'success ' || id || ' has bought nothing and is not going back' from payment_attempts
    where state = 'succeeded' and settled is null
  union all
  select 'refund ' || id || ' has no end: ' || state from refunds
    where state not in ('succeeded', 'failed')`;

const SEATS = `
  select 'seat ' || s.event_id || '/' || s.seat_id || ' is ' || s.status || ' and has '
      || count(t.id) || ' tickets' as broken
    from seats s left join tickets t on t.event_id = s.event_id and t.seat_id = s.seat_id
      and t.state <> 'void'
    group by s.event_id, s.seat_id, s.status
    having count(t.id) <> case when s.status = 'sold' then 1 else 0 end
  union all
  select 'order ' || o.id || ' is paid and a line of it has no ticket' from orders o
    join order_lines l on l.order_id = o.id and l.kind in ('seat', 'zone')
    where o.state = 'paid' and l.quantity <> (select count(*) from tickets t
      where t.order_id = o.id and t.line_no = l.line_no and t.state <> 'void')
  union all
  select 'zone ' || z.event_id || '/' || z.zone_id || ' sold ' || z.sold from zones z
    where z.kind = 'standing' and z.sold <> (select count(*) from tickets t
      where t.event_id = z.event_id and t.zone_id = z.zone_id and t.state <> 'void')
  union all
  select 'account ' || c.account || ' counts ' || c.sold || ' sold' from purchase_counters c
    where c.sold <> (select count(*) from tickets t join orders o on o.id = t.order_id
      where o.event_id = c.event_id and o.account = c.account and t.state <> 'void')`;

/** Pure: the provider's charges against our orders. */
export function judgeCharges(charges: readonly ProviderCharge[], orders: readonly Order[]) {
  const broken: string[] = [];
  const known = new Map(orders.map((order) => [order.id, order]));
  const kept = new Map<string, number>();
  for (const charge of charges) {
    const { id, calls, state, amount, refunded, reference } = charge;
    if (calls.confirm > 1) broken.push(`charge ${id} was confirmed ${calls.confirm} times`);
    if (refunded > amount) broken.push(`charge ${id} gave back more than it took`);
    if (state !== "succeeded") continue;
    const order = known.get(reference);
    if (order === undefined) broken.push(`charge ${id} is of no order`);
    else if (amount !== order.total || charge.currency !== order.currency)
      broken.push(`charge ${id} took ${amount} for an order of ${order.total}`);
    if (refunded < amount) kept.set(reference, (kept.get(reference) ?? 0) + 1);
  }
  for (const { id, state, total, tickets } of orders) {
    const count = kept.get(id) ?? 0;
    const bought = state === "paid" || state === "part_refunded";
    if (count !== (bought && total > 0 ? 1 : 0))
      broken.push(`order ${id} is ${state} and ${count} of its charges are kept`);
    if (tickets > 0 !== bought) broken.push(`order ${id} is ${state} and has ${tickets} tickets`);
  }
  return broken;
}

export async function brokenMoney(
  db: Pick<Db, "read">,
  charges: readonly ProviderCharge[],
): Promise<string[]> {
  const orders = await db.read<Order>(ORDERS);
  const rows = await db.read<{ broken: string }>(`${OPEN} union all ${SEATS}`);
  return [...rows.map(({ broken }) => broken), ...judgeCharges(charges, orders)];
}
