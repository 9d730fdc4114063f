import { z } from "zod";

/** What happens to orders and holds, told to an organizer's own systems (Standard Webhooks signatures). */

export const WEBHOOK_KINDS = [
  "order.paid",
  "order.refunded",
  "order.cancelled",
  "order.expired",
  "hold.expired",
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** `POST /v1/organizer/events/{event}/webhooks` */
export const webhookRequestSchema = z.strictObject({
  url: z.string().min(1).max(2_000),
  /** All kinds when it is missing. */
  kinds: z.array(z.enum(WEBHOOK_KINDS)).min(1).max(WEBHOOK_KINDS.length).optional(),
});
export type WebhookRequest = z.infer<typeof webhookRequestSchema>;

export type WebhookView = {
  id: string;
  event: string;
  url: string;
  kinds: WebhookKind[];
  state: "active" | "disabled";
  createdAt: string;
};

/** Never the other side's body: the status, or one word for what went wrong. */
export type DeliveryView = {
  id: string;
  webhook: string;
  kind: WebhookKind;
  order?: string;
  state: "waiting" | "delivered" | "dead";
  tries: number;
  lastStatus?: number;
  lastFault?: string;
  createdAt: string;
  endedAt?: string;
};
