import { createRoute, z } from "@hono/zod-openapi";
import { eventIdSchema, instantSchema, reasonSchema } from "../../shared/contract/common.ts";
import { ctxFor, type Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";
import { closeAdmission, raiseNotBefore } from "./close.ts";
import { tellNearly } from "./tell-nearly.ts";

const place = z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/);
const closeSchema = z.strictObject({
  gen: z.int().min(0).optional(),
  jti: z.string().max(128).optional(),
  reason: reasonSchema.optional(),
});
const notBeforeSchema = z.strictObject({
  notBefore: instantSchema,
  reason: reasonSchema.optional(),
});
const nearlySchema = z.strictObject({
  email: z.email().max(254),
  locale: z.string().max(35),
  number: z.int().min(1),
});
const refusals = problems("credential_invalid", "invalid_request");

/** What the gate tells the core, with its service token (`aud: core`, scope `admissions`). */
export function admissionRoutes(deps: Deps): Router {
  const app = newRouter();
  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/admissions/{event}/{place}/close",
      summary: "Ends an admission; safe to repeat. The body may be missing.",
      request: {
        params: z.strictObject({ event: eventIdSchema, place }),
        body: { content: { "application/json": { schema: closeSchema } } },
      },
      responses: { 204: { description: "ended" }, ...refusals },
    }),
    async (c) => {
      const { event, place } = c.req.valid("param");
      const actor = await deps.admissions.admitGate(c, event);
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      // Without a body the validator leaves nothing.
      const { gen } = c.req.valid("json") ?? {};
      await closeAdmission(ctx, { event, place, gen });
      return c.body(null, 204);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/admissions/{event}/not-before",
      summary: "After a reset of the room: admissions issued earlier count no longer.",
      request: {
        params: z.strictObject({ event: eventIdSchema }),
        body: { content: { "application/json": { schema: notBeforeSchema } }, required: true },
      },
      responses: { 204: { description: "noted" }, ...refusals, ...problems("unknown_event") },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const actor = await deps.admissions.admitGate(c, event);
      const { notBefore } = c.req.valid("json");
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      await raiseNotBefore(ctx, { event, notBefore });
      return c.body(null, 204);
    },
  );
  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/admissions/{event}/{place}/nearly",
      summary: "A place is nearly at the door: writes to its fan, once.",
      request: {
        params: z.strictObject({ event: eventIdSchema, place }),
        body: { content: { "application/json": { schema: nearlySchema } }, required: true },
      },
      responses: {
        204: { description: "written to" },
        ...refusals,
        ...problems("unknown_event", "unavailable"),
      },
    }),
    async (c) => {
      const { event, place } = c.req.valid("param");
      const actor = await deps.admissions.admitGate(c, event);
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      await tellNearly(ctx, { event, place, ...c.req.valid("json") });
      return c.body(null, 204);
    },
  );
  return app;
}
