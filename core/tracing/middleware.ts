import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { AppEnv } from "../http/router.ts";
import type { Tracing } from "./tracing.ts";

/** One span a request, named by the route's pattern and joined to the logs by the request's id. */
export const requestSpans = (tracing: Tracing): MiddlewareHandler<AppEnv> =>
  async function spanOf(c, next) {
    await tracing.request({ traceparent: c.req.header("traceparent") }, async (finish) => {
      await next();
      const route = routePath(c, -1);
      finish(`${c.req.method} ${route}`, {
        "http.request.method": c.req.method,
        "http.route": route,
        "http.response.status_code": c.res.status,
        "sira.request_id": c.get("requestId"),
      });
    });
  };
