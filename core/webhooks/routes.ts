import { createRoute, z } from "@hono/zod-openapi";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { webhookRequestSchema } from "../../shared/contract/webhooks.ts";
import { ctxFor, type Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";
import { requireOrganizer } from "../organizers/authorize.ts";
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
} from "./manage.ts";

const BASE = "/v1/organizer/events/{event}/webhooks";
const eventParams = z.strictObject({ event: eventIdSchema });
const idParams = z.strictObject({ event: eventIdSchema, id: z.string().max(64) });
const listQuery = z.strictObject({
  state: z.enum(["waiting", "delivered", "dead"]).optional(),
  before: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const refusals = problems(
  "organizer_required",
  "credential_invalid",
  "forbidden",
  "invalid_request",
);

/** Endpoints are an owner's to name, since they hear of every order; deliveries an operator's to mend. */
export function webhookRoutes(deps: Deps): Router {
  const app = newRouter();

  app.openapi(
    createRoute({
      method: "post",
      path: BASE,
      summary:
        "An address of the organizer that hears of orders; its secret is shown once (owner).",
      request: {
        params: eventParams,
        body: { content: { "application/json": { schema: webhookRequestSchema } }, required: true },
      },
      responses: {
        201: { description: "`{id, secret}`" },
        ...refusals,
        ...problems("unknown_event"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const actor = await requireOrganizer(c, deps, { role: "owner", event });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      c.header("cache-control", "no-store");
      return c.json(await createWebhook(ctx, { event, ...c.req.valid("json") }), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: BASE,
      summary: "The event's webhooks, without their secrets (viewer).",
      request: { params: eventParams },
      responses: { 200: { description: "`{webhooks: […]}`" }, ...refusals },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      await requireOrganizer(c, deps, { role: "viewer", event });
      return c.json({ webhooks: await listWebhooks(deps, event) });
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: `${BASE}/{id}`,
      summary: "Ends a webhook with its deliveries (owner).",
      request: { params: idParams },
      responses: { 204: { description: "ended" }, ...refusals, ...problems("not_found") },
    }),
    async (c) => {
      const { event, id } = c.req.valid("param");
      const actor = await requireOrganizer(c, deps, { role: "owner", event });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      await deleteWebhook(ctx, { event, id });
      return c.body(null, 204);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: `${BASE}/deliveries`,
      summary: "What was sent, what waits and what is dead: ?state=&before=&limit= (viewer).",
      request: { params: eventParams, query: listQuery },
      responses: { 200: { description: "`{deliveries: […]}`" }, ...refusals },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      await requireOrganizer(c, deps, { role: "viewer", event });
      const { state, before, limit } = c.req.valid("query");
      return c.json({ deliveries: await listDeliveries(deps, { event, state, before, limit }) });
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${BASE}/deliveries/{id}/resend`,
      summary: "Sends a delivery again, from the first try (operator).",
      request: { params: idParams },
      responses: { 202: { description: "on its way" }, ...refusals, ...problems("not_found") },
    }),
    async (c) => {
      const { event, id } = c.req.valid("param");
      const actor = await requireOrganizer(c, deps, { role: "operator", event });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      await resendDelivery(ctx, { event, id });
      return c.body(null, 202);
    },
  );
  return app;
}
