// The one face that a payment provider shows to the core. Adapters translate and classify; they
// never retry, and they never guess: whatever is not a clear answer is `unknown`.
import type { Result } from "../../shared/result.ts";
import type { PaymentTimings } from "./limits.ts";

/** What a provider says of a charge. */
export type ChargeAnswer =
  /** Money moved; the amount is the provider's own record, which may differ from what was asked. */
  | { state: "succeeded"; amount: number; currency: string }
  /** A real refusal: this charge can never succeed. */
  | { state: "failed"; reason: string }
  /** Cancelled before any money moved; it can never succeed. */
  | { state: "cancelled" }
  /** Known there and not charged. A confirm may still be on its way: not an end. */
  | { state: "created" }
  /** Not known there, or not yet visible: not an end either. */
  | { state: "not_found" }
  /** Timeout, reset, 5xx, or an answer that makes no sense. */
  | { state: "unknown"; reason: string };

/** The reason of a refused create whose `method` names nothing at the provider, whoever that is. */
export const UNKNOWN_METHOD = "unknown_method";

/** The reason of a refused create whose card does not take so many instalments. */
export const NO_SUCH_INSTALMENTS = "instalments_unavailable";

export type CreateAnswer =
  | { state: "created"; ref: string }
  | { state: "refused"; reason: string }
  | { state: "unknown"; reason: string };

export type RefundAnswer =
  | { state: "succeeded"; ref: string }
  | { state: "failed"; reason: string }
  | { state: "not_found" }
  | { state: "unknown"; reason: string };

export type NewCharge = {
  order: string;
  attempt: string;
  /** The client's Idempotency-Key, shown at the provider; the attempt's id is the provider's key. */
  key: string;
  amount: number;
  currency: string;
  method: string;
  instalments: number;
  requestId: string;
};

export type WebhookOutcome =
  | { outcome: "charge_succeeded"; amount: number; currency: string }
  | { outcome: "charge_failed" | "charge_cancelled"; reason?: string }
  | { outcome: "refund_succeeded" | "refund_failed"; refund: string; reason?: string };

export type WebhookEvent = {
  id: string;
  type: string;
  /** The provider's id of the charge or refund. */
  ref: string | null;
  /** `null`: nothing of ours changes by it; it is stored and ignored. */
  outcome: WebhookOutcome | null;
};

export type SettlementLine = {
  id: string;
  kind: "charge" | "refund";
  /** The charge it belongs to. */
  ref: string;
  order: string | null;
  amount: number;
  currency: string;
  at: string;
};

export type PaymentProvider = {
  readonly name: string;
  /** Which of our accounts at the provider; '' where there is one. */
  readonly account: string;
  /** The deadlines it keeps, and those that follow from them. */
  readonly timings: PaymentTimings;
  /** Idempotent by attempt; moves no money. */
  create(charge: NewCharge): Promise<CreateAnswer>;
  /** Moves money, in the instalments of the create. Called once for an attempt, whatever happens. */
  confirm(ref: string, requestId: string, instalments?: number): Promise<ChargeAnswer>;
  inquire(ref: string): Promise<ChargeAnswer>;
  cancel(ref: string): Promise<ChargeAnswer>;
  /** Idempotent by the refund's id. */
  refund(input: {
    refund: string;
    ref: string;
    amount: number;
    currency: string;
  }): Promise<RefundAnswer>;
  inquireRefund(input: { refund: string; ref: string }): Promise<RefundAnswer>;
  /** Signature and time stamp first, over the raw bytes; the error is for the log. */
  readWebhook(headers: Headers, body: string): Result<WebhookEvent, string>;
  settlement(day: string, zone: string): Promise<SettlementLine[]>;
};
