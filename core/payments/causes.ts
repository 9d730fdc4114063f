// Where doubles and unknowns came from, counted instead of guessed: by the origin of the attempt, by
// what had become of the one before it, and by what the buyer's page had told.
import type { Ctx } from "../context.ts";

export type CausesReport = {
  attempts: Record<string, number>;
  /** Charges after the first of their order, by origin and by how the attempt before had ended. */
  doubles: {
    origin: string;
    before: string;
    count: number;
    pressedAgain: number;
    resumed: number;
  }[];
  /** Attempts that were without an answer for a while, by cause and origin, and how they ended. */
  unknowns: { cause: string; origin: string; ended: string; count: number }[];
  /** What pages told, by kind. */
  pages: Record<string, number>;
};

const CAUSES = `
  with attempts as (
    select a.*, lag(a.state || coalesce(':' || a.reason, '')) over w as before,
      row_number() over w as n,
      count(*) filter (where a.state = 'succeeded') over (w rows unbounded preceding) as successes
    from payment_attempts a
    where a.created_at >= $1 and a.created_at < $2
    window w as (partition by a.order_id order by a.created_at, a.id)
  ), doubles as (
    select a.origin, coalesce(a.before, 'none') as before, count(*)::int as count,
      count(*) filter (where exists (select 1 from page_events e
        where e.order_id = a.order_id and e.kind = 'pressed_again'))::int as "pressedAgain",
      count(*) filter (where exists (select 1 from page_events e
        where e.order_id = a.order_id and e.kind = 'resumed'))::int as resumed
    from attempts a where a.state = 'succeeded' and a.successes > 1
    group by 1, 2
  ), unknowns as (
    select unknown_cause as cause, origin,
      case when state in ('succeeded', 'failed') then state else 'open' end as ended,
      count(*)::int as count
    from attempts where unknown_cause is not null group by 1, 2, 3
  )
  select jsonb_build_object(
    'attempts', (select coalesce(jsonb_object_agg(origin, n), '{}') from (
      select origin, count(*) as n from attempts group by origin) x),
    'doubles', (select coalesce(jsonb_agg(d order by d.count desc, d.origin, d.before), '[]')
      from doubles d),
    'unknowns', (select coalesce(jsonb_agg(u order by u.count desc, u.cause, u.origin), '[]')
      from unknowns u),
    'pages', (select coalesce(jsonb_object_agg(kind, n), '{}') from (
      select kind, count(*) as n from page_events where at >= $1 and at < $2 group by kind) x)
  ) as report`;

export async function causesReport(
  ctx: Pick<Ctx, "db">,
  range: { from: string; to: string },
): Promise<CausesReport> {
  const [row] = await ctx.db.read<{ report: CausesReport }>(CAUSES, [range.from, range.to], {
    slow: true,
  });
  return row?.report ?? { attempts: {}, doubles: [], unknowns: [], pages: {} };
}
