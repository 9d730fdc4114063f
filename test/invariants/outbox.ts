// Every effect exactly once as the buyer sees it: mails are counted by their Message-ID.
import type { Db } from "../../core/db/db.ts";

export type Mail = { readonly messageId: string; readonly to: readonly string[] };

const RULES = `
  select 'outbox row ' || id || ' (' || kind || ') was never handed on' as broken from outbox
    where enqueued_at is null
  union all
  select 'order ' || o.id || ' is ' || o.state || ' and was announced as paid '
      || count(x.id) || ' times'
    from orders o left join outbox x on x.order_id = o.id and x.kind = 'order.paid'
    where not o.complimentary
    group by o.id, o.state, o.paid_at
    having count(x.id) <> case when o.paid_at is null then 0 else 1 end
  union all
  select 'mail ' || message_id || ' was begun and never ended' from mails where state = 'sending'`;

type Sent = { id: string };

/** Pure: the mailbox against the orders that were ever paid and the mails recorded as sent. */
export function judgeMails(
  mails: readonly Mail[],
  facts: { readonly paid: readonly string[]; readonly sent: readonly string[] },
): string[] {
  const broken: string[] = [];
  const arrived = new Set(mails.map(({ messageId }) => messageId));
  const paid = new Set(facts.paid);
  const written = new Map<string, number>();
  for (const id of arrived) {
    const order = /^<?tickets\.([^@]+)@/.exec(id)?.[1];
    if (order === undefined) continue;
    written.set(order, (written.get(order) ?? 0) + 1);
    if (!paid.has(order)) broken.push(`tickets of order ${order} were mailed, and nobody paid it`);
  }
  for (const order of paid) {
    const times = written.get(order) ?? 0;
    if (times !== 1) broken.push(`tickets of order ${order} were mailed ${times} times`);
  }
  for (const id of facts.sent)
    if (!arrived.has(id)) broken.push(`mail ${id} counts as sent and never arrived`);
  return broken;
}

/** Without a mailbox (no mail server in the test) the announcements alone are compared. */
export async function brokenOutbox(
  db: Pick<Db, "read">,
  mails: readonly Mail[] | undefined,
): Promise<string[]> {
  const rows = await db.read<{ broken: string }>(RULES);
  const broken = rows.map((row) => row.broken);
  if (mails === undefined) return broken.filter((text) => !text.startsWith("outbox row"));
  const paid = await db.read<Sent>(
    "select id from orders where paid_at is not null and buyer_email is not null",
  );
  const sent = await db.read<Sent>("select message_id as id from mails where state = 'sent'");
  const ids = (list: readonly Sent[]) => list.map(({ id }) => id);
  return [...broken, ...judgeMails(mails, { paid: ids(paid), sent: ids(sent) })];
}
