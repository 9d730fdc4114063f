// Stripe's events and balance transactions in the words of our provider interface.
import type Stripe from "stripe";
import type { SettlementLine, WebhookEvent } from "./provider.ts";
import { fromStripeAmount } from "./stripe-amounts.ts";

export function readStripeEvent(event: Stripe.Event): WebhookEvent {
  const { id, type } = event;
  switch (event.type) {
    case "payment_intent.succeeded": {
      const intent = event.data.object;
      const currency = intent.currency.toUpperCase();
      const amount = fromStripeAmount(intent.amount_received, currency);
      if (amount === undefined) return { id, type, ref: intent.id, outcome: null };
      return {
        id,
        type,
        ref: intent.id,
        outcome: { outcome: "charge_succeeded", amount, currency },
      };
    }
    case "payment_intent.payment_failed": {
      const intent = event.data.object;
      const reason = intent.last_payment_error?.decline_code ?? intent.last_payment_error?.code;
      return {
        id,
        type,
        ref: intent.id,
        outcome: { outcome: "charge_failed", reason: reason ?? "card_declined" },
      };
    }
    case "payment_intent.canceled":
      return { id, type, ref: event.data.object.id, outcome: { outcome: "charge_cancelled" } };
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
      return { id, type, ...readRefund(event.data.object) };
    default:
      return { id, type, ref: null, outcome: null };
  }
}

function readRefund(refund: Stripe.Refund): Pick<WebhookEvent, "ref" | "outcome"> {
  const ours = refund.metadata?.["refund"];
  const { id: ref, status } = refund;
  if (ours === undefined) return { ref, outcome: null };
  if (status === "succeeded")
    return { ref, outcome: { outcome: "refund_succeeded", refund: ours } };
  if (!hasComeBack(refund)) return { ref, outcome: null };
  const reason = refund.failure_reason ?? status ?? "failed";
  return { ref, outcome: { outcome: "refund_failed", refund: ours, reason } };
}

const PAGE = 100;

/**
 * Balance transactions of the time from `from` to `to` (ms), charges and refunds alone. A refund that
 * the buyer's bank sent back stands there twice, going and coming; no money has moved, so neither counts.
 */
export async function readStripeSettlement(
  stripe: Stripe,
  window: { from: number; to: number },
): Promise<SettlementLine[]> {
  const seconds = (ms: number): number => Math.ceil(ms / 1_000);
  const created = { gte: seconds(window.from), lt: seconds(window.to) };
  const lines: SettlementLine[] = [];
  const pages = stripe.balanceTransactions.list({ created, limit: PAGE, expand: ["data.source"] });
  for await (const entry of pages) {
    const { source } = entry;
    if (source === null || typeof source === "string") continue;
    const isCharge = source.object === "charge";
    if (!isCharge && source.object !== "refund") continue;
    if (source.object === "refund" && hasComeBack(source)) continue;
    const intent = source.payment_intent;
    if (intent === null) continue;
    const ref = typeof intent === "string" ? intent : intent.id;
    const currency = source.currency.toUpperCase();
    lines.push({
      id: source.id,
      kind: isCharge ? "charge" : "refund",
      ref,
      order: source.metadata?.["order"] ?? null,
      // No whole unit of ours: told in Stripe's own count, so that the books differ and a person looks.
      amount: fromStripeAmount(source.amount, currency) ?? source.amount,
      currency,
      at: new Date(entry.created * 1_000).toISOString(),
    });
  }
  return lines;
}

const hasComeBack = ({ status }: Stripe.Refund): boolean =>
  status === "failed" || status === "canceled";
