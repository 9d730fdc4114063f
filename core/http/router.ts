import { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../shared/errors.ts";
import type { Log } from "../context.ts";
import { invalidRequest } from "./invalid.ts";
import { refuseBrokenText } from "./text.ts";

/** What the plumbing puts into every request before a route sees it. */
export type AppEnv = { Variables: { requestId: string; log: Log } };

export type Router = OpenAPIHono<AppEnv>;

/**
 * A noun's routes: `export const holdRoutes = (deps: Deps): Router => { const app = newRouter(); … }`.
 * Bodies and parameters that do not fit their schema are refused as 422 naming the field; an event id
 * that does not is 404.
 */
export const newRouter = (): Router =>
  new OpenAPIHono<AppEnv>({
    defaultHook: (result, c) => {
      if (result.success) return refuseBrokenText(result.data);
      // An event that cannot exist is no better known than one that does not: 404, as at the gate. Who is
      // about to make one hears what is wrong with its id.
      const isEvent = result.target === "param" && result.error.issues[0]?.path[0] === "event";
      if (isEvent && c.req.method !== "PUT") throw new Refusal("unknown_event");
      throw invalidRequest(result.error);
    },
  });
