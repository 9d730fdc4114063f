import type { Context } from "hono";
import {
  attemptRequestSchema,
  buyerSchema,
  orderRequestSchema,
} from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { takeOutOfCart } from "../carts/cart.ts";
import { type BuyerActor, type Ctx, ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import type { Reply } from "../payments/attempt-reply.ts";
import { payOrder, readIdempotencyKey } from "../payments/pay-order.ts";
import { resolveForOrder } from "../payments/resolve.ts";
import { listTickets } from "../tickets/list-tickets.ts";
import { cancelOrder } from "./cancel-order.ts";
import { createOrder } from "./create-order.ts";
import { streamOrder } from "./order-stream.ts";
import { appendPageEvents, pageEventsSchema } from "./page-events.ts";
import { CHANGE_BUYER } from "./queries.ts";
import { readOrder } from "./read-order.ts";
import { admitBuyerOf, signOrderToken } from "./token.ts";

type C = Context<AppEnv>;

const buyerPatchSchema = buyerSchema
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "nothing to change");

async function buyerCtx(deps: Deps, c: C): Promise<{ ctx: Ctx<BuyerActor>; order: string }> {
  const actor = await admitBuyerOf(deps, c, c.req.param("id") ?? "");
  const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
  return { ctx, order: actor.order };
}

function send(c: C, reply: Reply): Response {
  for (const [name, value] of Object.entries(reply.headers)) c.header(name, value);
  c.header("content-type", reply.contentType);
  c.header("cache-control", "no-store");
  return c.body(reply.body, reply.status as 200);
}

/** For the OpenAPI document. */
function describeOrders(app: Router): void {
  const strangers = ["credential_invalid", "not_found"] as const;
  document(app, {
    method: "post",
    path: "/v1/orders",
    summary: "An order for a hold; again is the same order (the hold's holder).",
    body: orderRequestSchema,
    answers: { 201: "the order and its `orderToken`", 200: "the order that is there already" },
    refusals: [
      "admission_required",
      "admission_invalid",
      "not_found",
      "hold_expired",
      "hold_not_live",
      "unknown_addon",
      "addon_sold_out",
    ],
  });
  document(app, {
    method: "get",
    path: "/v1/orders/{id}",
    summary: "The order (`Authorization: Order <orderToken>`).",
    answers: { 200: "the order" },
    refusals: [...strangers],
  });
  document(app, {
    method: "post",
    path: "/v1/orders/{id}/attempts",
    summary: "Pays; `Idempotency-Key` names the attempt. Another card or instalments: a new key.",
    body: attemptRequestSchema,
    answers: { 201: "succeeded", 202: "in progress or not known yet; look at the order" },
    refusals: [
      ...strangers,
      "payment_failed",
      "attempt_in_flight",
      "order_not_payable",
      "hold_expired",
      "hold_too_short",
      "reservation_lost_refunded",
      "idempotency_key_required",
      "idempotency_key_invalid",
      "idempotency_key_reused",
      "outcome_unknown",
    ],
  });
  document(app, {
    method: "post",
    path: "/v1/orders/{id}/cancel",
    summary: "Cancels an unpaid order and frees its seats at once.",
    answers: { 200: "the order" },
    refusals: [...strangers, "attempt_in_flight", "order_not_cancellable"],
  });
  document(app, {
    method: "post",
    path: "/v1/orders/{id}/page-events",
    summary: "What the buyer's page saw: pressed, pressed again, resumed, left while checking.",
    body: pageEventsSchema,
    answers: { 204: "kept" },
    refusals: [...strangers, "invalid_request"],
  });
  document(app, {
    method: "patch",
    path: "/v1/orders/{id}/buyer",
    summary: "Corrects the buyer's name, e-mail or language.",
    body: buyerPatchSchema,
    answers: { 200: "the order" },
    refusals: [...strangers, "invalid_request"],
  });
  document(app, {
    method: "get",
    path: "/v1/orders/{id}/stream",
    summary: "The order as it becomes, as server-sent events: `order`, its tickets in it.",
    answers: { 200: "text/event-stream" },
    refusals: [...strangers, "overloaded"],
  });
  document(app, {
    method: "get",
    path: "/v1/orders/{id}/tickets",
    summary: "The order's tickets.",
    answers: { 200: "`{tickets: [{id, seat?, zone, code, state}]}`" },
    refusals: [...strangers],
  });
}

export function orderRoutes(deps: Deps): Router {
  const app = newRouter();
  describeOrders(app);

  app.post("/v1/orders", async (c) => {
    const actor = await deps.admissions.admitHolder(c);
    const input = await readBody(c, orderRequestSchema);
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const { order, created } = await createOrder(ctx, input);
    const [view, orderToken] = [await readOrder(ctx, order), await signOrderToken(deps, order)];
    if (input.cart) {
      const addons = view.lines.filter(({ kind }) => kind === "addon");
      await takeOutOfCart(
        ctx,
        addons.map(({ id }) => id),
      );
    }
    c.header("cache-control", "no-store");
    return c.json({ ...view, orderToken }, created ? 201 : 200);
  });

  app.get("/v1/orders/:id", async (c) => {
    const { ctx, order } = await buyerCtx(deps, c);
    // A page that waits for an answer is a reason to ask for it, within the back-off.
    await resolveForOrder(ctx, order).catch((error: unknown) =>
      ctx.log.warn({ err: error, order }, "inquiry for a page failed"),
    );
    c.header("cache-control", "no-store");
    return c.json(await readOrder(ctx, order), 200);
  });

  app.get("/v1/orders/:id/stream", async (c) => {
    const { ctx, order } = await buyerCtx(deps, c);
    return await streamOrder(ctx, c, order);
  });

  app.post("/v1/orders/:id/attempts", async (c) => {
    const { ctx, order } = await buyerCtx(deps, c);
    const key = readIdempotencyKey(c.req.header("idempotency-key"));
    const request = await readBody(c, attemptRequestSchema);
    return send(c, await payOrder(ctx, { order, key, request }));
  });

  app.post("/v1/orders/:id/cancel", async (c) => {
    const { ctx, order } = await buyerCtx(deps, c);
    await cancelOrder(ctx, order);
    return c.json(await readOrder(ctx, order), 200);
  });

  app.post("/v1/orders/:id/page-events", async (c) => {
    const { ctx, order } = await buyerCtx(deps, c);
    const { events } = await readBody(c, pageEventsSchema);
    await appendPageEvents(ctx, { order, events });
    return c.body(null, 204);
  });

  app.patch("/v1/orders/:id/buyer", async (c) => {
    const { ctx, order } = await buyerCtx(deps, c);
    const patch = await readBody(c, buyerPatchSchema);
    const changed = await ctx.db.write(CHANGE_BUYER, [
      order,
      patch.email ?? null,
      patch.name ?? null,
      patch.locale ?? null,
    ]);
    if (changed.length === 0) throw new Refusal("order_not_payable");
    return c.json(await readOrder(ctx, order), 200);
  });

  app.get("/v1/orders/:id/tickets", async (c) => {
    const { ctx, order } = await buyerCtx(deps, c);
    c.header("cache-control", "no-store");
    return c.json({ tickets: await listTickets(ctx, order) }, 200);
  });
  return app;
}
