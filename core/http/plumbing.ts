import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { Refusal } from "../../shared/errors.ts";
import { newId, REQUEST_ID_PATTERN } from "../../shared/ids.ts";
import type { Log } from "../context.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Load } from "./load.ts";
import type { AppEnv } from "./router.ts";

/** What every request passes before its route: an id, a log, a clock, bounds. */

const HEADER_COUNT_MAX = 100;
/** Routes whose time is a page's or a payment provider's. */
const NOT_OURS_ALONE = /\/(stream|attempts|cancel|refunds)$/;
const PATH_CHARS_MAX = 2_048;

/** Taken over from the gate when harmless, made here otherwise; on every answer. */
export const requestIds = (log: Log): MiddlewareHandler<AppEnv> =>
  async function requestIdOf(c, next) {
    const given = c.req.header("x-request-id");
    const requestId = given && REQUEST_ID_PATTERN.test(given) ? given : newId("req");
    c.set("requestId", requestId);
    c.set("log", log.child({ requestId }));
    c.header("x-request-id", requestId);
    await next();
  };

/**
 * One line and one observation a request. The route's pattern is logged, not its address: paths and
 * queries carry tickets and tokens; headers are never logged.
 */
export function observation(metrics: Metrics, load: Load): MiddlewareHandler<AppEnv> {
  const seconds = metrics.histogram(
    "sira_http_seconds",
    "Time of a request, by route, method and status.",
    ["route", "method", "status"],
  );
  metrics.gauge("sira_http_in_flight", "Requests being worked on.", [], (gauge) =>
    gauge.set(load.count),
  );
  return async function observe(c, next) {
    const started = performance.now();
    load.count += 1;
    try {
      await next();
    } finally {
      load.count -= 1;
      const ms = performance.now() - started;
      const pattern = routePath(c, -1);
      const route = pattern === "/*" || pattern === "*" ? "none" : pattern;
      const { method } = c.req;
      if (!NOT_OURS_ALONE.test(route)) load.note(ms);
      if (c.res.status >= 500) load.noteError();
      seconds.observe({ route, method, status: String(c.res.status) }, ms / 1000);
      c.get("log").debug({ route, method, status: c.res.status, ms: Math.round(ms) }, "request");
    }
  };
}

/** Encoded slashes, backslashes and dot segments only ever serve to slip past a check. */
export const bounds: MiddlewareHandler<AppEnv> = async function bound(c, next) {
  // As it came: the framework's own `path` is decoded already.
  const path = c.req.url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  if (path.length > PATH_CHARS_MAX || /%2f|%5c|%00|%2e|\\|\/\.{1,2}(\/|$)|\/\//i.test(path))
    throw new Refusal("not_found", { reason: "a path of an unusual form" });
  let headers = 0;
  c.req.raw.headers.forEach(() => {
    headers += 1;
  });
  if (headers > HEADER_COUNT_MAX)
    throw new Refusal("invalid_request", { detail: "too many headers" });
  await next();
};
