/**
 * The only table of refusal code → HTTP status → public sentence (RFC 9457 `code`, `status`,
 * `title`). Gate and core both answer from it, pages translate from it. The `title` never says more
 * than the public may know; the precise reason of a refused credential goes to the log.
 */
export const ERRORS = {
  // The request itself
  invalid_request: { status: 422, title: "The request is not valid." },
  malformed_json: { status: 400, title: "The body is not valid JSON." },
  body_too_large: { status: 413, title: "The body is too large." },
  unsupported_media_type: { status: 415, title: "The body must be JSON." },
  not_found: { status: 404, title: "There is nothing here." },
  method_not_allowed: { status: 405, title: "This method is not allowed here." },
  idempotency_key_required: { status: 422, title: "An Idempotency-Key is needed." },
  idempotency_key_invalid: {
    status: 422,
    title: "The Idempotency-Key must be 1 to 255 visible ASCII characters.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "This Idempotency-Key was used for a different request.",
  },
  idempotency_in_flight: { status: 409, title: "The same request is still being worked on." },
  rate_limited: { status: 429, title: "Too many requests; please slow down." },
  foreign_origin: { status: 403, title: "This call may not come from another site." },

  // The line
  unknown_event: { status: 404, title: "There is no such event." },
  room_exists: { status: 409, title: "The room exists already." },
  room_closed: { status: 409, title: "This queue is closed." },
  key_required: { status: 422, title: "This queue needs the key of your browser." },
  challenge_required: { status: 403, title: "Please complete the check first." },
  challenge_failed: { status: 403, title: "The check was not passed; please try again." },
  pass_required: { status: 403, title: "This queue needs an entry pass." },
  place_required: { status: 401, title: "Your place in the line is needed." },
  place_invalid: { status: 401, title: "Your place could not be verified." },
  place_gone: { status: 410, title: "This place has left the line." },
  place_conflict: { status: 409, title: "Two different places were presented." },
  moved: { status: 409, title: "Your place has moved to another device." },
  not_ready: { status: 503, title: "Your place is kept; the line is being restored." },
  exchange_invalid: { status: 404, title: "This code is unknown, used or expired." },
  action_not_possible: { status: 409, title: "This is not possible in the room's present phase." },
  version_conflict: { status: 412, title: "Somebody else has changed this meanwhile." },
  rehearsal_refused: { status: 409, title: "There is no rehearsing here now." },
  draw_not_ready: { status: 409, title: "The draw has not taken place yet." },

  // Credentials
  admission_required: { status: 401, title: "An admission is needed." },
  admission_invalid: { status: 401, title: "The admission was not accepted." },
  organizer_required: { status: 401, title: "Please sign in." },
  credential_invalid: { status: 401, title: "The credential was not accepted." },
  account_required: { status: 401, title: "Please sign in first." },
  code_invalid: { status: 401, title: "The code is wrong, used or expired." },
  forbidden: { status: 403, title: "You may not do this." },

  // The sale
  sale_not_open: { status: 403, title: "The sale is not open." },
  sale_closed: { status: 403, title: "The sale is closed." },
  admission_closed: { status: 401, title: "This admission has ended." },
  seats_unavailable: { status: 409, title: "Some of these seats have just been taken." },
  sold_out: { status: 409, title: "Sold out." },
  hold_exists: { status: 409, title: "You already hold other seats." },
  hold_expired: { status: 409, title: "Your hold has expired." },
  hold_not_live: { status: 409, title: "This hold is no longer live." },
  limit_exceeded: { status: 422, title: "This is more than one person may buy." },
  unknown_seat: { status: 422, title: "There is no such seat." },
  unknown_zone: { status: 422, title: "There is no such zone." },
  unknown_section: { status: 422, title: "There is no such section." },
  unknown_addon: { status: 422, title: "There is no such add-on." },
  addon_sold_out: { status: 409, title: "This add-on is sold out." },
  addon_stock_conflict: { status: 409, title: "The add-on's stock has changed." },
  conflict_retry: { status: 409, title: "Somebody was faster; please try again." },
  event_in_use: { status: 409, title: "This change would lose something that was sold." },

  // Payment
  order_not_payable: { status: 409, title: "This order cannot be paid any more." },
  order_not_cancellable: { status: 409, title: "This order cannot be cancelled now." },
  attempt_in_flight: { status: 409, title: "A payment is in progress; please wait." },
  payment_failed: { status: 402, title: "The payment was refused." },
  reservation_lost_refunded: {
    status: 409,
    title: "The seats were lost meanwhile; your money is on its way back.",
  },
  hold_too_short: { status: 409, title: "There is too little time left to pay for these seats." },
  refund_exceeds_captured: { status: 422, title: "This is more than was paid." },
  refund_not_possible: { status: 409, title: "This cannot be refunded." },
  ticket_not_transferable: { status: 409, title: "This ticket cannot be handed on now." },
  webhook_invalid: { status: 400, title: "The webhook was not accepted." },

  // The house is in trouble
  overloaded: { status: 503, title: "Too busy right now; please try again." },
  unavailable: { status: 503, title: "Not available right now; please try again." },
  outcome_unknown: { status: 503, title: "We do not know yet whether this was done." },
  internal: { status: 500, title: "Something went wrong on our side." },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Facts that a refusal carries to the client beside the standard members. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

/**
 * An expected refusal thrown through layers that have nothing to add to it.
 * `detail` is public; `reason` is for the log alone.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly facts: ErrorFacts;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  constructor(
    code: ErrorCode,
    more: {
      detail?: string;
      facts?: ErrorFacts;
      headers?: Readonly<Record<string, string>>;
      reason?: string;
    } = {},
  ) {
    super(more.reason ?? more.detail ?? code);
    this.name = "Refusal";
    this.code = code;
    this.detail = more.detail;
    this.facts = more.facts ?? {};
    this.headers = more.headers ?? {};
    this.reason = more.reason;
  }
}

/** RFC 9457 problem document. `type` is a stable URN, since no site owns these names. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail?: string;
  requestId: string;
  [fact: string]: unknown;
};

export function toProblem(
  code: ErrorCode,
  more: { requestId: string; detail?: string | undefined; facts?: ErrorFacts },
): Problem {
  const { status, title } = ERRORS[code];
  return {
    ...more.facts,
    type: `urn:sira:problem:${code}`,
    title,
    status,
    code,
    // Clients may count on the field; where nothing more is to be said, it says the title.
    detail: more.detail ?? title,
    requestId: more.requestId,
  };
}
