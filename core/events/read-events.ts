import type { EventPut, EventView } from "../../shared/contract/events.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Db } from "../db/db.ts";
import { seatMapOf } from "../seats/house.ts";
import { readHouse } from "../seats/queries.ts";

/** What the public reads of events, and what an organizer wrote of one. */

const EVENTS_MAX = 500;

/** A zone is sold out when nothing of it is free; what is held may come back. */
const VIEW = `
  jsonb_strip_nulls(jsonb_build_object(
    'id', e.event_id, 'name', e.name, 'venue', e.venue,
    'startsAt', iso_time(e.starts_at), 'saleOpensAt', iso_time(e.sale_opens_at),
    'saleClosesAt', iso_time(e.sale_closes_at), 'timeZone', e.time_zone,
    'currency', e.currency, 'holdMs', e.hold_ms,
    'limits', jsonb_build_object('perOrder', e.per_order_max, 'perAccount', e.per_account_max),
    'zones', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', z.zone_id, 'name', z.name, 'kind', z.kind,
        'price', jsonb_build_object('amount', z.price, 'currency', e.currency),
        'fee', case when z.fee is not null
          then jsonb_build_object('amount', z.fee, 'currency', e.currency) end,
        'soldOut', case z.kind when 'standing' then z.held + z.sold >= z.capacity
          else not exists (select 1 from rows r where r.event_id = e.event_id
            and r.zone_id = z.zone_id and (r.free > 0 or r.free_accessible > 0)) end)
        order by z.ordinal, z.zone_id), '[]')
      from zones z where z.event_id = e.event_id),
    'sections', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.section_id, 'name', s.name) order by s.ordinal, s.section_id), '[]')
      from sections s where s.event_id = e.event_id),
    'addons', (select coalesce(jsonb_agg(a.addon order by a.ordinal, a.id), '[]')
      from (
        select min(d.ordinal) as ordinal, d.addon_id as id, jsonb_build_object(
          'id', d.addon_id, 'name', min(d.name),
          'price', jsonb_build_object('amount', min(d.price), 'currency', e.currency),
          'variants', jsonb_agg(d.variant order by d.variant) filter (where d.variant <> ''),
          'soldOut', bool_and(d.held + d.sold >= d.stock)) as addon
        from addons d where d.event_id = e.event_id group by d.addon_id
      ) a),
    'fees', jsonb_build_object('amount', e.fee_per_unit, 'currency', e.currency),
    'orderFee', case when e.fee_per_order > 0
      then jsonb_build_object('amount', e.fee_per_order, 'currency', e.currency) end,
    'taxBasisPoints', nullif(e.tax_basis_points, 0))) as view`;

export async function listEvents(ctx: { db: Db }): Promise<EventView[]> {
  const rows = await ctx.db.read<{ view: EventView }>(
    `select ${VIEW} from events e where e.state <> 'cancelled' and e.rehearsal_of is null
     order by e.starts_at, e.event_id limit $1`,
    [EVENTS_MAX],
  );
  return rows.map(({ view }) => view);
}

/** For whom all events are theirs: those that were called off, too. */
export async function listAllEvents(ctx: { db: Db }): Promise<EventView[]> {
  const rows = await ctx.db.read<{ view: EventView }>(
    `select ${VIEW} from events e where e.rehearsal_of is null
     order by e.starts_at desc, e.event_id limit $1`,
    [EVENTS_MAX],
  );
  return rows.map(({ view }) => view);
}

export async function readEvent(ctx: { db: Db }, input: { event: string }): Promise<EventView> {
  const [row] = await ctx.db.read<{ view: EventView }>(
    `select ${VIEW} from events e where e.event_id = $1`,
    [input.event],
  );
  if (!row) throw new Refusal("unknown_event");
  return row.view;
}

export async function readEventVersion(ctx: { db: Db }, input: { event: string }): Promise<number> {
  const [row] = await ctx.db.read<{ version: number }>(
    "select version from events where event_id = $1",
    [input.event],
  );
  if (!row) throw new Refusal("unknown_event");
  return row.version;
}

/** The event as its organizer would put it: what an import or a console changes a part of. */
export async function readEventPut(ctx: { db: Db }, input: { event: string }): Promise<EventPut> {
  const [view, house] = await Promise.all([readEvent(ctx, input), readHouse(ctx.db, input.event)]);
  if (!house) throw new Refusal("unknown_event");
  const [capacities, stocks] = await Promise.all([
    ctx.db.read<{ zone_id: string; capacity: number }>(
      "select zone_id, capacity from zones where event_id = $1",
      [input.event],
    ),
    ctx.db.read<{ addon_id: string; stock: number }>(
      "select addon_id, max(stock) as stock from addons where event_id = $1 group by addon_id",
      [input.event],
    ),
  ]);
  const capacity = new Map(capacities.map((zone) => [zone.zone_id, zone.capacity]));
  const stock = new Map(stocks.map((addon) => [addon.addon_id, addon.stock]));
  return {
    name: view.name,
    venue: view.venue,
    startsAt: view.startsAt,
    saleOpensAt: view.saleOpensAt,
    ...(view.saleClosesAt === undefined ? {} : { saleClosesAt: view.saleClosesAt }),
    timeZone: view.timeZone,
    currency: view.currency,
    holdMs: view.holdMs,
    perOrderMax: view.limits.perOrder,
    perAccountMax: view.limits.perAccount,
    fees: {
      perTicket: view.fees.amount,
      perOrder: view.orderFee?.amount ?? 0,
      taxBasisPoints: view.taxBasisPoints ?? 0,
    },
    zones: view.zones.map(({ id, name, kind, price, fee }) => ({
      id,
      name,
      price: price.amount,
      ...(fee === undefined ? {} : { fee: fee.amount }),
      kind,
      ...(kind === "standing" ? { capacity: capacity.get(id) ?? 0 } : {}),
    })),
    sections: seatMapOf(house).sections.map(({ id, name, rows }) => ({
      id,
      name,
      rows: rows.map(({ id: row, zone, numbers, accessible, companions }) => ({
        id: row,
        zone,
        seats: numbers,
        ...(accessible ? { accessible } : {}),
        ...(companions ? { companions } : {}),
      })),
    })),
    addons: view.addons.map(({ id, name, price, variants }) => ({
      id,
      name,
      price: price.amount,
      stock: stock.get(id) ?? 0,
      ...(variants ? { variants } : {}),
    })),
  };
}
