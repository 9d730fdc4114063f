// What an operator of the house sees and judges of payments, across all events.
import { z } from "@hono/zod-openapi";
import { timeZoneSchema } from "../../shared/contract/events.ts";
import { ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { newRouter, type Router } from "../http/router.ts";
import { appendAudit } from "../organizers/audit.ts";
import { requireOrganizer } from "../organizers/authorize.ts";
import { QUEUE, RUNS } from "./queries.ts";
import { reconcileDay } from "./reconcile.ts";
import { listShadow, markShadow, shadowReport } from "./shadow.ts";

const SHADOW_LIST_MAX = 200;
const reconcileSchema = z.strictObject({
  day: z.iso.date(),
  zone: timeZoneSchema.default("UTC"),
});
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
  reconciliationRoutes(app, deps);
  return app;
}

function reconciliationRoutes(app: Router, deps: Deps): void {
  const refusals = ["organizer_required", "credential_invalid", "forbidden"] as const;

  document(app, {
    method: "post",
    path: "/v1/organizer/reconciliations",
    summary: "Compares a day's books now; safe to repeat (operator of all events).",
    body: reconcileSchema,
    answers: { 200: "`{run, counts}`" },
    refusals: [...refusals, "invalid_request"],
  });
  app.post("/v1/organizer/reconciliations", async (c) => {
    const actor = await requireOrganizer(c, deps, { role: "operator" });
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const input = await readBody(c, reconcileSchema);
    await appendAudit(ctx, { action: "reconcile", target: input.day, details: input });
    return c.json(await reconcileDay(ctx, input), 200);
  });

  document(app, {
    method: "get",
    path: "/v1/organizer/reconciliations",
    summary: "Runs of the last days with their counts, and what waits for a person (viewer).",
    answers: { 200: "`{runs: […], queue: […]}`" },
    refusals: [...refusals],
  });
  app.get("/v1/organizer/reconciliations", async (c) => {
    await requireOrganizer(c, deps, { role: "viewer" });
    const [runs, queue] = [await deps.db.read(RUNS), await deps.db.read(QUEUE)];
    return c.json({ runs, queue }, 200);
  });
}
