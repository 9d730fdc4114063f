// An event on sale, and a fan of it who holds, orders and pays.
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../../shared/ids.ts";
import type { Answer, Json, TestCore } from "./harness.ts";

export const SEAT_PRICE = 12_345;
export const FLOOR_PRICE = 7_000;
const ROW_SEATS = 20;

let serial = 0;
/** Distinct in the whole file, so that no two tests meet. */
export const unique = (prefix: string): string => {
  serial += 1;
  return `${prefix}-${serial}`;
};

export type Sale = { event: string; currency: string };

/** One section, one row of 20 seats, and a standing zone. */
export async function openSale(
  core: TestCore,
  options: {
    currency?: string;
    price?: number;
    capacity?: number;
    perAccountMax?: number;
    fees?: { perUnit: number; perOrder: number; taxBasisPoints: number };
  } = {},
): Promise<Sale> {
  const { currency = "TRY", price = SEAT_PRICE, capacity = 100, perAccountMax = 50 } = options;
  const { perUnit, perOrder, taxBasisPoints } = options.fees ?? {
    perUnit: 0,
    perOrder: 0,
    taxBasisPoints: 0,
  };
  const event = unique("sale");
  await core.db.write(
    `insert into events (event_id, name, venue, starts_at, sale_opens_at, time_zone, currency,
        per_order_max, per_account_max, fee_per_unit, fee_per_order, tax_basis_points)
      values ($1, 'Şenlik', 'Açıkhava', now() + interval '30 days', now() - interval '1 hour',
        'Europe/Istanbul', $2, 50, $3, $4, $5, $6)`,
    [event, currency, perAccountMax, perUnit, perOrder, taxBasisPoints],
  );
  await core.db.write(
    `insert into zones (event_id, zone_id, name, kind, price, capacity)
      values ($1, 'stalls', 'Stalls', 'seated', $2, 0), ($1, 'floor', 'Floor', 'standing', $3, $4)`,
    [event, price, FLOOR_PRICE, capacity],
  );
  await core.db.write(
    "insert into sections (event_id, section_id, name, ordinal) values ($1, 'A', 'A', 1)",
    [event],
  );
  await core.db.write(
    `insert into rows (event_id, section_id, row_id, zone_id, rank, layout, map, free,
        free_accessible, longest, runs)
      values ($1, 'A', '1', 'stalls', 1, repeat('g', $2::integer), repeat('f', $2::integer), $2, 0,
        $2, 1::bigint << $2::integer)`,
    [event, ROW_SEATS],
  );
  await core.db.write(
    `insert into seats (event_id, seat_id, section_id, row_id, place, number, zone_id)
      select $1, 'A-1-' || n, 'A', '1', n, n, 'stalls'
      from generate_series(1, $2::integer) n`,
    [event, ROW_SEATS],
  );
  return { event, currency };
}

export const seat = (n: number): string => `A-1-${n}`;

type Who = { place: string };
const who = ({ place }: Who) => ({ place, account: place, gen: 0, iat: Date.now() });

export async function holdSeats(
  core: TestCore,
  sale: Sale,
  fan: Who,
  seats: string[],
): Promise<string> {
  const verdict = await core.db.call<{ result: string; hold: { id: string } }>("hold_seats", [
    sale.event,
    newId("hold"),
    who(fan),
    seats,
  ]);
  if (verdict.result !== "held") throw new Error(`not held: ${JSON.stringify(verdict)}`);
  return verdict.hold.id;
}

export async function holdFloor(
  core: TestCore,
  sale: Sale,
  fan: Who,
  quantity: number,
): Promise<string> {
  const [verdict] = await core.db.call<{ result: string; hold: { id: string } }[]>(
    "hold_zone_batch",
    [sale.event, "floor", JSON.stringify([{ hold: newId("hold"), who: who(fan), quantity }])],
  );
  if (verdict?.result !== "held") throw new Error(`not held: ${JSON.stringify(verdict)}`);
  return verdict.hold.id;
}

/** The hold's time is over; what happens then is up to whoever looks. */
export async function endHoldTime(core: TestCore, hold: string): Promise<void> {
  await core.db.write(
    `with h as (
       update holds set expires_at = now() - interval '1 second', paying_until = null
       where id = $1 returning event_id, id
     ), z as (
       update hold_zones l set held_until = now() - interval '1 second', paying_until = null
       from h where l.event_id = h.event_id and l.hold_id = h.id
     ), s as (
       update seats s set held_until = now() - interval '1 second', paying_until = null
       from h where s.event_id = h.event_id and s.hold_id = h.id
       returning s.event_id, s.section_id, s.row_id
     )
     update rows r set due_at = now() - interval '1 second' from s
     where r.event_id = s.event_id and r.section_id = s.section_id and r.row_id = s.row_id`,
    [hold],
  );
}

export type Buyer = Who & { order: string; token: string; hold: string; total: number };

export async function orderFor(
  core: TestCore,
  sale: Sale,
  hold: string,
  fan: Who,
  more: { acceptEqualSeats?: boolean } = {},
): Promise<Buyer> {
  const reply = await core.call("POST", "/v1/orders", {
    body: { holdId: hold, buyer: { email: "fan@example.com", name: "Ayşe Işık" }, ...more },
    headers: { "x-test-place": fan.place, "x-test-event": sale.event },
  });
  if (reply.status !== 201) throw new Error(`no order: ${reply.text}`);
  const { id = "", orderToken = "", total } = reply.body;
  return { ...fan, order: id, token: orderToken, hold, total: total?.amount ?? Number.NaN };
}

/** A new fan with an order for these seats. */
export async function newBuyer(
  core: TestCore,
  sale: Sale,
  seats: string[],
  more: { acceptEqualSeats?: boolean; place?: string } = {},
): Promise<Buyer> {
  const { place = unique("plc"), ...rest } = more;
  const hold = await holdSeats(core, sale, { place }, seats);
  return orderFor(core, sale, hold, { place }, rest);
}

export const asBuyer = (buyer: Buyer, key?: string): Record<string, string> => ({
  authorization: `Order ${buyer.token}`,
  ...(key === undefined ? {} : { "idempotency-key": key }),
});

export const pay = (
  core: TestCore,
  buyer: Buyer,
  method: string,
  key: string = unique("key"),
  more: { instalments?: number; origin?: string } = {},
): Promise<Answer> =>
  core.call("POST", `/v1/orders/${buyer.order}/attempts`, {
    body: { method, origin: "press", ...more },
    headers: asBuyer(buyer, key),
  });

export const readOrder = async (core: TestCore, buyer: Buyer): Promise<Json> =>
  (await core.call("GET", `/v1/orders/${buyer.order}`, { headers: asBuyer(buyer) })).body;

/** Runs the jobs until the condition holds; the test's own time limit ends a wait in vain. */
export async function until<T>(
  core: TestCore,
  look: () => Promise<T>,
  enough: (value: T) => boolean,
): Promise<T> {
  for (;;) {
    await core.runJobs();
    const value = await look();
    if (enough(value)) return value;
    await sleep(15);
  }
}

const ENDS = ["succeeded", "failed"];
const hasEnd = (one: { state: string }): boolean => ENDS.includes(one.state);

/** Every payment of the order has an end and has bought or returned what it could. */
export const untilQuiet = (core: TestCore, buyer: Buyer): Promise<Json> =>
  until(
    core,
    () => readOrder(core, buyer),
    (order) => {
      const attempts = [...(order["attempts"] ?? [])];
      const undecided =
        order["state"] === "pending" && attempts.some((one) => one["state"] === "succeeded");
      return !undecided && attempts.every(hasEnd) && [...(order["refunds"] ?? [])].every(hasEnd);
    },
  );
