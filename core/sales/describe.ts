import { z } from "@hono/zod-openapi";
import { reasonSchema } from "../../shared/contract/common.ts";
import {
  cancelEventSchema,
  discrepancyActSchema,
  postponeEventSchema,
} from "../../shared/contract/sales.ts";
import { document } from "../http/document.ts";
import type { Router } from "../http/router.ts";

/** For the OpenAPI document. */
export function describeSales(app: Router): void {
  const refusals = ["organizer_required", "credential_invalid", "forbidden"] as const;
  const ofEvent = "/v1/organizer/events/{event}";
  document(app, {
    method: "get",
    path: `${ofEvent}/figures`,
    summary: "Seats by price, holds, orders, money, open payments, health (viewer).",
    answers: { 200: "`{at, zones, holds, orders, money, payments, tickets, health}`" },
    refusals: [...refusals, "unknown_event"],
  });
  document(app, {
    method: "get",
    path: `${ofEvent}/history`,
    summary: "Orders and money by minute, for the whole sale (viewer).",
    answers: { 200: "`{minutes: [{at, orders, captured, refunded}]}`" },
    refusals: [...refusals],
  });
  document(app, {
    method: "get",
    path: `${ofEvent}/exports/{what}`,
    summary: "`orders.csv`, `tickets.csv`, `refunds.csv`, `payments.csv`, `audit.csv` (operator).",
    answers: { 200: "text/csv" },
    refusals: [...refusals, "not_found", "unknown_event"],
  });
  document(app, {
    method: "post",
    path: `${ofEvent}/cancel`,
    summary: "Calls the event off: every charge goes back, every buyer is written to (owner).",
    body: cancelEventSchema,
    answers: { 202: "`{id, kind, orders, done, refunds, mails}`; it goes on by itself" },
    refusals: [...refusals, "unknown_event", "idempotency_key_required", "idempotency_key_reused"],
  });
  document(app, {
    method: "post",
    path: `${ofEvent}/postpone`,
    summary: "Moves the event; tickets stay good, every buyer is written to (owner).",
    body: postponeEventSchema,
    answers: { 202: "`{id, kind, orders, done, refunds, mails}`; it goes on by itself" },
    refusals: [
      ...refusals,
      "unknown_event",
      "action_not_possible",
      "idempotency_key_required",
      "idempotency_key_reused",
    ],
  });
  document(app, {
    method: "get",
    path: `${ofEvent}/acts`,
    summary: "How far a calling-off or a move is (viewer).",
    answers: { 200: "`{acts: […]}`" },
    refusals: [...refusals],
  });
  document(app, {
    method: "get",
    path: "/v1/organizer/orders/{id}/history",
    summary: "All that happened to an order, oldest first (viewer).",
    answers: { 200: "`{entries: [{at, kind, what, details}]}`" },
    refusals: [...refusals, "not_found"],
  });
  document(app, {
    method: "post",
    path: "/v1/organizer/orders/{id}/mail",
    summary: "The mail with the tickets, once more (operator).",
    body: z.strictObject({ reason: reasonSchema }),
    answers: { 202: "on its way" },
    refusals: [...refusals, "not_found", "order_not_payable"],
  });
  document(app, {
    method: "post",
    path: "/v1/organizer/discrepancies/{id}",
    summary: "Repairs a difference of the books, refunds its charge, or lays it aside (operator).",
    body: discrepancyActSchema,
    answers: { 200: "`{id, state, repair}`" },
    refusals: [...refusals, "not_found", "refund_not_possible", "refund_exceeds_captured"],
  });
}
