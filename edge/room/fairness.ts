import type { FairnessReport } from "../../shared/contract/rooms.ts";
import type { RoomCore } from "./core.ts";
import type { EstimateState } from "./estimate.ts";
import { countInversions, countOverAdmissions, type FairnessFacts } from "./judge-fairness.ts";
import { NO_COUNTS } from "./state.ts";

/**
 * The report on the line, counted from the durable rows of the Room and its Doors, which the scripts in
 * Redis have no part in: what an outage or a zombie did to the line would stand here.
 */

const ACTS_MAX = 200;
const CALLED_MAX = 1_000_000;
const PAGES_MAX = 200;

export async function fairnessOf(
  room: RoomCore,
  estimate: EstimateState,
  now: number,
): Promise<FairnessReport> {
  const { state } = room;
  const facts = await readFacts(room);
  return {
    event: state.event,
    epoch: state.epoch,
    at: new Date(now).toISOString(),
    admitted: facts.claims.size,
    inversions: countInversions(facts),
    overAdmissions: countOverAdmissions(facts),
    promises: { kept: estimate.kept, made: estimate.settled },
    letIn: {
      count: (state.counts ?? NO_COUNTS).roundTheLine,
      acts: readActs(room),
    },
    resets: state.epoch - 1,
  };
}

async function readFacts(room: RoomCore): Promise<FairnessFacts> {
  const { sql, rows } = room.ledger;
  const letIn = sql
    .exec<{ place: string }>(
      `select json_extract(after, '$.place') as place from audit
       where action = 'admit' and after is not null`,
    )
    .toArray();
  const rates = sql
    .exec<{ at: number; rate: number }>(
      `select at, max(json_extract(value, '$.rate'),
         coalesce(json_extract(value, '$.rateMax'), 0)) as rate from minutes`,
    )
    .toArray();
  return {
    called: rows.called(CALLED_MAX),
    claims: await readClaims(room),
    letIn: new Set(letIn.map(({ place }) => place)),
    rates: new Map(rates.map(({ at, rate }) => [at, rate])),
  };
}

/** A Door that does not answer is left out, rather than the report: it says less then, and nothing wrong. */
async function readClaims(room: RoomCore): Promise<Map<string, number>> {
  const claims = new Map<string, number>();
  await Promise.allSettled(
    room.doors().map(async ({ stub, room: door }) => {
      let after: number | undefined = 0;
      for (let pages = 0; after !== undefined && pages < PAGES_MAX; pages += 1) {
        const page: Awaited<ReturnType<typeof stub.claims>> = await stub.claims(door, after);
        for (const { place, at } of page.claims) claims.set(place, at);
        after = page.next;
      }
    }),
  );
  return claims;
}

const readActs = (room: RoomCore): FairnessReport["letIn"]["acts"] =>
  room.ledger.sql
    .exec<{ at: number; reason: string | null }>(
      "select at, reason from audit where action = 'admit' order by id desc limit ?",
      ACTS_MAX,
    )
    .toArray()
    .map(({ at, reason }) => ({ at: new Date(at).toISOString(), reason: reason ?? "" }));
