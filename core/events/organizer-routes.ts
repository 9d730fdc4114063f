import { createRoute, z } from "@hono/zod-openapi";
import { eventIdSchema, reasonSchema } from "../../shared/contract/common.ts";
import { eventPutSchema } from "../../shared/contract/events.ts";
import { buyerSchema } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { ctxFor, type Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";
import { requireOrganizer } from "../organizers/authorize.ts";
import type { EventViews } from "./event-views.ts";
import { importSeats } from "./import-seats.ts";
import { putEvent } from "./put-event.ts";
import { listAllEvents, readEventPut, readEventVersion } from "./read-events.ts";
import { blockSeats, giveSeats } from "./seat-acts.ts";

const SEATS_AN_ACT_MAX = 5_000;

const params = z.strictObject({ event: eventIdSchema });
const seats = z
  .array(z.string().min(1).max(120))
  .min(1)
  .max(SEATS_AN_ACT_MAX)
  .refine((ids) => new Set(ids).size === ids.length, "the same seat twice");
const actSchema = z.strictObject({ seats, reason: reasonSchema });
const giftSchema = z.strictObject({ seats, reason: reasonSchema, buyer: buyerSchema });
const body = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { "application/json": { schema } },
  required: true,
});
const refusals = problems(
  "organizer_required",
  "credential_invalid",
  "forbidden",
  "invalid_request",
);

/** `If-Match` as RFC 9110 §13.1.1 has it, for the one version we give. */
function versionOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const [, version] = /^\s*(?:W\/)?"?(\d{1,15})"?\s*$/.exec(header) ?? [];
  if (version === undefined) throw new Refusal("version_conflict");
  return Number(version);
}

/** What organizers do with events and their seats; each act is a line of the audit log. */
export function organizerEventRoutes(deps: Deps, views: EventViews): Router {
  const app = newRouter();
  app.use("/v1/organizer/events/:event/*", async (c, next) => {
    await next();
    if (c.req.method !== "GET") views.forget(c.req.param("event"));
  });

  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/organizer/events",
      summary: "All events, those called off as well, the latest first (viewer of all events).",
      responses: { 200: { description: "`{events: [event]}`" }, ...refusals },
    }),
    async (c) => {
      await requireOrganizer(c, deps, { role: "viewer" });
      c.header("cache-control", "no-store");
      return c.json({ events: await listAllEvents(deps) });
    },
  );

  app.openapi(
    createRoute({
      method: "put",
      path: "/v1/organizer/events/{event}",
      summary: "Creates or changes an event; what would lose something sold is refused (owner).",
      request: { params, body: body(eventPutSchema) },
      responses: {
        200: { description: "`{event, seats}`: changed" },
        201: { description: "`{event, seats}`: created" },
        ...refusals,
        ...problems("event_in_use", "version_conflict"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const actor = await requireOrganizer(c, deps, { role: "owner", event });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      const version = versionOf(c.req.header("if-match"));
      const done = await putEvent(ctx, {
        event,
        version,
        put: c.req.valid("json"),
      });
      c.header("etag", `"${done.version}"`);
      return c.json({ event, seats: done.seats }, done.created ? 201 : 200);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/organizer/events/{event}",
      summary: "The event as it would be put (viewer).",
      request: { params },
      responses: { 200: { description: "the body of `PUT`" }, ...problems("unknown_event") },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      await requireOrganizer(c, deps, { role: "viewer", event });
      // The version first: what is read after it may be newer, never older, than it says.
      c.header("etag", `"${await readEventVersion(deps, { event })}"`);
      return c.json(await readEventPut(deps, { event }));
    },
  );

  app.openapi(
    createRoute({
      method: "put",
      path: "/v1/organizer/events/{event}/seats",
      summary: "Replaces the seat map by a CSV file: `section,row,number,zone,kind` (owner).",
      request: {
        params,
        body: { content: { "text/csv": { schema: z.string() } }, required: true },
      },
      responses: {
        200: { description: "`{event, seats}`" },
        ...refusals,
        ...problems("unknown_event", "event_in_use", "version_conflict"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const actor = await requireOrganizer(c, deps, { role: "owner", event });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      return c.json({ event, ...(await importSeats(ctx, { event, csv: await c.req.text() })) });
    },
  );

  for (const act of ["block", "unblock"] as const)
    app.openapi(
      createRoute({
        method: "post",
        path: `/v1/organizer/events/{event}/seats/${act}`,
        summary: act === "block" ? "Takes free seats off sale." : "Puts blocked seats on sale.",
        request: { params, body: body(actSchema) },
        responses: {
          200: { description: "`{seats}`: those that changed" },
          ...refusals,
          ...problems("unknown_seat", "seats_unavailable"),
        },
      }),
      async (c) => {
        const { event } = c.req.valid("param");
        const actor = await requireOrganizer(c, deps, { role: "operator", event });
        const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
        const wanted = { event, ...c.req.valid("json"), block: act === "block" };
        return c.json(await blockSeats(ctx, wanted));
      },
    );

  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/organizer/events/{event}/complimentary",
      summary: "Gives free or blocked seats away: an order of nothing with tickets (operator).",
      request: { params, body: body(giftSchema) },
      responses: {
        201: { description: "`{order, seats}`" },
        ...refusals,
        ...problems("unknown_event", "unknown_seat", "seats_unavailable"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const actor = await requireOrganizer(c, deps, { role: "operator", event });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      return c.json(await giveSeats(ctx, { event, ...c.req.valid("json") }), 201);
    },
  );
  return app;
}
