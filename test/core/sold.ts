// An event with seats that are already paid for, without a payment provider: what comes after the
// sale starts from here.
import type { House } from "./house.ts";

export const SEATS = 20;
let serial = 0;

export async function makeEvent(house: House, event?: string): Promise<string> {
  serial += 1;
  const id = event ?? `after-${serial}`;
  const { db } = house.deps;
  await db.write(
    `insert into events (event_id, name, venue, starts_at, sale_opens_at, time_zone, currency,
        per_order_max, per_account_max)
      values ($1, 'Şenlik <1>', 'Açıkhava', now() + interval '30 days', now() - interval '1 hour',
        'Europe/Istanbul', 'TRY', 50, 50)`,
    [id],
  );
  await db.write(
    `insert into zones (event_id, zone_id, name, kind, price, capacity)
      values ($1, 'stalls', 'Stalls', 'seated', 0, 0), ($1, 'floor', 'Floor', 'standing', 0, 100)`,
    [id],
  );
  await db.write(
    "insert into sections (event_id, section_id, name, ordinal) values ($1, 'A', 'Block A', 1)",
    [id],
  );
  await db.write(
    `insert into rows (event_id, section_id, row_id, zone_id, rank, layout, map, free,
        free_accessible, longest, runs)
      values ($1, 'A', '1', 'stalls', 1, repeat('g', $2::integer), repeat('f', $2::integer), $2, 0,
        $2, 1::bigint << $2::integer)`,
    [id, SEATS],
  );
  await db.write(
    `insert into seats (event_id, seat_id, section_id, row_id, place, number, zone_id)
      select $1, 'A-1-' || n, 'A', '1', n, n, 'stalls' from generate_series(1, $2::integer) n`,
    [id, SEATS],
  );
  return id;
}

export type Sold = { event: string; order: string; tickets: string[]; place: string };

/** A paid order of the first free seats; the seats cost nothing, so it is paid by being made. */
export async function sellSeats(
  house: House,
  more: {
    event?: string;
    seats?: number;
    email?: string;
    locale?: string;
    account?: string;
  } = {},
): Promise<Sold> {
  const { db, ids } = house.deps;
  const event = more.event ?? (await makeEvent(house));
  serial += 1;
  const place = `plc-${serial}`;
  const account = more.account ?? place;
  const free = await db.read<{ seat_id: string }>(
    `select seat_id from seats where event_id = $1 and status = 'available' order by number limit $2`,
    [event, more.seats ?? 1],
  );
  const held = await db.call<{ result: string; hold: { id: string } }>("hold_seats", [
    event,
    ids.newId("hold"),
    { place, account, gen: 0, iat: Date.now() },
    free.map(({ seat_id: seat }) => seat),
  ]);
  if (held.result !== "held") throw new Error(`not held: ${JSON.stringify(held)}`);
  const order = ids.newId("ord");
  await db.call("create_order", [
    order,
    ids.newId("pi"),
    event,
    held.hold.id,
    account,
    null,
    more.email ?? "fan@example.com",
    "Ayşe Işık",
    more.locale ?? "en",
    false,
  ]);
  const settled = await db.call<{ state: string }>("settle_order", [order]);
  if (settled.state !== "paid") throw new Error(`not paid: ${JSON.stringify(settled)}`);
  const tickets = await db.read<{ id: string }>(
    "select id from tickets where order_id = $1 order by seat_id",
    [order],
  );
  return { event, order, place, tickets: tickets.map(({ id }) => id) };
}

/** Seats given away at the door, to nobody we could write to. */
export async function giveTickets(house: House): Promise<Sold> {
  const sold = await sellSeats(house);
  await house.deps.db.write(
    "update orders set buyer_email = null, buyer_name = null where id = $1",
    [sold.order],
  );
  return sold;
}
