import { PAYMENT_TIMINGS, type PaymentTimings } from "../../../core/payments/limits.ts";

/** 25 s become 250 ms, at the simulator and in the core alike. */
export const TIME_SCALE = 0.01;
/** Where processes start beside each other and a busy machine must not look like a dead provider. */
export const FAULT_TIME_SCALE = 0.1;

export const scaledTimings = (scale: number): PaymentTimings => ({
  // Generous where nothing is slow on purpose.
  ...PAYMENT_TIMINGS,
  confirmTimeoutMs: PAYMENT_TIMINGS.confirmTimeoutMs * scale,
  inquireAfterSentMs: PAYMENT_TIMINGS.inquireAfterSentMs * scale,
  inquiryBackoffMs: PAYMENT_TIMINGS.inquiryBackoffMs.map((ms) => ms * scale),
  refundBackoffMs: PAYMENT_TIMINGS.refundBackoffMs.map((ms) => ms * scale),
});
