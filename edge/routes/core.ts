import { Refusal } from "../../shared/errors.ts";
import { isEventId } from "../../shared/ids.ts";
import { readCore } from "../guard/core-cache.ts";
import type { GateContext } from "../http/context.ts";
import { keepAliveOf, param, routes } from "../http/routes.ts";

/** What the public reads of the core, through the edge's cache: the core sees it once in 2 s. */
export const coreRoutes = routes({
  "/v1/events": { GET: (c) => pass(c, "/v1/events") },
  "/v1/events/:event": { GET: (c) => pass(c, `/v1/events/${eventOf(c)}`) },
  "/v1/events/:event/seats": { GET: (c) => pass(c, `/v1/events/${eventOf(c)}/seats`) },
});

function eventOf(c: GateContext): string {
  const event = param(c, "event");
  if (!isEventId(event)) throw new Refusal("unknown_event");
  return event;
}

async function pass(c: GateContext, path: string): Promise<Response> {
  const copy = await readCore(c.env, c.get("config"), {
    path,
    now: Date.now(),
    requestId: c.get("requestId"),
    keepAlive: keepAliveOf(c),
  });
  const headers = new Headers({
    "content-type": copy.type,
    "cache-control": copy.status === 200 ? "public, max-age=2" : "no-store",
  });
  if (copy.etag !== undefined) headers.set("etag", copy.etag);
  const asked = c.req.header("if-none-match");
  if (copy.status === 200 && copy.etag !== undefined && asked?.includes(copy.etag))
    return new Response(null, { status: 304, headers });
  if (copy.status === 404) throw new Refusal("unknown_event");
  return new Response(copy.text, { status: copy.status, headers });
}
