import { OpenAPIHono } from "@hono/zod-openapi";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { Refusal } from "../shared/errors.ts";
import { nonceHeader } from "./admission/nonce-header.ts";
import type { Deps } from "./context.ts";
import { createEventViews } from "./events/event-views.ts";
import { knownEvents } from "./events/known-events.ts";
import { bodyBounds, bodyKinds, unreadBodies } from "./http/body.ts";
import { crossOrigin } from "./http/cors.ts";
import { docsPage } from "./http/docs.ts";
import { withExamples } from "./http/examples/merge.ts";
import { createLoad, type Load } from "./http/load.ts";
import { methodsOf } from "./http/methods.ts";
import { bounds, observation, requestIds } from "./http/plumbing.ts";
import { logRefusal, problemResponse, refusalOf } from "./http/problem.ts";
import type { AppEnv, Router } from "./http/router.ts";
import { wideLimits } from "./limits/wide.ts";
import { nounRoutes } from "./nouns.ts";
import { organizersOnly } from "./organizers/authorize.ts";
import { requestSpans } from "./tracing/middleware.ts";

const DOCUMENT = {
  openapi: "3.1.0",
  info: {
    title: "Sıra core",
    version: "1",
    description:
      "Holds, orders, payments and tickets. Fans come with an admission token of the gate.",
  },
};

/**
 * The whole HTTP surface of the core. Routes throw `Refusal`; everything that leaves here with a
 * status of 400 or more is a problem document.
 *
 * @param load what of the process's load other parts read (the capacity report).
 */
export function createApp(deps: Deps, load: Load = createLoad()): Router {
  const app = new OpenAPIHono<AppEnv>();
  app.use(requestIds(deps.log));
  app.use(unreadBodies);
  app.use(requestSpans(deps.tracing));
  app.use(observation(deps.metrics, load));
  app.use(secureHeaders({ crossOriginResourcePolicy: "cross-origin" }));
  app.use(crossOrigin(deps.config.corsOrigins));
  app.use(nonceHeader(deps));
  app.use(bounds);
  app.use(wideLimits(deps));
  app.use("/v1/organizer/*", organizersOnly(deps));
  const views = createEventViews(deps);
  app.use("/v1/organizer/events/:event/*", knownEvents(views));
  app.use(bodyKinds);
  app.use(bodyBounds);
  app.use(compress());
  for (const noun of nounRoutes(deps, views, load)) app.route("/", noun);
  const describe = () => withExamples(app.getOpenAPI31Document(DOCUMENT));
  app.get("/openapi.json", (c) => c.json(describe()));
  app.get("/docs", (c) => {
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return c.html(docsPage(JSON.parse(JSON.stringify(describe()))));
  });

  const methods = methodsOf(app.routes);
  app.notFound((c) => {
    const allowed = methods(c.req.path);
    const refusal =
      allowed.length === 0
        ? new Refusal("not_found")
        : new Refusal("method_not_allowed", { headers: { allow: allowed.join(", ") } });
    return problemResponse(c, refusal, c.get("requestId"));
  });
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    const log = c.get("log");
    if (refusal) logRefusal(log, refusal);
    else log.error({ err: error }, "a bug");
    return problemResponse(c, refusal ?? new Refusal("internal"), c.get("requestId"));
  });
  return app;
}
