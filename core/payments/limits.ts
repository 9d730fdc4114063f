// Every time limit of the payment path. The confirm deadline is the longest a fan looks at a
// spinner; inquiries begin only after it, so that an answer on its way is not raced.

export const CREATE_TIMEOUT_MS = 10_000;
export const CONFIRM_TIMEOUT_MS = 25_000;
export const INQUIRE_TIMEOUT_MS = 5_000;
export const CANCEL_TIMEOUT_MS = 5_000;
export const REFUND_TIMEOUT_MS = 10_000;
export const SETTLEMENT_TIMEOUT_MS = 60_000;

/** A SENT attempt that nobody has recorded an answer for by then is UNKNOWN. */
export const INQUIRE_AFTER_SENT_MS = CONFIRM_TIMEOUT_MS + 5_000;
/** Waits between inquiries; the last one repeats for as long as there is no answer. */
export const INQUIRY_BACKOFF_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000] as const;
/** While one inquirer is at it, no other; longer than an inquiry and a cancel together. */
export const INQUIRY_LEASE_MS = INQUIRE_TIMEOUT_MS + CANCEL_TIMEOUT_MS + 5_000;
/** After so many "not charged" answers the charge is cancelled, to fence a late confirm. */
export const FENCE_AFTER_NOT_CHARGED = 2;
/** "Never heard of it" may be a lagging replica; more patience before the fence. */
export const FENCE_AFTER_NOT_FOUND = 4;

/** An attempt written down and not sent by then never will be. */
export const UNSENT_ATTEMPT_MS_MAX = 60_000;

export const REFUND_BACKOFF_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const;
export const REFUND_LEASE_MS = 2 * REFUND_TIMEOUT_MS + 5_000;

/** One run of a job takes at most so many. */
export const JOB_BATCH_MAX = 50;
/** An incident's refunds do not wait for the next run after each batch. */
export const REFUND_BATCHES_MAX = 20;
/** One act of an operator names at most so many charges; one run of the job writes so many orders. */
export const INCIDENT_CHARGES_MAX = 2_000;
export const INCIDENT_ORDERS_PER_RUN_MAX = 200;
/** What a page may tell about one order, in one call and in all. */
export const PAGE_EVENTS_PER_CALL_MAX = 20;
export const PAGE_EVENTS_PER_ORDER_MAX = 200;
export const WEBHOOK_BYTES_MAX = 65_536;

/** A client that must wait for an attempt is told to come back after this. */
export const ATTEMPT_RETRY_AFTER_S = 2;

/** All deadlines in one object, so that a test can play an hour of trouble in a second. */
export type PaymentTimings = {
  createTimeoutMs: number;
  confirmTimeoutMs: number;
  inquireTimeoutMs: number;
  cancelTimeoutMs: number;
  refundTimeoutMs: number;
  inquireAfterSentMs: number;
  inquiryBackoffMs: readonly number[];
  refundBackoffMs: readonly number[];
};

export const PAYMENT_TIMINGS: PaymentTimings = {
  createTimeoutMs: CREATE_TIMEOUT_MS,
  confirmTimeoutMs: CONFIRM_TIMEOUT_MS,
  inquireTimeoutMs: INQUIRE_TIMEOUT_MS,
  cancelTimeoutMs: CANCEL_TIMEOUT_MS,
  refundTimeoutMs: REFUND_TIMEOUT_MS,
  inquireAfterSentMs: INQUIRE_AFTER_SENT_MS,
  inquiryBackoffMs: INQUIRY_BACKOFF_MS,
  refundBackoffMs: REFUND_BACKOFF_MS,
};

/** Longer than all deadlines of one attempt together, so that a lease never ends under its owner. */
export const FRONT_LEASE_MS = 60_000;
/** By then whoever took a lease has written its attempt down, or never will. */
export const FRONT_OPENING_MS = 6_000;
export const FRONT_RESULT_MS = 900_000;
/** A route is safe to enforce after so many judged entries, none of them false, in so many days. */
export const SHADOW_ENTRIES_MIN = 100;
export const SHADOW_DAYS = 14;
