import { Hono } from "hono";
import { Refusal } from "../../shared/errors.ts";
import type { GateContext, GateEnv } from "./context.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Handlers = { [method in Method]?: (c: GateContext) => Promise<Response> };

/** Routes of one file. A path that is known by another method says 405 and which ones it has. */
export function routes(table: Readonly<Record<string, Handlers>>): Hono<GateEnv> {
  const app = new Hono<GateEnv>({ strict: true });
  for (const [path, handlers] of Object.entries(table)) {
    const methods = Object.keys(handlers);
    for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler);
    app.all(path, () => {
      const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
      throw new Refusal("method_not_allowed", { headers: { allow } });
    });
  }
  return app;
}

/** What the guards want to know of a request. */
export const keepAliveOf = (c: GateContext) => (work: Promise<unknown>) =>
  c.executionCtx.waitUntil(work);

/** A path parameter as the router decoded it. */
export const param = (c: GateContext, name: string): string => c.req.param(name) ?? "";
