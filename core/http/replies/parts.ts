import { z } from "zod";
import type { EventView, SeatMap } from "../../../shared/contract/events.ts";
import type { HoldView } from "../../../shared/contract/holds.ts";
import type { OrderView, TicketView } from "../../../shared/contract/orders.ts";
import { ATTEMPT_STATES, ORDER_STATES, TICKET_STATES } from "../../../shared/contract/orders.ts";
import type { TicketPage } from "../../../shared/contract/tickets.ts";

/**
 * Replies that several calls give, as schemas of the contract's own types: a field that the type has
 * and the schema has not does not compile, and one that the core sends and neither names fails the test
 * that reads real replies. Objects are strict, so that nothing is sent that no document tells of.
 */

/** By status. A string is a reply of another kind than JSON, given as its content type. */
export type Replies = Readonly<Record<string, Readonly<Record<number, z.ZodType | string>>>>;

export const id = z.string().min(1).max(200);
export const event = z.string().max(64);
export const at = z.iso.datetime();
export const count = z.int().min(0);
export const empty = z.strictObject({});
export const tally = z.record(z.string(), count);
export const money = z.strictObject({ amount: count, currency: z.string().length(3) });
export const orderState = z.enum(ORDER_STATES);
const ticketState = z.enum(TICKET_STATES);
const zoneKind = z.enum(["seated", "standing"]);

export const eventView = z.strictObject({
  id: event,
  name: z.string(),
  venue: z.string(),
  startsAt: at,
  saleOpensAt: at,
  saleClosesAt: at.exactOptional(),
  timeZone: z.string(),
  currency: z.string().length(3),
  holdMs: count,
  limits: z.strictObject({ perOrder: count, perAccount: count }),
  zones: z.array(
    z.strictObject({
      id,
      name: z.string(),
      kind: zoneKind,
      price: money,
      fee: money.exactOptional(),
      soldOut: z.boolean(),
    }),
  ),
  sections: z.array(z.strictObject({ id, name: z.string() })),
  addons: z.array(
    z.strictObject({
      id,
      name: z.string(),
      price: money,
      variants: z.array(z.string()).exactOptional(),
      soldOut: z.boolean(),
    }),
  ),
  fees: money,
  orderFee: money.exactOptional(),
  taxBasisPoints: count.exactOptional(),
}) satisfies z.ZodType<EventView>;

export const seatMap = z.strictObject({
  event,
  version: count,
  at,
  zones: z.array(
    z.strictObject({ id, name: z.string(), kind: zoneKind, price: money, available: count }),
  ),
  sections: z.array(
    z.strictObject({
      id,
      name: z.string(),
      available: count,
      rows: z.array(
        z.strictObject({
          id,
          zone: id,
          numbers: z.union([count, z.array(count)]),
          status: z.string().regex(/^[ahsb]*$/),
          accessible: z.array(count).exactOptional(),
          companions: z.array(count).exactOptional(),
        }),
      ),
    }),
  ),
}) satisfies z.ZodType<SeatMap>;

export const hold = z.strictObject({
  id,
  event,
  seats: z.array(
    z.strictObject({ id, section: id, row: id, number: count, zone: id, price: money }),
  ),
  zones: z.array(z.strictObject({ id, quantity: count, price: money })),
  addons: z.array(
    z.strictObject({ id, variant: z.string().exactOptional(), quantity: count, price: money }),
  ),
  total: money,
  expiresAt: at,
  now: at,
  adjacent: z.boolean().exactOptional(),
  extended: z.literal(true).exactOptional(),
}) satisfies z.ZodType<HoldView>;

export const ticket = z.strictObject({
  id,
  seat: id.exactOptional(),
  zone: id,
  code: z.string().max(120),
  transferred: z.literal(true).exactOptional(),
  state: ticketState,
}) satisfies z.ZodType<TicketView>;

export const order = z.strictObject({
  id,
  event,
  state: orderState,
  total: money,
  hold: id,
  expiresAt: at.exactOptional(),
  now: at,
  attempts: z.array(
    z.strictObject({ id, state: z.enum(ATTEMPT_STATES), reason: z.string().exactOptional() }),
  ),
  lines: z.array(
    z.strictObject({
      kind: z.enum(["seat", "zone", "addon", "fee", "tax"]),
      id,
      quantity: count,
      price: money,
    }),
  ),
  refunds: z
    .array(z.strictObject({ id, state: z.enum(ATTEMPT_STATES), amount: money }))
    .exactOptional(),
  tickets: z.array(ticket).exactOptional(),
}) satisfies z.ZodType<OrderView>;

export const attempt = z.strictObject({
  id,
  state: z.enum(ATTEMPT_STATES),
  reason: z.string().exactOptional(),
  order: id,
});

export const ticketPage = z.strictObject({
  id,
  event: z.strictObject({
    id: event,
    name: z.string(),
    venue: z.string(),
    startsAt: at,
    timeZone: z.string(),
  }),
  seat: id.exactOptional(),
  section: z.string().exactOptional(),
  row: z.string().exactOptional(),
  number: count.exactOptional(),
  zone: z.string(),
  holder: z.string().exactOptional(),
  state: ticketState,
  code: z.string().max(120),
  issue: count,
}) satisfies z.ZodType<TicketPage>;
