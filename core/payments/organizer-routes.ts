// What an operator of the house sees and judges of payments, across all events.
import { z } from "@hono/zod-openapi";
import { ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { newRouter, type Router } from "../http/router.ts";
import { requireOrganizer } from "../organizers/authorize.ts";
import { listShadow, markShadow, shadowReport } from "./shadow.ts";

const SHADOW_LIST_MAX = 200;
const markSchema = z.strictObject({ mark: z.enum(["true_positive", "false_positive"]) });

export function organizerPaymentRoutes(deps: Deps): Router {
  const app = newRouter();
  const refusals = ["organizer_required", "credential_invalid", "forbidden"] as const;

  document(app, {
    method: "get",
    path: "/v1/organizer/idempotency/shadow",
    summary:
      "What the idempotency layer would have blocked, and whether it may be enforced (viewer).",
    answers: { 200: "`{report: [{route, …, safeToEnforce}], entries: […]}`" },
    refusals: [...refusals],
  });
  app.get("/v1/organizer/idempotency/shadow", async (c) => {
    await requireOrganizer(c, deps, { role: "viewer" });
    const [report, entries] = [await shadowReport(deps), await listShadow(deps, SHADOW_LIST_MAX)];
    return c.json({ report, entries }, 200);
  });

  document(app, {
    method: "patch",
    path: "/v1/organizer/idempotency/shadow/{id}",
    summary: "Marks an entry as rightly or wrongly blocked (operator).",
    body: markSchema,
    answers: { 204: "marked" },
    refusals: [...refusals, "not_found"],
  });
  app.patch("/v1/organizer/idempotency/shadow/:id", async (c) => {
    const actor = await requireOrganizer(c, deps, { role: "operator" });
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const { mark } = await readBody(c, markSchema);
    await markShadow(ctx, { id: c.req.param("id"), mark, by: actor.id });
    return c.body(null, 204);
  });
  return app;
}
