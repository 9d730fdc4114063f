import { z } from "zod";
import { ADDONS_PER_HOLD_MAX, SEATS_PER_HOLD_MAX } from "../limits.ts";
import type { Money } from "../money.ts";

/** `POST /v1/events/{event}/holds`: chosen seats, best available, or places in a standing zone. */

const addonsSchema = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(64),
      variant: z.string().min(1).max(60).optional(),
      quantity: z.int().min(1).max(SEATS_PER_HOLD_MAX),
    }),
  )
  .max(ADDONS_PER_HOLD_MAX)
  .optional();

const seatIdSchema = z.string().min(1).max(120);

export const holdRequestSchema = z.union([
  z.strictObject({
    seats: z
      .array(seatIdSchema)
      .min(1)
      .max(SEATS_PER_HOLD_MAX)
      .refine((ids) => new Set(ids).size === ids.length, "the same seat twice"),
    addons: addonsSchema,
  }),
  z.strictObject({
    best: z.strictObject({
      quantity: z.int().min(1).max(SEATS_PER_HOLD_MAX),
      section: z.string().min(1).max(32).optional(),
      zone: z.string().min(1).max(32).optional(),
      together: z.boolean().optional(),
      accessible: z.boolean().optional(),
    }),
    addons: addonsSchema,
  }),
  z.strictObject({
    zone: z.string().min(1).max(32),
    quantity: z.int().min(1).max(SEATS_PER_HOLD_MAX),
    addons: addonsSchema,
  }),
]);
export type HoldRequest = z.infer<typeof holdRequestSchema>;

export type HoldView = {
  id: string;
  event: string;
  seats: { id: string; section: string; row: string; number: number; zone: string; price: Money }[];
  zones: { id: string; quantity: number; price: Money }[];
  addons: { id: string; variant?: string; quantity: number; price: Money }[];
  total: Money;
  expiresAt: string;
  /** By the database clock, so that a countdown needs no clock of its own. */
  now: string;
  adjacent?: boolean;
  /** More time was asked for and given; there is no second time. */
  extended?: true;
};
