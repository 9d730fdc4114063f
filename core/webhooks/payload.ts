import type { WebhookKind } from "../../shared/contract/webhooks.ts";

/** Pure: which of our own events organizers hear of, by which name, and what of it. */

const KINDS: Readonly<Record<string, WebhookKind>> = {
  "order.paid": "order.paid",
  "order.cancelled": "order.cancelled",
  "order.expired": "order.expired",
  "refund.succeeded": "order.refunded",
  "hold.expired": "hold.expired",
};

/** Ids and money alone; who the buyer is, an organizer reads through the API with a key. */
const TOLD = [
  "order",
  "attempt",
  "refund",
  "amount",
  "currency",
  "reason",
  "reseated",
  "hold",
  "seats",
  "zones",
] as const;

export const webhookSources: readonly string[] = Object.keys(KINDS);

export const webhookKindOf = (kind: string): WebhookKind | undefined => KINDS[kind];

export function webhookData(input: {
  event: string;
  order: string | undefined;
  payload: Readonly<Record<string, unknown>>;
}): Record<string, unknown> {
  const told = TOLD.flatMap((name): [string, unknown][] => {
    const value = input.payload[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return {
    event: input.event,
    ...(input.order === undefined ? {} : { order: input.order }),
    ...Object.fromEntries(told),
  };
}
