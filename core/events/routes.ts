import { createRoute, z } from "@hono/zod-openapi";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";
import type { EventViews } from "./event-views.ts";

const CACHE_CONTROL = "public, max-age=2";

/** What everybody may read of events. */
export function eventRoutes(views: EventViews): Router {
  const app = newRouter();
  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/events",
      summary: "Events with prices, sale window and posted limits.",
      responses: { 200: { description: "`{events: [event]}`" } },
    }),
    async (c) => {
      c.header("cache-control", CACHE_CONTROL);
      return c.json({ events: await views.list() });
    },
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/events/{event}",
      summary: "One event.",
      request: { params: z.strictObject({ event: eventIdSchema }) },
      responses: {
        200: { description: "`{id, name, venue, startsAt, saleOpensAt, zones, sections, …}`" },
        ...problems("unknown_event"),
      },
    }),
    async (c) => {
      c.header("cache-control", CACHE_CONTROL);
      return c.json(await views.read(c.req.valid("param").event));
    },
  );
  return app;
}
