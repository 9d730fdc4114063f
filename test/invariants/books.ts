// Attempt by attempt against the provider's own books, and refunds against what was captured.
import type { Db } from "../../core/db/db.ts";
import { brokenMoney, type ProviderCharge } from "./money.ts";

export type Charge = ProviderCharge & { readonly attempt: string };

type Attempt = { id: string; state: string; settled: string | null; ref: string | null };

const REFUNDS = `
  select 'refunds of attempt ' || a.id || ' are ' || sum(r.amount) || ' of ' || a.captured_amount
      as broken
    from refunds r join payment_attempts a on a.id = r.attempt_id
    where r.state <> 'failed' group by a.id, a.captured_amount
    having sum(r.amount) > a.captured_amount
  union all
  select 'order ' || order_id || ' has two attempts in flight' from payment_attempts
    where state in ('created', 'sent', 'unknown') group by order_id having count(*) > 1
  union all
  select 'order ' || o.id || ' was paid with attempt ' || a.id || ', which is ' || a.state
    from orders o join payment_attempts a on a.id = o.paid_attempt_id
    where a.state <> 'succeeded'
  union all
  select 'order ' || o.id || ' costs ' || o.total_amount || ', its lines ' || sum(l.amount)
    from orders o join order_lines l on l.order_id = o.id
    where not o.complimentary
    group by o.id, o.total_amount having sum(l.amount) <> o.total_amount`;

/** Pure: what we say of each attempt is what the provider says of it. */
export function judgeAttempts(charges: readonly Charge[], attempts: readonly Attempt[]): string[] {
  const broken: string[] = [];
  const known = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const succeeded = new Set<string>();
  for (const charge of charges) {
    if (charge.state !== "succeeded") continue;
    succeeded.add(charge.attempt);
    const state = known.get(charge.attempt)?.state ?? "unknown to us";
    if (state !== "succeeded") broken.push(`attempt ${charge.attempt} was charged and is ${state}`);
  }
  for (const { id, state } of attempts)
    if (state === "succeeded" && !succeeded.has(id))
      broken.push(`attempt ${id} succeeded here and was never charged`);
  return broken;
}

export async function brokenBooks(
  db: Pick<Db, "read">,
  charges: readonly Charge[],
): Promise<string[]> {
  const attempts = await db.read<Attempt>(
    "select id, state, settled, provider_ref as ref from payment_attempts",
  );
  const rows = await db.read<{ broken: string }>(REFUNDS);
  // A wrong amount is recorded, never confirmed, and waits for a person: its order stays unpaid.
  const reviewed = new Set(
    attempts.flatMap(({ id, settled }) => (settled === "review" ? [id] : [])),
  );
  return [
    ...rows.map(({ broken }) => broken),
    ...judgeAttempts(charges, attempts),
    ...(await brokenMoney(
      db,
      charges.filter(({ attempt }) => !reviewed.has(attempt)),
    )),
  ];
}
