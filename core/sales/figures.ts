// What an organizer watches of a running sale. Everything is counted from the tables in one statement,
// and so from one moment: the same figures that SQL gives to anybody who asks.

import type { SaleFigures, SaleHistory } from "../../shared/contract/sales.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Deps } from "../context.ts";
import type { Load } from "../http/load.ts";

const HEALTH_MS = 1_000;
const MINUTES_MAX = 20_160;

/** Letters of a row's map: f, a and c are free, h held, s sold, b blocked. */
const count = (letter: string) =>
  `coalesce(sum(length(r.map) - length(replace(r.map, '${letter}', ''))), 0)`;

const FIGURES = `
  select jsonb_build_object(
    'at', iso_time(clock_timestamp()),
    'state', e.state,
    'zones', (select coalesce(jsonb_agg(jsonb_build_object('id', z.zone_id, 'name', z.name,
        'kind', z.kind, 'price', jsonb_build_object('amount', z.price, 'currency', e.currency),
        'available', case z.kind when 'standing' then z.capacity - z.held - z.sold
          else s.free end,
        'held', case z.kind when 'standing' then z.held else s.held end,
        'sold', case z.kind when 'standing' then z.sold else s.sold end,
        'blocked', coalesce(s.blocked, 0)) order by z.ordinal, z.zone_id), '[]')
      from zones z
      left join lateral (select ${count("f")} + ${count("a")} + ${count("c")} as free,
          ${count("h")} as held, ${count("s")} as sold, ${count("b")} as blocked
        from rows r where r.event_id = z.event_id and r.zone_id = z.zone_id) s on z.kind = 'seated'
      where z.event_id = e.event_id),
    'holds', (select jsonb_build_object('live', count(*), 'units', coalesce(sum(h.units), 0),
        'paying', count(*) filter (where h.paying_until > clock_timestamp()))
      from holds h where h.event_id = e.event_id and h.state = 'live'
        and (h.expires_at > clock_timestamp() or h.paying_until > clock_timestamp())),
    'orders', (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select o.state, count(*) as n from orders o where o.event_id = e.event_id
      group by o.state) x),
    'money', jsonb_build_object('currency', e.currency,
      'captured', (select coalesce(sum(a.captured_amount), 0) from payment_attempts a
        where a.event_id = e.event_id and a.state = 'succeeded'),
      'refunded', (select coalesce(sum(f.amount), 0) from refunds f
        where f.event_id = e.event_id and f.state = 'succeeded'),
      'refunding', (select coalesce(sum(f.amount), 0) from refunds f
        where f.event_id = e.event_id and f.state in ('created', 'sent', 'unknown'))),
    'payments', (select jsonb_build_object(
        'unknown', count(*) filter (where a.state in ('sent', 'unknown')),
        'oldestUnknownS', coalesce(max(extract(epoch from clock_timestamp()
          - coalesce(a.sent_at, a.created_at))) filter (where a.state in ('sent', 'unknown')), 0)::int,
        'review', count(*) filter (where a.settled = 'review'),
        'failed', count(*) filter (where a.state = 'failed'),
        'succeeded', count(*) filter (where a.state = 'succeeded'))
      from payment_attempts a where a.event_id = e.event_id),
    'tickets', (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select t.state, count(*) as n from tickets t where t.event_id = e.event_id
      group by t.state) x)) as figures
  from events e where e.event_id = $1`;

type Counted = Omit<SaleFigures, "health">;

export async function readSaleFigures(
  deps: Pick<Deps, "db" | "redis">,
  load: Load,
  event: string,
): Promise<SaleFigures> {
  const started = performance.now();
  const [[row], locks, cache] = await Promise.all([
    deps.db.read<{ figures: Counted }>(FIGURES, [event]),
    deps.redis.locks.attempt((client) => client.ping(), HEALTH_MS),
    deps.redis.cache.attempt((client) => client.ping(), HEALTH_MS),
  ]);
  if (row === undefined) throw new Refusal("unknown_event");
  const { connections, busy, waiting, serviceMs, shed } = deps.db.stats();
  return {
    ...row.figures,
    health: {
      database: {
        answeredMs: Math.round(performance.now() - started),
        serviceMs: Math.round(serviceMs * 10) / 10,
        connections,
        busy,
        waiting,
        shed,
      },
      redis: { locks: locks.ok, cache: cache.ok },
      requests: { inFlight: load.count, p95Ms: load.p95Ms(), ...load.errors() },
    },
  };
}

/** By minute, for the whole sale: what was bought and what went back. */
const HISTORY = `
  select jsonb_agg(jsonb_build_object('at', iso_time(minute), 'orders', orders, 'captured', captured,
      'refunded', refunded) order by minute) as minutes
  from (
    select minute, sum(orders)::int as orders, sum(captured)::bigint as captured,
      sum(refunded)::bigint as refunded
    from (
      select date_trunc('minute', o.paid_at) as minute, 1 as orders,
        coalesce(a.captured_amount, 0) as captured, 0 as refunded
      from orders o left join payment_attempts a on a.id = o.paid_attempt_id
      where o.event_id = $1 and o.paid_at is not null
      union all
      select date_trunc('minute', f.ended_at), 0, 0, f.amount from refunds f
      where f.event_id = $1 and f.state = 'succeeded'
    ) each group by minute order by minute desc limit $2
  ) last`;

export async function readSaleHistory(deps: Pick<Deps, "db">, event: string): Promise<SaleHistory> {
  const [row] = await deps.db.read<{ minutes: SaleHistory["minutes"] | null }>(HISTORY, [
    event,
    MINUTES_MAX,
  ]);
  return { minutes: row?.minutes ?? [] };
}
