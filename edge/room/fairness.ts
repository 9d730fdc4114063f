import type { FairnessReport } from "../../shared/contract/rooms.ts";
import type { RoomCore } from "./core.ts";
import type { EstimateState } from "./estimate.ts";
import { NO_COUNTS } from "./state.ts";

/**
 * Was the line fair? Counted from the Room's own durable rows, which the scripts in Redis have no part
 * in: what an outage or a zombie did to the line would stand here.
 */

const WINDOW_MS = 60_000;
const ACTS_MAX = 200;

/** People let in round the line were, by definition, not called in the order of their numbers. */
const LET_IN = `select json_extract(after, '$.place') as place from audit
  where action = 'admit' and after is not null`;

type Order = { count: number; after_miss: number; largest: number | null };

function countInversions(sql: SqlStorage): FairnessReport["inversions"] {
  const [row] = sql
    .exec<Order>(
      `with called as (
         select id, number, misses, max(number) over (
             order by id rows between unbounded preceding and 1 preceding) as before
         from rows where claimed_at > 0 and number > 0 and place not in (${LET_IN})
       )
       select count(*) as count, sum(misses > 0) as after_miss, max(before - number) as largest
       from called where number < before`,
    )
    .toArray();
  return {
    count: row?.count ?? 0,
    afterMiss: row?.after_miss ?? 0,
    largest: row?.largest ?? 0,
  };
}

type Busy = { count: number; busiest: number | null; rate: number | null };

/** Each claim ends a window of a minute; the rate it is held against is the highest of the two minutes
 * that the window touches. */
function countOverAdmissions(sql: SqlStorage): FairnessReport["overAdmissions"] {
  const [row] = sql
    .exec<Busy>(
      `with windows as (
         select claimed_at, count(*) over (
             order by claimed_at range between ${WINDOW_MS - 1} preceding and current row) as claims
         from rows where claimed_at > 0
       ), rated as (
         select w.claims, max(coalesce(json_extract(m.value, '$.rateMax'),
             json_extract(m.value, '$.rate'))) as rate
         from windows w
         left join minutes m on m.at in (w.claimed_at / ${WINDOW_MS}, w.claimed_at / ${WINDOW_MS} - 1)
         group by w.claimed_at
       )
       select sum(rate is not null and claims > rate) as count, max(claims) as busiest,
         (select rate from rated order by claims desc limit 1) as rate
       from rated`,
    )
    .toArray();
  return { count: row?.count ?? 0, busiestMinute: row?.busiest ?? 0, rateThen: row?.rate ?? 0 };
}

export function fairnessOf(room: RoomCore, estimate: EstimateState, now: number): FairnessReport {
  const { sql } = room.ledger;
  const { state } = room;
  const [admitted] = sql
    .exec<{ n: number }>("select count(*) as n from rows where claimed_at > 0")
    .toArray();
  const acts = sql
    .exec<{ at: number; reason: string | null }>(
      "select at, reason from audit where action = 'admit' order by id desc limit ?",
      ACTS_MAX,
    )
    .toArray();
  return {
    event: state.event,
    epoch: state.epoch,
    at: new Date(now).toISOString(),
    admitted: admitted?.n ?? 0,
    inversions: countInversions(sql),
    overAdmissions: countOverAdmissions(sql),
    promises: { kept: estimate.kept, made: estimate.settled },
    letIn: {
      count: (state.counts ?? NO_COUNTS).roundTheLine,
      acts: acts.map(({ at, reason }) => ({
        at: new Date(at).toISOString(),
        reason: reason ?? "",
      })),
    },
    resets: state.epoch - 1,
  };
}
