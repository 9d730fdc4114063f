// What an answer of the provider means. Pure: the one place that says when an attempt has an end.
import { FENCE_AFTER_NOT_CHARGED, FENCE_AFTER_NOT_FOUND } from "./limits.ts";
import type { ChargeAnswer, RefundAnswer } from "./provider.ts";

export type AttemptVerdict =
  | { do: "succeed"; amount: number; currency: string }
  | { do: "fail"; reason: string }
  | { do: "wait" }
  /** Cancel at the provider; its answer is then judged by `decideCancel`. */
  | { do: "fence" };

/** After the one confirm. "Created" and "not found" are no refusals: the call may still arrive. */
export function decideConfirm(answer: ChargeAnswer): AttemptVerdict {
  switch (answer.state) {
    case "succeeded":
      return { do: "succeed", amount: answer.amount, currency: answer.currency };
    case "failed":
      return { do: "fail", reason: answer.reason };
    case "cancelled":
      return { do: "fail", reason: "cancelled" };
    case "created":
    case "not_found":
    case "unknown":
      return { do: "wait" };
  }
}

/** Why there was no answer, for an incident's report. Adapters name errors in their own words. */
export function unknownCause(answer: ChargeAnswer): string | null {
  switch (answer.state) {
    case "unknown":
      if (/time.?out|abort/i.test(answer.reason)) return "timeout";
      return /^(status )?5\d\d|api_error|processing/.test(answer.reason)
        ? "provider_error"
        : "connection_lost";
    case "created":
    case "not_found":
      return "not_charged_yet";
    case "succeeded":
    case "failed":
    case "cancelled":
      return null;
  }
}

/**
 * After an inquiry. A negative answer ends nothing by itself; after enough of them the charge is
 * cancelled at the provider, which makes a confirm that is still on its way harmless.
 *
 * @param inquiries how many were made before this one.
 */
export function decideInquiry(answer: ChargeAnswer, inquiries: number): AttemptVerdict {
  const made = inquiries + 1;
  switch (answer.state) {
    case "created":
      return { do: made >= FENCE_AFTER_NOT_CHARGED ? "fence" : "wait" };
    case "not_found":
      return { do: made >= FENCE_AFTER_NOT_FOUND ? "fence" : "wait" };
    case "unknown":
      return { do: "wait" };
    case "succeeded":
    case "failed":
    case "cancelled":
      return decideConfirm(answer);
  }
}

/** After our cancel: only "cancelled" is a fence; anything unclear is asked about again. */
export function decideCancel(answer: ChargeAnswer): AttemptVerdict {
  return answer.state === "cancelled"
    ? { do: "fail", reason: "not_charged" }
    : decideConfirm(answer);
}

/** The wait before inquiry number `inquiries + 1`. */
export function backoffMs(schedule: readonly number[], inquiries: number): number {
  return schedule[Math.min(inquiries, schedule.length - 1)] ?? 0;
}

export type RefundVerdict =
  | { do: "succeed"; ref: string }
  | { do: "fail"; reason: string }
  | { do: "wait" }
  /** Not known there: the first sending never arrived, and the provider's key makes it one. */
  | { do: "send" };

export function decideRefund(answer: RefundAnswer): RefundVerdict {
  switch (answer.state) {
    case "succeeded":
      return { do: "succeed", ref: answer.ref };
    case "failed":
      return { do: "fail", reason: answer.reason };
    case "not_found":
      return { do: "send" };
    case "unknown":
      return { do: "wait" };
  }
}
