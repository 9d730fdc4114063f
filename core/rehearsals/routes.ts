import type { Context } from "hono";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { rehearsalSchema } from "../../shared/contract/sales.ts";
import { Refusal } from "../../shared/errors.ts";
import { ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import type { Job } from "../jobs/registry.ts";
import { type Need, requireOrganizer } from "../organizers/authorize.ts";
import { listRehearsals, startRehearsal, stopRehearsal, sweepRehearsals } from "./rehearse.ts";

const AT = "/v1/organizer/events/{event}/rehearsals";
const SWEEP_MS = 15_000;

export const rehearsalJobs: readonly Job[] = [
  { name: "rehearsals", everyMs: SWEEP_MS, run: sweepRehearsals },
];

export function rehearsalRoutes(deps: Deps): Router {
  const app = newRouter();
  describeRehearsals(app);
  const atEvent = async (c: Context<AppEnv>, role: Need["role"]) => {
    const event = eventIdSchema.safeParse(c.req.param("event"));
    const actor = await requireOrganizer(c, deps, { role, event: event.data });
    if (!event.success) throw new Refusal("unknown_event");
    c.header("cache-control", "no-store");
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    return { ctx, event: event.data };
  };

  app.get("/v1/organizer/events/:event/rehearsals", async (c) => {
    const { ctx, event } = await atEvent(c, "viewer");
    return c.json({ rehearsals: await listRehearsals(ctx, event) }, 200);
  });
  app.post("/v1/organizer/events/:event/rehearsals", async (c) => {
    const { ctx, event } = await atEvent(c, "operator");
    const plan = await readBody(c, rehearsalSchema);
    return c.json(await startRehearsal(ctx, { event, ...plan }), 201);
  });
  app.delete("/v1/organizer/events/:event/rehearsals/:id", async (c) => {
    const { ctx, event } = await atEvent(c, "operator");
    return c.json(await stopRehearsal(ctx, { event, id: c.req.param("id") }), 200);
  });
  return app;
}

function describeRehearsals(app: Router): void {
  const refusals = ["organizer_required", "credential_invalid", "forbidden"] as const;
  document(app, {
    method: "get",
    path: AT,
    summary: "Rehearsals of an event and what they came to, newest first (viewer).",
    answers: { 200: "`{rehearsals: […]}`" },
    refusals: [...refusals],
  });
  document(app, {
    method: "post",
    path: AT,
    summary: "A synthetic crowd on a copy of the event; refused where real fans are (operator).",
    body: rehearsalSchema,
    answers: { 201: "`{id, copy, state, plan}`; it goes on by itself" },
    refusals: [...refusals, "unknown_event", "rehearsal_refused", "invalid_request", "unavailable"],
  });
  document(app, {
    method: "delete",
    path: `${AT}/{id}`,
    summary: "Ends a rehearsal and removes its copy (operator).",
    answers: { 200: "the rehearsal" },
    refusals: [...refusals, "not_found"],
  });
}
