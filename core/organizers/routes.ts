import { createRoute, z } from "@hono/zod-openapi";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { sessionRequestSchema } from "../../shared/contract/organizers.ts";
import { Refusal } from "../../shared/errors.ts";
import { ROLES } from "../../shared/token/claims.ts";
import { ctxFor, type Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { clientAddress } from "../http/request.ts";
import { newRouter, type Router } from "../http/router.ts";
import { readAudit } from "./audit.ts";
import { requireOrganizer } from "./authorize.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { createSignInLimit } from "./limit.ts";
import { signIn } from "./sign-in.ts";

const newKeySchema = z.strictObject({
  name: z.string().trim().min(1).max(120),
  role: z.enum(ROLES),
  events: z
    .array(z.union([z.literal("*"), eventIdSchema]))
    .min(1)
    .max(200),
});
const auditQuery = z.strictObject({
  event: eventIdSchema.optional(),
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { "application/json": { schema } },
  required: true,
});
const refusals = problems("organizer_required", "credential_invalid", "forbidden");

/** Who organizers are and what they did. What they do stands with its noun. */
export function organizerRoutes(deps: Deps): Router {
  const app = newRouter();
  const limit = createSignInLimit(deps.redis.locks);

  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/organizer/sessions",
      summary: "An organizer key for an hour's token, good at core and gate alike.",
      request: { body: jsonBody(sessionRequestSchema) },
      responses: {
        200: { description: "`{token, expiresAt}`" },
        ...problems("credential_invalid", "rate_limited", "invalid_request"),
      },
    }),
    async (c) => {
      const ctx = ctxFor(deps, { actor: { kind: "anyone" }, requestId: c.get("requestId") });
      const address = clientAddress(c, deps.config.trustedProxies);
      c.header("cache-control", "no-store");
      return c.json(await signIn(ctx, { key: c.req.valid("json").key, address }, limit));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/organizer/keys",
      summary: "Keys, without the keys themselves (owner).",
      responses: { 200: { description: "`{keys: [{id, name, role, events, …}]}`" }, ...refusals },
    }),
    async (c) => {
      await requireOrganizer(c, deps, { role: "owner" });
      return c.json({ keys: await listKeys(deps) });
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/organizer/keys",
      summary: "A new key, shown once (owner of all events).",
      request: { body: jsonBody(newKeySchema) },
      responses: { 201: { description: "`{id, key}`" }, ...refusals },
    }),
    async (c) => {
      const actor = await requireOrganizer(c, deps, { role: "owner" });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      c.header("cache-control", "no-store");
      return c.json(await createKey(ctx, c.req.valid("json")), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/v1/organizer/keys/{id}",
      summary: "Revokes a key (owner of all events).",
      request: { params: z.strictObject({ id: z.string().max(64) }) },
      responses: { 204: { description: "revoked" }, ...refusals, ...problems("not_found") },
    }),
    async (c) => {
      const actor = await requireOrganizer(c, deps, { role: "owner" });
      const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
      if (!(await revokeKey(ctx, c.req.valid("param")))) throw new Refusal("not_found");
      return c.body(null, 204);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/organizer/audit",
      summary: "What was done, newest first (viewer of the event; all events: of all).",
      request: { query: auditQuery },
      responses: { 200: { description: "`{lines: […], next?}`" }, ...refusals },
    }),
    async (c) => {
      const { event, before, limit: count } = c.req.valid("query");
      await requireOrganizer(c, deps, { role: "viewer", event });
      const lines = await readAudit(deps, { event, before, limit: count });
      const next = lines.length === count ? lines.at(-1)?.seq : undefined;
      return c.json({ lines, ...(next === undefined ? {} : { next }) });
    },
  );
  return app;
}
