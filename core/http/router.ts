import { OpenAPIHono } from "@hono/zod-openapi";
import type { Log } from "../context.ts";
import { invalidRequest } from "./invalid.ts";

/** What the plumbing puts into every request before a route sees it. */
export type AppEnv = { Variables: { requestId: string; log: Log } };

export type Router = OpenAPIHono<AppEnv>;

/**
 * A noun's routes: `export const holdRoutes = (deps: Deps): Router => { const app = newRouter(); … }`.
 * Bodies and parameters that do not fit their schema are refused as 422 naming the field.
 */
export const newRouter = (): Router =>
  new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(result.error);
    },
  });
