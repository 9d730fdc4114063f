import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  attemptRequestSchema,
  buyerSchema,
  orderRequestSchema,
} from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { type BuyerActor, type Ctx, ctxFor, type Deps } from "../context.ts";
import { invalidRequest } from "../http/invalid.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import type { Reply } from "../payments/attempt-reply.ts";
import { payOrder, readIdempotencyKey } from "../payments/pay-order.ts";
import { resolveForOrder } from "../payments/resolve.ts";
import { listTickets } from "../tickets/list-tickets.ts";
import { cancelOrder } from "./cancel-order.ts";
import { createOrder } from "./create-order.ts";
import { CHANGE_BUYER } from "./queries.ts";
import { readOrder } from "./read-order.ts";
import { admitBuyerOf, signOrderToken } from "./token.ts";

type C = Context<AppEnv>;

const buyerPatchSchema = buyerSchema
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "nothing to change");

async function readBody<T>(c: C, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    throw new Refusal("malformed_json");
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalidRequest(parsed.error);
  return parsed.data;
}

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

export function orderRoutes(deps: Deps): Router {
  const app = newRouter();

  app.post("/v1/orders", async (c) => {
    const actor = await deps.admissions.admitHolder(c);
    const input = await readBody(c, orderRequestSchema);
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const { order, created } = await createOrder(ctx, input);
    const [view, orderToken] = [await readOrder(ctx, order), await signOrderToken(deps, order)];
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
