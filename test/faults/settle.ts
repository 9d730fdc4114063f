// After the load: waits until nothing is under way any more, plays the time that people would have to
// wait, and reads what the witnesses say.
import { setTimeout as sleep } from "node:timers/promises";
import type { Charge } from "../invariants/books.ts";
import type { Broken } from "../invariants/check.ts";
import type { brokenSeconds } from "../invariants/line.ts";
import type { Mail } from "../invariants/outbox.ts";
import type { Load } from "./load.ts";
import { importGateKeys, mintAdmission } from "./people.ts";
import { EVENT } from "./sale.ts";
import { organizerToken } from "./shopping.ts";
import type { Town } from "./town.ts";

const QUIET_MS_MAX = 120_000;
const HOLD_LIFE_S = 2_000;

const UNDER_WAY = `
  select 'attempts in flight: ' || count(*) as what from payment_attempts
    where state in ('created', 'sent', 'unknown') having count(*) > 0
  union all select 'successes undecided: ' || count(*) from payment_attempts
    where state = 'succeeded' and settled is null having count(*) > 0
  union all select 'refunds under way: ' || count(*) from refunds
    where state not in ('succeeded', 'failed') having count(*) > 0
  union all select 'orders to expire: ' || count(*) from orders o
    join holds h on h.event_id = o.event_id and h.id = o.hold_id
    where o.state = 'pending' and h.state in ('released', 'expired') and not exists (
      select 1 from payment_attempts a where a.order_id = o.id and a.settled = 'review')
    having count(*) > 0
  union all select 'outbox rows waiting: ' || count(*) from outbox
    where enqueued_at is null having count(*) > 0
  union all select 'mails being sent: ' || count(*) from mails
    where state = 'sending' having count(*) > 0
  union all select 'ticket mails missing: ' || count(*) from orders o
    where o.paid_at is not null and not exists (
      select 1 from mails m where m.order_id = o.id and m.kind = 'tickets') having count(*) > 0
  union all select 'webhooks parked: ' || count(*) from webhook_events e
    where e.state = 'parked' and exists (
      select 1 from payment_attempts a where a.provider_ref = e.provider_ref) having count(*) > 0`;

/** A minute of waiting for those whose process is dead: leases, half-made attempts, queue jobs. */
const PATIENCE = [
  `update payment_attempts set created_at = created_at - interval '61 seconds'
    where state = 'created'`,
  `update payment_attempts set next_settle_at = least(next_settle_at, now()),
      lease_until = least(lease_until, now())
    where state in ('unknown', 'sent') or (state = 'succeeded' and settled is null)`,
  "update refunds set lease_until = least(lease_until, now()) where state <> 'succeeded'",
  "update outbox set lease_until = least(lease_until, now()) where enqueued_at is null",
  "update mails set lease_until = least(lease_until, now()) where state = 'sending'",
  `update jobs.job set started_on = started_on - interval '60 seconds'
    where state = 'active' and started_on < now() - interval '5 seconds'`,
  `update jobs.job set start_after = now() where state in ('created', 'retry')
    and start_after > now()`,
];

/** What is still under way after two minutes; empty is well. */
export async function untilQuiet(town: Town): Promise<string[]> {
  const startedAt = Date.now();
  for (let looks = 0; ; looks += 1) {
    const rows = await town.db.read<{ what: string }>(UNDER_WAY);
    if (rows.length === 0) return [];
    if (Date.now() - startedAt > QUIET_MS_MAX) return rows.map(({ what }) => what);
    if (looks > 0 && looks % 8 === 0)
      for (const statement of PATIENCE) await town.db.write(statement);
    await sleep(500);
  }
}

/** Every hold's time runs out, and the sweeper has had its look. */
export async function playPatience(town: Town): Promise<void> {
  const earlier = (column: string) =>
    `${column} = ${column} - ${HOLD_LIFE_S} * interval '1 second'`;
  await town.db.write(
    `update holds set ${["expires_at", "cap_at", "paying_until"].map(earlier).join(", ")}
      where state = 'live'`,
  );
  await town.db.write(
    `update hold_zones set ${["held_until", "paying_until"].map(earlier).join(", ")}
      where state = 'live'`,
  );
  await town.db.write(
    `update seats set ${["held_until", "paying_until"].map(earlier).join(", ")}
      where status = 'held'`,
  );
  await town.db.write(`update rows set ${earlier("due_at")} where due_at is not null`);
  for (let looks = 0; looks < 60; looks += 1) {
    const [left] = await town.db.read<{ n: number }>(
      "select count(*)::int as n from holds where state = 'live'",
    );
    if (left?.n === 0) return;
    await sleep(500);
  }
}

/** When things are quiet whatever is free can be had: no false "sold out". */
export async function sellsWhatIsFree(load: Load): Promise<Broken[]> {
  const [free] = await load.town.db.read<{ seats: number; places: number; live: number }>(
    `select (select count(*) from seats where status = 'available')::int as seats,
      (select sum(capacity - held - sold) from zones where kind = 'standing')::int as places,
      (select count(*) from holds where state = 'live')::int as live`,
  );
  const broken: Broken[] = [];
  if ((free?.live ?? 0) > 0)
    broken.push({ area: "seats", what: `${free?.live} holds outlive their time and the sweeper` });
  const keys = await importGateKeys(load);
  const ask = async (body: object, count: number, what: string): Promise<void> => {
    if (count === 0) return;
    const place = `plc_probe-${what}`;
    const token = await mintAdmission(keys, { edge: load.town.edge, event: EVENT, place });
    // The quick look that says "sold out" may be seconds old.
    for (let tries = 0; tries < 20; tries += 1) {
      const answer = await load.call({
        tier: "core",
        method: "POST",
        path: `/v1/events/${EVENT}/holds`,
        body,
        headers: { authorization: `Bearer ${token}` },
      });
      if (answer.outcome === 201) return;
      await sleep(500);
    }
    broken.push({ area: "seats", what: `${count} ${what} are free and none can be had` });
  };
  await ask({ best: { quantity: 1, section: "A" } }, free?.seats ?? 0, "seats");
  await ask({ zone: "floor", quantity: 1 }, free?.places ?? 0, "places");
  return broken;
}

export type Witnesses = {
  readonly charges: readonly Charge[];
  readonly mails: readonly Mail[];
  readonly epoch: number;
  readonly seconds: Parameters<typeof brokenSeconds>[0];
};

export async function readWitnesses(load: Load): Promise<Witnesses> {
  const { town } = load;
  const json = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return body;
  };
  const token = await organizerToken(load);
  const figures = (await json(`${town.edge}/api/rooms/${EVENT}/figures`, {
    authorization: `Bearer ${token ?? ""}`,
  })) as { epoch: number; history: { perSecond: Witnesses["seconds"] } };
  const { charges } = (await json(`${town.psp}/_charges`)) as { charges: Charge[] };
  const { mails } = (await json(`${town.mailbox}/mails.json`)) as { mails: Mail[] };
  return { charges, mails, epoch: figures.epoch, seconds: figures.history.perSecond };
}
