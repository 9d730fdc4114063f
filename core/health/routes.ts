import { createRoute } from "@hono/zod-openapi";
import { Refusal } from "../../shared/errors.ts";
import { constantTimeEqual } from "../../shared/token/nonce.ts";
import type { Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";

const READY_MS = 2_000;
const JWKS_CACHE = "public, max-age=300";

/** Is the process alive, can it sell, what does it count, which keys does it sign with. */
export function healthRoutes(deps: Deps): Router {
  const app = newRouter();

  app.openapi(
    createRoute({
      method: "get",
      path: "/healthz",
      summary: "The process answers.",
      responses: { 200: { description: '`{status: "ok"}`' } },
    }),
    (c) => c.json({ status: "ok" }),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/readyz",
      summary: "A real round trip to PostgreSQL. Redis missing is `degraded`, and still 200.",
      responses: {
        200: { description: '`{status: "ok" | "degraded", database, redis}`' },
        ...problems("unavailable"),
      },
    }),
    async (c) => {
      await deps.db.ping(READY_MS);
      const [locks, cache] = await Promise.all([
        deps.redis.locks.attempt((client) => client.ping(), READY_MS),
        deps.redis.cache.attempt((client) => client.ping(), READY_MS),
      ]);
      c.header("cache-control", "no-store");
      return c.json({
        status: locks.ok && cache.ok ? "ok" : "degraded",
        database: "ok",
        redis: { locks: locks.ok ? "ok" : "away", cache: cache.ok ? "ok" : "away" },
      });
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/metrics",
      summary: "Prometheus metrics; with a bearer token where METRICS_TOKEN is set.",
      responses: { 200: { description: "text exposition format" }, ...problems("forbidden") },
    }),
    async (c) => {
      const expected = deps.config.metricsToken;
      const given = c.req.header("authorization")?.replace(/^Bearer /i, "") ?? "";
      if (expected !== undefined && !constantTimeEqual(given, expected))
        throw new Refusal("forbidden", { reason: "metrics token" });
      c.header("content-type", deps.metrics.registry.contentType);
      return c.body(await deps.metrics.render());
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/.well-known/jwks.json",
      summary: "The public halves of our signing keys.",
      responses: { 200: { description: "`{keys: [JWK]}`" } },
    }),
    (c) => {
      c.header("cache-control", JWKS_CACHE);
      return c.json(deps.keys.jwks);
    },
  );
  return app;
}
