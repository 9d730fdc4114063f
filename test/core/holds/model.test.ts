import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Db } from "../../../core/db/db.ts";
import type { Verdict } from "../../../core/holds/verdict.ts";
import { type House, openHouse } from "../house.ts";
import { findDisagreements } from "./agreement.ts";
import {
  age,
  holdBest,
  holdSeats,
  holdZone,
  manyConnections,
  type Person,
  person,
  putHouse,
  release,
  rowsOf,
  sweep,
} from "./inventory.ts";

// A house small enough to be understood at a glance, and a model of it in a few lines. What people do
// one after another must come out as the model says; what they do at once must come out as the model
// says for some order of it.
const ROWS = 2;
const SEATS = 4;
const CAPACITY = 5;
const PER_ORDER = 3;
const PER_ACCOUNT = 4;
const PEOPLE = 3;
const RUNS = 20;

type Op =
  | { kind: "seats"; who: number; seats: string[] }
  | { kind: "best"; who: number; quantity: number }
  | { kind: "zone"; who: number; quantity: number }
  | { kind: "release"; who: number }
  | { kind: "sell"; who: number }
  | { kind: "lapse"; who: number }
  | { kind: "sweep" };

type Hold = {
  who: number;
  seats: string[];
  units: number;
  wish: string;
  due: boolean;
  round: number;
};
type Model = { holds: Map<number, Hold>; sold: Map<string, number>; floorSold: number[] };

const ALL = Array.from({ length: ROWS }, (_, row) =>
  Array.from({ length: SEATS }, (_, seat) => `A-${row + 1}-${seat + 1}`),
).flat();

const copy = (model: Model): Model => ({
  holds: new Map([...model.holds].map(([who, hold]) => [who, { ...hold }])),
  sold: new Map(model.sold),
  floorSold: [...model.floorSold],
});
const living = (model: Model) => [...model.holds.values()].filter((hold) => !hold.due);
const isTaken = (model: Model, seat: string) =>
  model.sold.has(seat) || living(model).some((hold) => hold.seats.includes(seat));
const floorFree = (model: Model) =>
  CAPACITY -
  model.floorSold.reduce((sum, units) => sum + units, 0) -
  living(model).reduce((sum, hold) => sum + hold.units, 0);
const boughtBy = (model: Model, who: number) =>
  [...model.sold.values()].filter((owner) => owner === who).length + (model.floorSold[who] ?? 0);

/** What the model allows as the answer; `seats` are those that best available really chose. */
function apply(model: Model, told: { op: Op; seats: readonly string[] }, round: number): string {
  const { op, seats } = told;
  if (op.kind === "sweep") return "done";
  const mine = model.holds.get(op.who);
  switch (op.kind) {
    case "lapse":
      if (mine) mine.due = true;
      return "done";
    case "release":
      // It names a hold, so it never gives back one that was made at the same moment.
      if (mine && mine.round < round) model.holds.delete(op.who);
      return "released";
    case "sell":
      if (!mine || mine.due) return "none";
      for (const seat of mine.seats) model.sold.set(seat, op.who);
      model.floorSold[op.who] = (model.floorSold[op.who] ?? 0) + mine.units;
      model.holds.delete(op.who);
      return "sold";
    case "seats":
    case "best":
    case "zone":
      return applyHold(model, op, { mine, seats, round });
  }
}

function applyHold(
  model: Model,
  op: Extract<Op, { kind: "seats" | "best" | "zone" }>,
  now: { mine: Hold | undefined; seats: readonly string[]; round: number },
): string {
  const { mine, seats, round } = now;
  const wish = JSON.stringify(op.kind === "seats" ? op.seats.toSorted() : [op.kind, op.quantity]);
  const units = op.kind === "seats" ? op.seats.length : op.quantity;
  if (mine && !mine.due) return mine.wish === wish ? "same" : "hold_exists";
  if (units > PER_ORDER || boughtBy(model, op.who) + units > PER_ACCOUNT) return "limit_exceeded";
  const place = { who: op.who, wish, due: false, round };
  if (op.kind === "zone") {
    if (floorFree(model) < units) return "sold_out";
    model.holds.set(op.who, { ...place, seats: [], units });
    return "held";
  }
  const wanted = op.kind === "seats" ? op.seats : seats;
  if (op.kind === "best" && ALL.filter((seat) => !isTaken(model, seat)).length < units)
    return "sold_out";
  if (wanted.length !== units) return "other seats";
  if (wanted.some((seat) => isTaken(model, seat)))
    return op.kind === "seats" ? "seats_unavailable" : "other seats";
  model.holds.set(op.who, { ...place, seats: [...wanted], units: 0 });
  return "held";
}

const orders = <T>(items: readonly T[]): T[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item, index) =>
        orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
      );

const distinct = (models: readonly Model[]): Model[] => [
  ...new Map(
    models.map((model) => [
      JSON.stringify([[...model.holds].sort(), [...model.sold].sort(), model.floorSold]),
      model,
    ]),
  ).values(),
];

const who = fc.nat({ max: PEOPLE - 1 });
const quantity = fc.integer({ min: 1, max: PER_ORDER + 1 });
const hold = fc.oneof(
  fc.record({
    kind: fc.constant("seats" as const),
    who,
    seats: fc.uniqueArray(fc.constantFrom(...ALL), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("best" as const), who, quantity }),
  fc.record({ kind: fc.constant("zone" as const), who, quantity }),
);
const release_ = fc.record({ kind: fc.constant("release" as const), who });
const sell = fc.record({ kind: fc.constant("sell" as const), who });
const alone = fc.oneof(
  { weight: 6, arbitrary: hold },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lapse" as const), who }) },
  { weight: 1, arbitrary: sell },
  { weight: 1, arbitrary: release_ },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("sweep" as const) }) },
);
const together = fc.array(fc.oneof({ weight: 5, arbitrary: hold }, release_), {
  minLength: 2,
  maxLength: 4,
});
const rounds = fc.array(
  fc.oneof(
    alone.map((op): Op[] => [op]),
    together,
  ),
  { minLength: 4, maxLength: 14 },
);

let house: House;
let db: Db;
beforeAll(async () => {
  house = await openHouse();
  db = manyConnections(house);
});
afterAll(async () => {
  await db.close();
  await house.close();
});

type Real = { event: string; people: Person[]; ids: (string | undefined)[] };
type Told = { op: Op; result: string; seats: string[] };

function noteHold(
  real: Real,
  index: number,
  verdict: Verdict,
): { result: string; seats: string[] } {
  if (verdict.result !== "held" && verdict.result !== "same")
    return { result: verdict.result, seats: [] };
  real.ids[index] = verdict.hold.id;
  return { result: verdict.result, seats: verdict.hold.seats.map(({ id }) => id) };
}

async function perform(real: Real, op: Op): Promise<Told> {
  const { event } = real;
  if (op.kind === "sweep") {
    await sweep(db, event);
    return { op, result: "done", seats: [] };
  }
  const someone = real.people[op.who];
  if (!someone) throw new Error("nobody");
  const id = real.ids[op.who];
  switch (op.kind) {
    case "seats":
      return { op, ...noteHold(real, op.who, await holdSeats(db, event, someone, op.seats)) };
    case "best": {
      const best = { quantity: op.quantity };
      return { op, ...noteHold(real, op.who, await holdBest(db, event, someone, best)) };
    }
    case "zone":
      return { op, ...noteHold(real, op.who, await holdZone(db, event, someone, op.quantity)) };
    case "lapse":
      if (id !== undefined) await age(db, event, id, 900);
      return { op, result: "done", seats: [] };
    case "release":
      if (id !== undefined) await release(db, event, id, someone);
      return { op, result: "released", seats: [] };
    case "sell": {
      const sold = await db.call<{ result: string }>("sell_lines", [event, id ?? "none", "ord_x"]);
      return { op, result: sold.result, seats: [] };
    }
  }
}

it(`is the model's house, whatever ${PEOPLE} people do one after another and at once`, async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const event = await putHouse(db, {
        sections: [{ id: "A", rows: rowsOf(ROWS, SEATS) }],
        capacity: CAPACITY,
        perOrderMax: PER_ORDER,
        perAccountMax: PER_ACCOUNT,
      });
      const people = Array.from({ length: PEOPLE }, () => person());
      const real: Real = { event, people, ids: [] };
      let models: Model[] = [{ holds: new Map(), sold: new Map(), floorSold: [] }];
      for (const [round, ops] of plan.entries()) {
        const first = models[0];
        // Selling a hold that is due, or none, is the payment's business and not this model's.
        const mayRun = (op: Op) =>
          op.kind !== "sell" ||
          models.every((model) => model.holds.get(op.who)?.due === false && first !== undefined);
        const told = await Promise.all(ops.filter(mayRun).map((op) => perform(real, op)));
        models = models.flatMap((model) =>
          orders(told).flatMap((order) => {
            const next = copy(model);
            const fits = order.every((one) => apply(next, one, round) === one.result);
            return fits ? [next] : [];
          }),
        );
        const [some] = models;
        expect(some, `no order explains ${JSON.stringify(told)}`).toBeDefined();
        models = distinct(models);
        expect(await findDisagreements(db, event)).toEqual([]);
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 120_000);
