import type { HoldView } from "../../shared/contract/holds.ts";
import { Refusal } from "../../shared/errors.ts";
import { unreachable } from "../../shared/result.ts";

/** What the hold functions of the database answer, and what it means over HTTP. Pure. */

type Outcome =
  | { result: "held" | "same"; hold: HoldView }
  | { result: "seats_unavailable"; unavailable: string[]; alternatives: string[][] }
  | { result: "sold_out"; available: number }
  | { result: "hold_exists"; hold: string }
  | { result: "limit_exceeded"; limit: "order" | "account"; max: number; remaining?: number }
  | { result: "sale_not_open"; opensAt: string }
  | { result: "unknown_seat"; unknown: string[] }
  | { result: "unknown_addon"; addon: string }
  | { result: "addon_sold_out"; addon: string; available: number }
  | {
      result:
        | "sale_closed"
        | "admission_closed"
        | "unknown_event"
        | "unknown_zone"
        | "unknown_section"
        | "companion_alone"
        | "idempotency_key_reused"
        /** Rows that would do are locked by others: to be asked again, waiting. */
        | "contended"
        /** The person's own payment began in between: to be asked again. */
        | "conflict_retry";
    };

export type Verdict = Outcome & {
  /** Seats whose time was found to be over on the way. */
  freed?: string[];
  /** Repeats the answer given to this Idempotency-Key before. */
  replayed?: true;
  /** The request that the recorded answer was given to. */
  requestId?: string | null;
};

export type HoldReply = { status: 200 | 201; hold: HoldView };

/** The hold of a verdict that has one; everything else is thrown as its refusal. */
export function replyOf(verdict: Verdict): HoldReply {
  switch (verdict.result) {
    case "held":
      return { status: 201, hold: verdict.hold };
    case "same":
      return { status: 200, hold: verdict.hold };
    case "seats_unavailable":
      throw new Refusal("seats_unavailable", {
        facts: { unavailable: verdict.unavailable, alternatives: verdict.alternatives },
      });
    case "sold_out":
      throw new Refusal("sold_out", { facts: { available: verdict.available } });
    case "hold_exists":
      throw new Refusal("hold_exists", { facts: { hold: verdict.hold } });
    case "limit_exceeded":
      throw new Refusal("limit_exceeded", {
        facts: {
          limit: verdict.limit,
          max: verdict.max,
          ...(verdict.remaining === undefined ? {} : { remaining: verdict.remaining }),
        },
      });
    case "sale_not_open":
      throw new Refusal("sale_not_open", { facts: { opensAt: verdict.opensAt } });
    case "unknown_seat":
      throw new Refusal("unknown_seat", { facts: { unknown: verdict.unknown } });
    case "unknown_addon":
      throw new Refusal("unknown_addon", { facts: { addon: verdict.addon } });
    case "addon_sold_out":
      throw new Refusal("addon_sold_out", {
        facts: { addon: verdict.addon, available: verdict.available },
      });
    case "companion_alone":
      throw new Refusal("invalid_request", {
        detail: "seats: a companion seat goes with the wheelchair place of its row",
      });
    case "admission_closed":
      throw new Refusal("admission_closed", { headers: { "www-authenticate": "DPoP" } });
    case "contended":
    case "conflict_retry":
      throw new Refusal("conflict_retry", { headers: { "retry-after": "1" } });
    case "sale_closed":
    case "unknown_event":
    case "unknown_zone":
    case "unknown_section":
    case "idempotency_key_reused":
      throw new Refusal(verdict.result);
    default:
      return unreachable(verdict);
  }
}
