import { z } from "zod";
import type { Money } from "../money.ts";
import { localeSchema, personNameSchema, reasonSchema } from "./common.ts";

/** Orders, attempts, tickets, refunds. Methods are tokens of the provider; no card data touches us. */

export const buyerSchema = z.strictObject({
  email: z.email().max(254),
  name: personNameSchema,
  locale: localeSchema.optional(),
});
export type Buyer = z.infer<typeof buyerSchema>;

/** `POST /v1/orders` */
export const orderRequestSchema = z.strictObject({
  holdId: z.string().min(1).max(64),
  buyer: buyerSchema,
  acceptEqualSeats: z.boolean().optional(),
  cart: z.boolean().optional(),
});
export type OrderRequest = z.infer<typeof orderRequestSchema>;

export const ATTEMPT_ORIGINS = ["press", "retry_after_error", "resume"] as const;

/** `POST /v1/orders/{id}/attempts` */
export const attemptRequestSchema = z.strictObject({
  method: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, "a token of the payment provider"),
  instalments: z.int().min(1).max(36).optional(),
  origin: z.enum(ATTEMPT_ORIGINS).optional(),
});
export type AttemptRequest = z.infer<typeof attemptRequestSchema>;

export const ORDER_STATES = [
  "pending",
  "paid",
  "expired",
  "cancelled",
  "refunded",
  "part_refunded",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Of attempts and of refunds. */
export const ATTEMPT_STATES = ["created", "sent", "succeeded", "failed", "unknown"] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const TICKET_STATES = ["valid", "void", "used"] as const;

export type AttemptView = { id: string; state: AttemptState; reason?: string };

export type TicketView = {
  id: string;
  seat?: string;
  zone: string;
  /** What the QR code says; empty once the ticket was handed on. */
  code: string;
  transferred?: true;
  state: (typeof TICKET_STATES)[number];
};

export type OrderView = {
  id: string;
  event: string;
  state: OrderState;
  total: Money;
  hold: string;
  /** When the seats are free again, for a pending order. */
  expiresAt?: string;
  now: string;
  attempts: AttemptView[];
  lines: {
    kind: "seat" | "zone" | "addon" | "fee" | "tax";
    id: string;
    quantity: number;
    price: Money;
  }[];
  refunds?: { id: string; state: string; amount: Money }[];
  tickets?: TicketView[];
};

/** `POST /v1/organizer/orders/{id}/refunds` */
export const refundRequestSchema = z.strictObject({
  attempt: z.string().max(64).optional(),
  amount: z.int().min(1).optional(),
  tickets: z.array(z.string().max(64)).max(100).optional(),
  reason: reasonSchema,
});
export type RefundRequest = z.infer<typeof refundRequestSchema>;
