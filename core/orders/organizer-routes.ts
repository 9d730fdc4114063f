// What an organizer does with orders: finds them, reads them, refunds them.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { refundRequestSchema } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { type Ctx, ctxFor, type Deps, type OrganizerActor } from "../context.ts";
import { document } from "../http/document.ts";
import { invalidRequest } from "../http/invalid.ts";
import { readBody } from "../http/read-body.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import { type Need, requireOrganizer } from "../organizers/authorize.ts";
import { readIdempotencyKey } from "../payments/pay-order.ts";
import { refundOrder } from "../payments/refunds.ts";
import { EVENT_OF_ORDER, LIST_ORDERS, type ListedOrder } from "./queries.ts";
import { readOrder } from "./read-order.ts";

const LIST_MAX = 200;

const listSchema = z.strictObject({
  event: eventIdSchema,
  state: z
    .enum(["pending", "paid", "expired", "cancelled", "refunded", "part_refunded"])
    .optional(),
  email: z.string().max(254).optional(),
  /** An id of order, ticket, seat, attempt or charge, or a part of name or address. */
  q: z.string().trim().min(1).max(254).optional(),
  before: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(LIST_MAX).default(50),
});

/** For the OpenAPI document. */
function describeOrders(app: Router): void {
  const refusals = ["organizer_required", "credential_invalid", "forbidden", "not_found"] as const;
  document(app, {
    method: "get",
    path: "/v1/organizer/orders",
    summary: "Orders of an event, newest first: ?event=&state=&email=&q=&before=&limit= (viewer).",
    answers: { 200: "`{orders: […]}`" },
    refusals: [...refusals, "invalid_request"],
  });
  document(app, {
    method: "get",
    path: "/v1/organizer/orders/{id}",
    summary: "One order with its attempts, tickets and refunds (viewer).",
    answers: { 200: "the order" },
    refusals: [...refusals],
  });
  document(app, {
    method: "post",
    path: "/v1/organizer/orders/{id}/refunds",
    summary: "Refunds: all of it, some tickets, or money only (operator). Idempotency-Key needed.",
    body: refundRequestSchema,
    answers: { 201: "`{id, order, attempt, state, amount, tickets, reason}`" },
    refusals: [
      ...refusals,
      "refund_exceeds_captured",
      "refund_not_possible",
      "idempotency_key_required",
      "idempotency_key_reused",
    ],
  });
}

export function organizerOrderRoutes(deps: Deps): Router {
  const app = newRouter();
  describeOrders(app);

  /** Allowed at the event of the order; to anybody else it makes no difference whether it exists. */
  const authorize = async (
    c: Context<AppEnv>,
    role: Need["role"],
  ): Promise<Ctx<OrganizerActor>> => {
    const [row] = await deps.db.read<{ event: string }>(EVENT_OF_ORDER, [c.req.param("id") ?? ""]);
    const actor = await requireOrganizer(c, deps, { role, event: row?.event });
    if (row === undefined) throw new Refusal("not_found");
    return ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
  };

  app.get("/v1/organizer/orders", async (c) => {
    const query = listSchema.safeParse(c.req.query());
    const event = query.success ? query.data.event : undefined;
    await requireOrganizer(c, deps, { role: "viewer", event });
    if (!query.success) throw invalidRequest(query.error);
    const { state = null, email = null, before = null, q = null, limit } = query.data;
    const orders = await deps.db.read<ListedOrder>(LIST_ORDERS, [
      query.data.event,
      state,
      email,
      before,
      limit,
      q,
      q === null ? null : `%${q.replace(/[\\%_]/g, "\\$&")}%`,
    ]);
    c.header("cache-control", "no-store");
    return c.json({ orders }, 200);
  });

  app.get("/v1/organizer/orders/:id", async (c) => {
    const ctx = await authorize(c, "viewer");
    c.header("cache-control", "no-store");
    return c.json(await readOrder(ctx, c.req.param("id")), 200);
  });

  app.post("/v1/organizer/orders/:id/refunds", async (c) => {
    const order = c.req.param("id");
    const ctx = await authorize(c, "operator");
    const key = readIdempotencyKey(c.req.header("idempotency-key"));
    const request = await readBody(c, refundRequestSchema);
    c.header("cache-control", "no-store");
    return c.json(await refundOrder(ctx, { order, key, request }), 201);
  });
  return app;
}
