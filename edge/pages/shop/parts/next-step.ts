import type { TroubleCode } from "./failure.ts";

/**
 * What somebody does next about a refusal. Each has a label in every language; those that a page can
 * do itself become a button or a link beside the sentence.
 */
export type NextStep =
  /** This very address again. */
  | "reload"
  | "wait"
  /** Press the same button once more. */
  | "again"
  | "toLine"
  | "toEvents"
  | "choose"
  | "fewer"
  | "leaveOut"
  | "otherCard"
  | "fix"
  | "signIn"
  | "lookAgain"
  | "askUs"
  | "openHere";

export const NEXT_STEPS: Readonly<Record<TroubleCode, NextStep>> = {
  network: "again",
  invalid_request: "fix",
  malformed_json: "reload",
  body_too_large: "fewer",
  unsupported_media_type: "reload",
  not_found: "toEvents",
  method_not_allowed: "reload",
  idempotency_key_required: "reload",
  idempotency_key_invalid: "reload",
  idempotency_key_reused: "reload",
  idempotency_in_flight: "wait",
  rate_limited: "wait",
  foreign_origin: "openHere",
  unknown_event: "toEvents",
  room_exists: "lookAgain",
  room_closed: "toEvents",
  key_required: "reload",
  challenge_required: "toLine",
  challenge_failed: "again",
  pass_required: "openHere",
  place_required: "toLine",
  place_invalid: "toLine",
  place_gone: "toLine",
  place_conflict: "toLine",
  moved: "toLine",
  not_ready: "wait",
  exchange_invalid: "toLine",
  action_not_possible: "lookAgain",
  rehearsal_refused: "lookAgain",
  version_conflict: "lookAgain",
  draw_not_ready: "wait",
  admission_required: "toLine",
  admission_invalid: "toLine",
  admission_closed: "toLine",
  organizer_required: "signIn",
  credential_invalid: "fix",
  forbidden: "askUs",
  sale_not_open: "wait",
  sale_closed: "toEvents",
  seats_unavailable: "choose",
  sold_out: "fewer",
  hold_exists: "reload",
  hold_expired: "choose",
  hold_not_live: "choose",
  limit_exceeded: "fewer",
  unknown_seat: "reload",
  unknown_zone: "reload",
  unknown_section: "reload",
  unknown_addon: "leaveOut",
  addon_sold_out: "leaveOut",
  addon_stock_conflict: "fewer",
  conflict_retry: "again",
  event_in_use: "lookAgain",
  order_not_payable: "lookAgain",
  order_not_cancellable: "wait",
  attempt_in_flight: "wait",
  payment_failed: "otherCard",
  reservation_lost_refunded: "toLine",
  hold_too_short: "choose",
  refund_exceeds_captured: "fix",
  refund_not_possible: "lookAgain",
  ticket_not_transferable: "lookAgain",
  code_invalid: "fix",
  account_required: "signIn",
  webhook_invalid: "lookAgain",
  overloaded: "wait",
  unavailable: "again",
  outcome_unknown: "wait",
  internal: "again",
};
