import type { AttemptView, OrderView } from "../../../shared/contract/orders.ts";

/**
 * What a page does about a payment it may have begun. Its key and body are stored before the first
 * send, so that a page that was killed at any moment goes on with the same attempt: never a second
 * one. Pure; the page does what it says.
 */

/** Stored under `attempt:{order}` from before the first send until its end is known. */
export type KeptAttempt = {
  key: string;
  method: string;
  origin: "press" | "retry_after_error";
  /** How many attempts the order had: ours, once it has arrived, is the one after them. */
  before: number;
};

export type PayState =
  /** Nothing is under way: a method may be chosen. `failed` tells how the last attempt ended. */
  | { kind: "choose"; failed?: string | undefined }
  /** Our attempt never arrived, as far as the order knows: send the very same again. */
  | { kind: "send"; attempt: KeptAttempt }
  /** Under way, or of unknown end: wait and look, never pay again. */
  | { kind: "checking" }
  /** The order has come to its end. */
  | { kind: "settled" };

const IN_FLIGHT: readonly AttemptView["state"][] = ["created", "sent", "unknown", "succeeded"];

/** An attempt that succeeded while the order is pending is about to settle it, or to be refunded. */
const isUnderWay = (attempt: AttemptView): boolean => IN_FLIGHT.includes(attempt.state);

export function decidePayment(order: OrderView, kept: KeptAttempt | undefined): PayState {
  if (order.state !== "pending") return { kind: "settled" };
  if (order.attempts.some(isUnderWay)) return { kind: "checking" };
  const last = order.attempts.at(-1);
  const failed = last?.state === "failed" ? (last.reason ?? "") : undefined;
  if (kept && order.attempts.length <= kept.before) return { kind: "send", attempt: kept };
  return { kind: "choose", failed };
}

/** The stored attempt may be forgotten once the order shows its end. */
export const isOver = (order: OrderView, kept: KeptAttempt): boolean =>
  order.state !== "pending" || order.attempts[kept.before]?.state === "failed";
