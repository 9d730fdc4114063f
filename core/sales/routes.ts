// The whole sale of one event, for its organizer: figures, lists, and the acts that concern everybody.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { eventIdSchema, reasonSchema } from "../../shared/contract/common.ts";
import {
  cancelEventSchema,
  discrepancyActSchema,
  postponeEventSchema,
} from "../../shared/contract/sales.ts";
import { Refusal } from "../../shared/errors.ts";
import { MAIL_AGAIN } from "../buyers/queries.ts";
import { type Ctx, ctxFor, type Deps, type OrganizerActor } from "../context.ts";
import type { EventViews } from "../events/event-views.ts";
import type { Load } from "../http/load.ts";
import { readBody } from "../http/read-body.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import { EVENT_OF_ORDER } from "../orders/queries.ts";
import { appendAudit } from "../organizers/audit.ts";
import { type Need, requireOrganizer } from "../organizers/authorize.ts";
import { readIdempotencyKey } from "../payments/pay-order.ts";
import { describeSales } from "./describe.ts";
import { actOnDiscrepancy } from "./discrepancies.ts";
import { cancelEvent, listEventActs, postponeEvent } from "./event-acts.ts";
import { EXPORTS, exportCsv } from "./exports.ts";
import { readSaleFigures, readSaleHistory } from "./figures.ts";
import { readOrderHistory } from "./order-history.ts";

const mailSchema = z.strictObject({ reason: reasonSchema });

export function saleRoutes(deps: Deps, views: EventViews, load: Load): Router {
  const app = newRouter();
  describeSales(app);

  /** Allowed at the event in the path; an id of another form is nobody's event. */
  const atEvent = async (
    c: Context<AppEnv>,
    role: Need["role"],
  ): Promise<{ ctx: Ctx<OrganizerActor>; event: string }> => {
    const event = eventIdSchema.safeParse(c.req.param("event"));
    const actor = await requireOrganizer(c, deps, { role, event: event.data });
    if (!event.success) throw new Refusal("unknown_event");
    c.header("cache-control", "no-store");
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    return { ctx, event: event.data };
  };
  const atOrder = async (c: Context<AppEnv>, role: Need["role"]) => {
    const order = c.req.param("id") ?? "";
    const [row] = await deps.db.read<{ event: string }>(EVENT_OF_ORDER, [order]);
    const actor = await requireOrganizer(c, deps, { role, event: row?.event });
    if (row === undefined) throw new Refusal("not_found");
    c.header("cache-control", "no-store");
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    return { ctx, order, event: row.event };
  };

  app.get("/v1/organizer/events/:event/figures", async (c) => {
    const { event } = await atEvent(c, "viewer");
    return c.json(await readSaleFigures(deps, load, event), 200);
  });
  app.get("/v1/organizer/events/:event/history", async (c) => {
    const { event } = await atEvent(c, "viewer");
    return c.json(await readSaleHistory(deps, event), 200);
  });
  app.get("/v1/organizer/events/:event/exports/:what", async (c) => {
    // Names and addresses of buyers: more than a viewer sees at a glance.
    const { ctx, event } = await atEvent(c, "operator");
    const what = z.enum(EXPORTS).safeParse(c.req.param("what").replace(/\.csv$/, ""));
    if (!what.success) throw new Refusal("not_found");
    await appendAudit(ctx, { action: "export", event, target: what.data });
    c.header("content-type", "text/csv; charset=utf-8");
    c.header("content-disposition", `attachment; filename="${event}-${what.data}.csv"`);
    return c.body(await exportCsv(deps, { event, what: what.data }), 200);
  });

  app.post("/v1/organizer/events/:event/cancel", async (c) => {
    const { ctx, event } = await atEvent(c, "owner");
    const key = readIdempotencyKey(c.req.header("idempotency-key"));
    const { reason } = await readBody(c, cancelEventSchema);
    const act = await cancelEvent(ctx, { event, key, reason });
    views.forget(event);
    return c.json(act, 202);
  });
  app.post("/v1/organizer/events/:event/postpone", async (c) => {
    const { ctx, event } = await atEvent(c, "owner");
    const key = readIdempotencyKey(c.req.header("idempotency-key"));
    const body = await readBody(c, postponeEventSchema);
    const act = await postponeEvent(ctx, { event, key, ...body });
    views.forget(event);
    return c.json(act, 202);
  });
  app.get("/v1/organizer/events/:event/acts", async (c) => {
    const { ctx, event } = await atEvent(c, "viewer");
    return c.json({ acts: await listEventActs(ctx, event) }, 200);
  });

  app.get("/v1/organizer/orders/:id/history", async (c) => {
    const { order } = await atOrder(c, "viewer");
    return c.json(await readOrderHistory(deps, order), 200);
  });
  app.post("/v1/organizer/orders/:id/mail", async (c) => {
    const { ctx, order, event } = await atOrder(c, "operator");
    const { reason } = await readBody(c, mailSchema);
    const asked = await deps.db.write(MAIL_AGAIN, [order]);
    if (asked.length === 0)
      throw new Refusal("order_not_payable", { detail: "It has no tickets." });
    await appendAudit(ctx, { action: "order.mail", event, target: order, details: { reason } });
    return c.json({}, 202);
  });

  app.post("/v1/organizer/discrepancies/:id", async (c) => {
    const actor = await requireOrganizer(c, deps, { role: "operator" });
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const body = await readBody(c, discrepancyActSchema);
    return c.json(await actOnDiscrepancy(ctx, { id: c.req.param("id"), ...body }), 200);
  });
  return app;
}
