// What an operator does in a payment incident: first the distribution by cause, then one act for all.
import { z } from "@hono/zod-openapi";
import { ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { invalidRequest } from "../http/invalid.ts";
import { readBody } from "../http/read-body.ts";
import { newRouter, type Router } from "../http/router.ts";
import { requireOrganizer } from "../organizers/authorize.ts";
import { causesReport } from "./causes.ts";
import { createIncident, incidentSchema, readIncident } from "./incidents.ts";
import { readIdempotencyKey } from "./pay-order.ts";

const DAY_MS = 86_400_000;
const rangeSchema = z.strictObject({
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
});

export function incidentRoutes(deps: Deps): Router {
  const app = newRouter();
  const refusals = ["organizer_required", "credential_invalid", "forbidden"] as const;

  document(app, {
    method: "get",
    path: "/v1/organizer/payments/causes",
    summary: "Double charges and unknown outcomes by cause: ?from=&to=, the last day (viewer).",
    answers: { 200: "`{attempts, doubles: […], unknowns: […], pages}`" },
    refusals: [...refusals, "invalid_request"],
  });
  app.get("/v1/organizer/payments/causes", async (c) => {
    await requireOrganizer(c, deps, { role: "viewer" });
    const query = rangeSchema.safeParse(c.req.query());
    if (!query.success) throw invalidRequest(query.error);
    const now = deps.clock.now();
    const {
      from = new Date(now - DAY_MS).toISOString(),
      to = new Date(now + DAY_MS).toISOString(),
    } = query.data;
    c.header("cache-control", "no-store");
    return c.json(await causesReport(deps, { from, to }), 200);
  });

  document(app, {
    method: "post",
    path: "/v1/organizer/incidents",
    summary:
      "Refunds a set of charges and writes to every buyer, once each (owner). Idempotency-Key needed.",
    body: incidentSchema,
    answers: { 202: "`{id, orders, done, refunds, mails}`; it goes on by itself" },
    refusals: [
      ...refusals,
      "not_found",
      "invalid_request",
      "idempotency_key_required",
      "idempotency_key_reused",
    ],
  });
  app.post("/v1/organizer/incidents", async (c) => {
    const actor = await requireOrganizer(c, deps, { role: "owner" });
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const key = readIdempotencyKey(c.req.header("idempotency-key"));
    const request = await readBody(c, incidentSchema);
    return c.json(await createIncident(ctx, { key, request }), 202);
  });

  document(app, {
    method: "get",
    path: "/v1/organizer/incidents/{id}",
    summary: "How far an incident's refunds and mails are (viewer).",
    answers: { 200: "`{id, orders, done, refunds, mails}`" },
    refusals: [...refusals, "not_found"],
  });
  app.get("/v1/organizer/incidents/:id", async (c) => {
    await requireOrganizer(c, deps, { role: "viewer" });
    c.header("cache-control", "no-store");
    return c.json(await readIncident(deps, c.req.param("id")), 200);
  });
  return app;
}
