import { z } from "zod";
import {
  HOLD_MS_DEFAULT,
  HOLD_MS_MAX,
  HOLD_MS_MIN,
  ROWS_PER_SECTION_MAX,
  SEATS_PER_ROW_MAX,
  SECTIONS_MAX,
} from "../limits.ts";
import { currencySchema, instantSchema } from "./common.ts";

/** `PUT /v1/organizer/events/{event}` and what the public reads of it. Prices are minor units. */

/** Section, row and zone ids become parts of seat ids (`section-row-number`). */
const labelSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.]{0,31}$/, "1 to 32 letters, digits, dots and underscores");

const priceSchema = z.int().min(0).max(1_000_000_000);

export const timeZoneSchema = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      new Intl.DateTimeFormat("en", { timeZone: zone });
      return true;
    } catch {
      return false;
    }
  }, "an IANA time zone like Europe/Istanbul");

const zoneSchema = z.strictObject({
  id: labelSchema,
  name: z.string().min(1).max(120),
  price: priceSchema,
  /** For each ticket of this price, in the place of `fees.perTicket`; nought is none. */
  fee: priceSchema.optional(),
  kind: z.enum(["seated", "standing"]),
  capacity: z.int().min(0).max(1_000_000).optional(),
});

const rowSchema = z.strictObject({
  id: labelSchema,
  zone: labelSchema,
  /** How many seats the row has, numbered from 1; or the numbers themselves. */
  seats: z.union([
    z.int().min(1).max(SEATS_PER_ROW_MAX),
    z.array(z.int().min(1).max(9_999)).min(1).max(SEATS_PER_ROW_MAX),
  ]),
  accessible: z.array(z.int().min(1)).max(SEATS_PER_ROW_MAX).optional(),
  companions: z.array(z.int().min(1)).max(SEATS_PER_ROW_MAX).optional(),
});

const sectionSchema = z.strictObject({
  id: labelSchema,
  name: z.string().min(1).max(120),
  rows: z.array(rowSchema).max(ROWS_PER_SECTION_MAX),
});

const addonSchema = z.strictObject({
  id: labelSchema,
  name: z.string().min(1).max(120),
  price: priceSchema,
  stock: z.int().min(0).max(10_000_000),
  variants: z.array(z.string().min(1).max(60)).max(50).optional(),
});

/** On top of the prices; missing is none. Add-ons bear no fee, and the tax is on all of it together. */
const feesSchema = z.strictObject({
  perTicket: priceSchema.default(0),
  perOrder: priceSchema.default(0),
  /** 1,900 is 19 %. */
  taxBasisPoints: z.int().min(0).max(10_000).default(0),
});

export const eventPutSchema = z.strictObject({
  name: z.string().min(1).max(200),
  venue: z.string().min(1).max(200),
  startsAt: instantSchema,
  saleOpensAt: instantSchema,
  saleClosesAt: instantSchema.optional(),
  timeZone: timeZoneSchema,
  currency: currencySchema,
  holdMs: z.int().min(HOLD_MS_MIN).max(HOLD_MS_MAX).default(HOLD_MS_DEFAULT),
  perOrderMax: z.int().min(1).max(50).default(8),
  perAccountMax: z.int().min(1).max(1_000).default(8),
  fees: feesSchema.optional(),
  zones: z.array(zoneSchema).min(1).max(200),
  sections: z.array(sectionSchema).max(SECTIONS_MAX).default([]),
  addons: z.array(addonSchema).max(100).optional(),
});
export type EventPut = z.infer<typeof eventPutSchema>;

export type EventView = {
  id: string;
  name: string;
  venue: string;
  startsAt: string;
  saleOpensAt: string;
  saleClosesAt?: string;
  timeZone: string;
  currency: string;
  holdMs: number;
  limits: { perOrder: number; perAccount: number };
  zones: {
    id: string;
    name: string;
    kind: "seated" | "standing";
    price: { amount: number; currency: string };
    /** For each ticket of this price, where it is not the event's `fees`. */
    fee?: { amount: number; currency: string };
    soldOut: boolean;
  }[];
  sections: { id: string; name: string }[];
  addons: {
    id: string;
    name: string;
    price: { amount: number; currency: string };
    variants?: string[];
    soldOut: boolean;
  }[];
  /** For each seat and place; missing below is none. The order adds the same lines to the unit. */
  fees: { amount: number; currency: string };
  orderFee?: { amount: number; currency: string };
  taxBasisPoints?: number;
};

/** One letter a seat, in the order of the row's numbers; the whole house stays small. */
export type SeatLetter =
  /** available */
  | "a"
  /** held */
  | "h"
  /** sold */
  | "s"
  /** blocked */
  | "b";

/** `GET /v1/events/{event}/seats` */
export type SeatMap = {
  event: string;
  /** Rises with every change; stream deltas name it. */
  version: number;
  at: string;
  zones: {
    id: string;
    name: string;
    kind: "seated" | "standing";
    price: { amount: number; currency: string };
    /** Standing zones: what is left. */
    available: number;
  }[];
  sections: {
    id: string;
    name: string;
    available: number;
    rows: {
      id: string;
      zone: string;
      /** A count when the numbers are 1…n, else the numbers. */
      numbers: number | number[];
      /** A {@link SeatLetter} each. */
      status: string;
      accessible?: number[];
      companions?: number[];
    }[];
  }[];
};
