// What a buyer is told about an attempt, from its state alone: the first press, a repeat with the
// same key and another process after a crash all say the same. Pure.
import { ERRORS, type ErrorCode, toProblem } from "../../shared/errors.ts";
import { ATTEMPT_RETRY_AFTER_S } from "./limits.ts";
import { UNKNOWN_METHOD } from "./provider.ts";

export type AttemptFacts = {
  id: string;
  order: string;
  state: "created" | "sent" | "succeeded" | "failed" | "unknown";
  reason: string | null;
  settled: "order" | "refund" | "review" | null;
};

export type Reply = {
  status: number;
  contentType: "application/json" | "application/problem+json";
  body: string;
  /** Final ones are recorded and repeated byte for byte. */
  final: boolean;
  headers: Readonly<Record<string, string>>;
};

const NO_SUCH_METHOD = "the payment provider does not know it";

const RETRY = { "retry-after": String(ATTEMPT_RETRY_AFTER_S) };

/** Refusals of our own, made before anything was sent to the provider. */
const OWN_REFUSALS: ReadonlySet<string> = new Set([
  "hold_expired",
  "hold_not_live",
  "hold_too_short",
  "order_not_payable",
] satisfies ErrorCode[]);

const isOwnRefusal = (reason: string | null): reason is ErrorCode =>
  reason !== null && OWN_REFUSALS.has(reason);

export function attemptReply(facts: AttemptFacts, requestId: string): Reply {
  const attempt = {
    id: facts.id,
    state: facts.state,
    ...(facts.reason === null ? {} : { reason: facts.reason }),
  };
  switch (facts.state) {
    case "created":
    case "sent":
      return problem("attempt_in_flight", { requestId, facts: { attempt }, final: false });
    case "unknown":
      return json(202, { ...attempt, order: facts.order }, false);
    case "failed":
      if (facts.reason === UNKNOWN_METHOD)
        // Nobody refused a card here: what was sent names none.
        return problem("invalid_request", {
          requestId,
          detail: `method: ${NO_SUCH_METHOD}`,
          facts: { attempt, errors: [{ field: "method", message: NO_SUCH_METHOD }] },
          final: true,
        });
      return isOwnRefusal(facts.reason)
        ? problem(facts.reason, { requestId, facts: { attempt }, final: true })
        : problem("payment_failed", {
            requestId,
            facts: { attempt, reason: facts.reason ?? "declined" },
            final: true,
          });
    case "succeeded":
      break;
  }
  switch (facts.settled) {
    case "order":
      return json(201, { ...attempt, order: facts.order }, true);
    case "refund":
      return problem("reservation_lost_refunded", { requestId, facts: { attempt }, final: true });
    case "review":
    case null:
      // Charged, and what it buys is being decided: the truth is "in progress".
      return json(202, { ...attempt, order: facts.order }, false);
  }
}

const json = (status: number, body: unknown, final: boolean): Reply => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
  final,
  headers: final ? {} : RETRY,
});

function problem(
  code: ErrorCode,
  more: {
    requestId: string;
    detail?: string;
    facts: Readonly<Record<string, unknown>>;
    final: boolean;
  },
): Reply {
  return {
    status: ERRORS[code].status,
    contentType: "application/problem+json",
    body: JSON.stringify(toProblem(code, more)),
    final: more.final,
    headers: more.final ? {} : RETRY,
  };
}
