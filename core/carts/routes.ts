import { createRoute } from "@hono/zod-openapi";
import { ctxFor, type Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";
import { cartSchema, readCart, writeCart } from "./cart.ts";

const path = "/v1/carts/me";
const refusals = problems(
  "admission_required",
  "admission_invalid",
  "invalid_request",
  "limit_exceeded",
  "unavailable",
);
const answers = { 200: { description: "`{event, items: [{id, variant?, quantity}]}`" } };
const request = {
  body: { content: { "application/json": { schema: cartSchema } }, required: true },
};

/** The cart of whom the admission names; the event comes from the admission too. */
export function cartRoutes(deps: Deps): Router {
  const app = newRouter();
  app.openapi(
    createRoute({
      method: "get",
      path,
      summary: "The shopper's cart.",
      responses: { ...answers, ...refusals },
    }),
    async (c) => {
      const actor = await deps.admissions.admitAnywhere(c);
      return c.json(await readCart(ctxFor(deps, { actor, requestId: c.get("requestId") })));
    },
  );
  for (const method of ["put", "patch"] as const)
    app.openapi(
      createRoute({
        method,
        path,
        summary: method === "put" ? "Replaces the cart." : "Changes what is named; 0 takes out.",
        request,
        responses: { ...answers, ...refusals },
      }),
      async (c) => {
        const { items } = c.req.valid("json");
        const actor = await deps.admissions.admitAnywhere(c);
        const ctx = ctxFor(deps, { actor, requestId: c.get("requestId") });
        return c.json(await writeCart(ctx, { items, replace: method === "put" }));
      },
    );
  return app;
}
