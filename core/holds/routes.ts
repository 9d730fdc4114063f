import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { holdRequestSchema } from "../../shared/contract/holds.ts";
import { Refusal } from "../../shared/errors.ts";
import { ctxFor, type Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import { createAddonStock } from "./addon-stock.ts";
import { createAlternatives } from "./alternatives.ts";
import { extendHold } from "./extend-hold.ts";
import { holdUnits } from "./hold.ts";
import { createHolders } from "./holders.ts";
import { readHold } from "./read-hold.ts";
import { releaseHold } from "./release-hold.ts";
import { readHoldKey, readHoldRequest } from "./request.ts";
import { createSoldOut } from "./sold-out.ts";
import { replyOf } from "./verdict.ts";
import { createZoneCombiner } from "./zone-combiner.ts";

const holdId = z.strictObject({ id: z.string().min(1).max(64) });

const describeHold = {
  method: "post",
  path: "/v1/events/{event}/holds",
  summary: "Holds chosen seats, the best available, or standing places, for some minutes.",
  request: {
    params: z.strictObject({ event: eventIdSchema }),
    headers: z.object({ "idempotency-key": z.string().max(255).optional() }),
    body: {
      content: {
        "application/json": {
          schema: holdRequestSchema,
          example: { seats: ["A-1-12", "A-1-13"] },
        },
      },
      required: true,
    },
  },
  responses: {
    200: { description: "You hold the same already: the same hold, its countdown unmoved." },
    201: { description: "Held: `{id, event, seats, zones, addons, total, expiresAt, now}`." },
    ...problems(
      "admission_required",
      "admission_invalid",
      "admission_closed",
      "unknown_event",
      "sale_not_open",
      "sale_closed",
      "seats_unavailable",
      "sold_out",
      "hold_exists",
      "conflict_retry",
      "addon_sold_out",
      "limit_exceeded",
      "invalid_request",
      "unknown_seat",
      "unknown_zone",
      "unknown_section",
      "unknown_addon",
      "idempotency_key_reused",
      "overloaded",
    ),
  },
} as const;

export function holdRoutes(deps: Deps): Router {
  const app = newRouter();
  const holders = createHolders(deps);
  const tools = {
    combiner: createZoneCombiner(deps.db),
    soldOut: createSoldOut({ clock: deps.clock, holders }),
    holders,
    alternatives: createAlternatives(deps),
    addons: createAddonStock({ db: deps.db, cache: deps.redis.cache }),
  };
  const outcomes = deps.metrics.counter("sira_holds_total", "Hold requests, by kind and result.", [
    "kind",
    "result",
  ]);
  const holderCtx = async (c: Context<AppEnv>) => {
    const actor = await deps.admissions.admitHolder(c);
    return ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
  };

  // Registered by hand: a body that fits none of three kinds should name its field, and somebody
  // without an admission should hear of that first.
  app.openAPIRegistry.registerPath(describeHold);
  app.post("/v1/events/:event/holds", async (c) => {
    const event = eventIdSchema.safeParse(c.req.param("event"));
    if (!event.success) throw new Refusal("unknown_event");
    const body: unknown = await c.req.json().catch(() => undefined);
    const actor = await deps.admissions.admit(c, event.data);
    if (body === undefined) throw new Refusal("malformed_json");
    const request = readHoldRequest(body);
    const key = readHoldKey(c.req.header("idempotency-key"));
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const verdict = await holdUnits(ctx, tools, { request, key });
    const kind = "seats" in request ? "chosen" : "best" in request ? "best" : "standing";
    outcomes.inc({ kind, result: verdict.result });
    if (verdict.replayed) {
      c.header("idempotency-replayed", "true");
      // The recorded answer, to the byte: also a refusal names the request that it was given to.
      if (verdict.requestId) c.set("requestId", verdict.requestId);
    }
    const { status, hold } = replyOf(verdict);
    c.header("cache-control", "no-store");
    if (status === 201) c.header("location", `/v1/holds/${hold.id}`);
    return c.json(hold, status);
  });

  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/holds/{id}",
      summary: "One's own hold, while it lives; also after the admission has ended.",
      request: { params: holdId },
      responses: {
        200: { description: "The hold." },
        ...problems("admission_required", "not_found", "hold_expired", "hold_not_live"),
      },
    }),
    async (c) => {
      const ctx = await holderCtx(c);
      c.header("cache-control", "no-store");
      return c.json(await readHold(ctx, { hold: c.req.valid("param").id }));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/holds/{id}/extend",
      summary: "More time for who needs it: once, as long again, within thirty minutes in all.",
      request: { params: holdId },
      responses: {
        200: { description: "The hold with its new end; asked again, the same and unmoved." },
        ...problems("admission_required", "not_found", "hold_expired", "hold_not_live"),
      },
    }),
    async (c) => {
      const ctx = await holderCtx(c);
      c.header("cache-control", "no-store");
      return c.json(await extendHold(ctx, { hold: c.req.valid("param").id }));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/v1/holds/{id}",
      summary: "Gives one's own hold back.",
      request: { params: holdId },
      responses: {
        204: { description: "Released." },
        ...problems("admission_required", "not_found", "hold_not_live", "attempt_in_flight"),
      },
    }),
    async (c) => {
      const ctx = await holderCtx(c);
      await releaseHold(ctx, tools, { hold: c.req.valid("param").id });
      return c.body(null, 204);
    },
  );
  return app;
}
