// Shadow mode of the idempotency layer: what it would have blocked is written down with both
// requests, judged by people, and summed up until it is safe to enforce. It blocks nothing; the
// unique key and the one attempt in flight are never in shadow.
import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";
import { SHADOW_DAYS, SHADOW_ENTRIES_MIN } from "./limits.ts";

export type ShadowVerdict = "block_in_flight" | "replay" | "refuse_body";
type Request = { readonly [key: string]: unknown };

export async function logShadow(
  ctx: Ctx,
  entry: {
    route: string;
    scope: string;
    key: string;
    would: ShadowVerdict;
    first: Request;
    second: Request;
  },
): Promise<void> {
  ctx.log.info({ route: entry.route, scope: entry.scope, would: entry.would }, "shadow");
  await ctx.db.write(
    `insert into idempotency_shadow (id, route, scope, key, would, first_request, second_request)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ctx.ids.newId("shd"),
      entry.route,
      entry.scope,
      entry.key,
      entry.would,
      entry.first,
      entry.second,
    ],
  );
}

export async function markShadow(
  ctx: Ctx,
  input: { id: string; mark: "true_positive" | "false_positive"; by: string },
): Promise<void> {
  const marked = await ctx.db.write(
    "update idempotency_shadow set mark = $2, marked_by = $3 where id = $1 returning id",
    [input.id, input.mark, input.by],
  );
  if (marked.length === 0) throw new Refusal("not_found");
}

export const listShadow = (ctx: Pick<Ctx, "db">, limit: number) =>
  ctx.db.read<Record<string, unknown>>(
    `select id, route, scope, would, first_request as first, second_request as second, mark,
      iso_time(created_at) as at
    from idempotency_shadow order by created_at desc limit $1`,
    [limit],
  );

export type ShadowReport = {
  route: string;
  entries: number;
  truePositives: number;
  falsePositives: number;
  unmarked: number;
  safeToEnforce: boolean;
};

type Counts = Omit<ShadowReport, "safeToEnforce">;

/** Pure. Nobody may have been blocked wrongly, everything is judged, and there is enough of it. */
export const safeToEnforce = (counts: Counts): boolean =>
  counts.falsePositives === 0 &&
  counts.unmarked === 0 &&
  counts.truePositives >= SHADOW_ENTRIES_MIN;

export async function shadowReport(ctx: Pick<Ctx, "db">): Promise<ShadowReport[]> {
  const rows = await ctx.db.read<Counts>(
    `select route, count(*)::int as entries,
      count(*) filter (where mark = 'true_positive')::int as "truePositives",
      count(*) filter (where mark = 'false_positive')::int as "falsePositives",
      count(*) filter (where mark is null)::int as unmarked
    from idempotency_shadow where created_at > now() - make_interval(days => $1::int)
    group by route order by route`,
    [SHADOW_DAYS],
  );
  return rows.map((row) => ({ ...row, safeToEnforce: safeToEnforce(row) }));
}
