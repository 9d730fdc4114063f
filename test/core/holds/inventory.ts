// Holds at the level of the database functions: events made by plan, people, time that runs out, and
// one checker that compares everything that counts the same units.

import { createDb } from "../../../core/db/connect.ts";
import type { Db, SqlArg } from "../../../core/db/db.ts";
import { planOf } from "../../../core/events/plan.ts";
import type { Verdict } from "../../../core/holds/verdict.ts";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import { eventPutSchema } from "../../../shared/contract/events.ts";
import type { HoldView } from "../../../shared/contract/holds.ts";
import { newId } from "../../../shared/ids.ts";
import { makeEventId } from "../../support/events.ts";
import type { House } from "../house.ts";

/** A database of many connections that sheds nothing: what is asked at once arrives at once. */
export const manyConnections = (house: House): Db =>
  createDb({
    url: house.deps.config.database.url,
    poolMax: 24,
    metrics: createMetrics(),
    deadlineMs: 40_000,
    statementTimeoutMs: 30_000,
    queueWaitMsMax: 40_000,
  });

export type RowPut = {
  id: string;
  zone: string;
  seats: number | number[];
  accessible?: number[];
  companions?: number[];
};
export type HouseChanges = {
  sections?: { id: string; rows: RowPut[] }[];
  capacity?: number;
  perOrderMax?: number;
  perAccountMax?: number;
  holdMs?: number;
  saleOpensAt?: string;
  saleClosesAt?: string;
  fees?: { perTicket: number; perOrder: number; taxBasisPoints: number };
  addons?: { id: string; name: string; price: number; stock: number; variants?: string[] }[];
};

export const describeHouse = (changes: HouseChanges = {}) => {
  const { sections = [{ id: "A", rows: rowsOf(4, 10) }], capacity = 50, ...rest } = changes;
  return eventPutSchema.parse({
    name: "An evening",
    venue: "A hall",
    startsAt: "2040-01-01T19:00:00Z",
    saleOpensAt: "2020-01-01T00:00:00Z",
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    perOrderMax: 8,
    perAccountMax: 8,
    zones: [
      { id: "stalls", name: "Stalls", price: 10_000, kind: "seated" },
      { id: "floor", name: "Floor", price: 5_000, kind: "standing", capacity },
    ],
    sections: sections.map((section) => ({ name: `Section ${section.id}`, ...section })),
    ...rest,
  });
};

export const rowsOf = (count: number, seats: number): RowPut[] =>
  Array.from({ length: count }, (_, row) => ({ id: String(row + 1), zone: "stalls", seats }));

export async function putHouse(
  db: Db,
  changes: HouseChanges = {},
  event: string = makeEventId(),
): Promise<string> {
  const done = await db.call<{ result: string; problems?: unknown }>("put_event", [
    event,
    planOf(describeHouse(changes)),
    "organizer:test",
    "req_test",
  ]);
  if (done.result === "event_in_use") throw new Error(JSON.stringify(done.problems));
  return event;
}

export type Person = { place: string; account: string; gen: number; iat: number };

export const person = (changes: Partial<Person> = {}): Person => {
  const place = changes.place ?? newId("plc");
  return { place, account: place, gen: 0, iat: Date.now(), ...changes };
};

type Addons = readonly { id: string; quantity: number; variant?: string }[];
type More = { addons?: Addons; idem?: Record<string, string> };

export const holdSeats = (
  db: Db,
  event: string,
  who: Person,
  seats: readonly string[],
  more: More = {},
): Promise<Verdict> =>
  db.call<Verdict>("hold_seats", [
    event,
    newId("hold"),
    who,
    seats,
    JSON.stringify(more.addons ?? []),
    more.idem ?? null,
  ]);

export type Best = {
  quantity: number;
  section?: string;
  zone?: string;
  together?: boolean;
  accessible?: boolean;
};

/** As the verb does it: without waiting first, then waiting. */
export async function holdBest(
  db: Db,
  event: string,
  who: Person,
  best: Best,
  more: More = {},
): Promise<Verdict> {
  const call = (waits: number) =>
    db.call<Verdict>("hold_best", [
      event,
      newId("hold"),
      who,
      best,
      JSON.stringify(more.addons ?? []),
      more.idem ?? null,
      waits,
    ]);
  let verdict = await call(0);
  for (let waits = 1; verdict.result === "contended" && waits <= 3; waits += 1)
    verdict = await call(waits);
  return verdict;
}

export const holdZone = async (
  db: Db,
  event: string,
  who: Person,
  quantity: number,
  more: More = {},
): Promise<Verdict> => {
  const asks = [{ hold: newId("hold"), who, quantity, ...more }];
  const verdicts = await db.call<Verdict[]>("hold_zone_batch", [
    event,
    "floor",
    JSON.stringify(asks),
  ]);
  const [verdict] = verdicts;
  if (!verdict) throw new Error("no verdict");
  return verdict;
};

export function heldOf(verdict: Verdict): HoldView {
  if (verdict.result !== "held" && verdict.result !== "same")
    throw new Error(`not held: ${JSON.stringify(verdict)}`);
  return verdict.hold;
}

export const seatsOf = (verdict: Verdict): string[] => heldOf(verdict).seats.map(({ id }) => id);

export const release = (db: Db, event: string, hold: string, who: Person) =>
  db.call<{ result: string }>("release_hold", [event, hold, who.account]);

export const sweep = (db: Db, event: string, limit = 1_000) =>
  db.call<{ swept: number; freed: string[] }>("sweep_holds", [event, limit]);

/** What waiting would do: the hold was made so much earlier, and so ends so much earlier. */
export async function age(db: Db, event: string, hold: string | null, seconds = 700) {
  const at: SqlArg[] = [event, hold, seconds];
  await db.write(
    `update holds set expires_at = expires_at - $3::int * interval '1 second',
       cap_at = cap_at - $3::int * interval '1 second',
       paying_until = paying_until - $3::int * interval '1 second'
     where event_id = $1 and ($2::text is null or id = $2) and state = 'live'`,
    at,
  );
  for (const table of ["hold_zones", "hold_addons"])
    await db.write(
      `update ${table} set held_until = held_until - $3::int * interval '1 second',
         paying_until = paying_until - $3::int * interval '1 second'
       where event_id = $1 and ($2::text is null or hold_id = $2) and state = 'live'`,
      at,
    );
  await db.write(
    `with aged as (
       update seats set held_until = held_until - $3::int * interval '1 second',
         paying_until = paying_until - $3::int * interval '1 second'
       where event_id = $1 and ($2::text is null or hold_id = $2) and status = 'held'
       returning section_id, row_id
     )
     update rows r set due_at = due_at - $3::int * interval '1 second'
     where r.event_id = $1 and (r.section_id, r.row_id) in (select * from aged)`,
    at,
  );
}

/** A small generator with a seed that a failing test prints. */
export function random(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    pick: <T>(list: readonly T[]): T => {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    shuffle: <T>(list: readonly T[]): T[] =>
      list
        .map((item) => ({ item, by: next() }))
        .sort((a, b) => a.by - b.by)
        .map(({ item }) => item),
  };
}
