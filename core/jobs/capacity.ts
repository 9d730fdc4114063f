import { type CapacityReport, TIERS_MAX } from "../../shared/contract/rooms.ts";
import type { Deps } from "../context.ts";
import type { Load } from "../http/load.ts";
import type { Job, JobCtx } from "./registry.ts";
import { createLoadShare } from "./share-load.ts";

/**
 * Each second the gate hears how the core is doing, one dated reading for each event on sale. One
 * process speaks for all (a lease in Redis); without Redis each speaks for itself, which tells the
 * gate the same thing more often.
 */
const EVERY_MS = 1_000;
const LEASE_MS = 900;
const EVENTS_MAX = 50;
type Reading = {
  event: string;
  available: number;
  held: number;
  paying: number;
  sold: number;
  tiers: NonNullable<CapacityReport["tiers"]> | null;
  at: string;
};

/** Row records carry each row's state in one text, so 60,000 seats are a few thousand short rows. */
const READINGS = `
  with on_sale as (
    select event_id from events
    where state = 'active' and sale_opens_at <= now() + interval '10 minutes'
      and (sale_closes_at is null or sale_closes_at > now() - interval '10 minutes')
    order by sale_opens_at desc limit $1
  ), seated as (
    select r.event_id, r.zone_id, sum(r.free) as available,
      sum(length(r.map) - length(replace(r.map, 'h', ''))) as held,
      sum(length(r.map) - length(replace(r.map, 's', ''))) as sold
    from rows r join on_sale using (event_id) group by r.event_id, r.zone_id
  ), by_zone as (
    select z.event_id, z.zone_id, z.name, z.price, z.ordinal, e.currency,
      coalesce(s.available, 0) + z.capacity - z.held - z.sold as available,
      coalesce(s.held, 0) + z.held as held, coalesce(s.sold, 0) + z.sold as sold
    from zones z join on_sale using (event_id) join events e using (event_id)
      left join seated s using (event_id, zone_id)
  ), by_event as (
    select event_id, sum(available) as available, sum(held) as held, sum(sold) as sold,
      json_agg(json_build_object(
        'id', zone_id, 'name', name,
        'price', json_build_object('amount', price, 'currency', currency),
        'soldOut', available = 0 and held = 0
      ) order by ordinal, zone_id) as tiers
    from by_zone group by event_id
  ), paying as (
    select h.event_id, sum(h.units) as units
    from holds h join on_sale using (event_id)
    where h.state = 'live' and h.paying_until > now() group by h.event_id
  )
  select o.event_id as event,
    coalesce(t.available, 0)::int as available, coalesce(t.held, 0)::int as held,
    coalesce(p.units, 0)::int as paying, coalesce(t.sold, 0)::int as sold, t.tiers,
    iso_time(clock_timestamp()) as at
  from on_sale o
    left join by_event t using (event_id)
    left join paying p using (event_id)`;

async function speaksForAll(ctx: JobCtx): Promise<boolean> {
  const { locks } = ctx.redis;
  const answer = await locks.attempt((client) =>
    client.set(`${locks.prefix}capacity-reporter`, ctx.requestId, "PX", LEASE_MS, "NX"),
  );
  return !answer.ok || answer.value === "OK";
}

export function capacityJob(deps: Pick<Deps, "config">, load: Load): Job {
  const share = createLoadShare(deps, load);
  return {
    name: "capacity-report",
    everyMs: EVERY_MS,
    async run(ctx) {
      const all = await share(ctx);
      if (!(await speaksForAll(ctx))) return 0;
      const readings = await ctx.db.read<Reading>(READINGS, [EVENTS_MAX]);
      const verdicts = await Promise.all(
        readings.map(({ event, paying, held, tiers, ...rest }) => {
          const report: CapacityReport = {
            ...all,
            paying,
            // Of the seats that are held, those being paid for are told apart.
            held: Math.max(0, held - paying),
            ...rest,
            ...(tiers ? { tiers: tiers.slice(0, TIERS_MAX) } : {}),
          };
          return ctx.gate.reportCapacity(event, report);
        }),
      );
      return verdicts.filter((verdict) => verdict === "done").length;
    },
  };
}
