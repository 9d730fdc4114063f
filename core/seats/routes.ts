import { createRoute, z } from "@hono/zod-openapi";
import { eventIdSchema } from "../../shared/contract/common.ts";
import type { Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";
import { createSeatMaps } from "./read-seat-map.ts";

const CACHE_CONTROL = "public, max-age=2";

/** Whether a tag of `If-None-Match` is ours; weak comparison, as RFC 9110 asks for GET. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? "")
    .split(",")
    .some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag.slice(2));

/** What a browser sends for `cache: "no-store"`, and on a reload (RFC 9111 §5.2.1). */
const asksPastCaches = (header: string | undefined): boolean =>
  /\bno-(?:cache|store)\b|\bmax-age=[01]\b/i.test(header ?? "");

/** The smallest form that the client says it can read; `;q=0` is a no. */
export function encodingOf(header: string | undefined): "br" | "gzip" | undefined {
  const accepted = (header ?? "")
    .toLowerCase()
    .split(",")
    .flatMap((part) => {
      const [name = "", ...rest] = part.split(";").map((text) => text.trim());
      return rest.some((text) => /^q=0(\.0*)?$/.test(text)) ? [] : [name];
    });
  return (["br", "gzip"] as const).find((encoding) => accepted.includes(encoding));
}

export function seatRoutes(deps: Deps): Router {
  const app = newRouter();
  const maps = createSeatMaps(deps);
  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/events/{event}/seats",
      summary: "The seat map with one letter a seat; at most two seconds old, never an authority.",
      request: {
        params: z.strictObject({ event: eventIdSchema }),
        headers: z.object({ "if-none-match": z.string().optional() }),
      },
      responses: {
        200: { description: "`{event, version, at, zones, sections: [{id, rows: [{status}]}]}`" },
        304: { description: "Unchanged." },
        ...problems("unknown_event"),
      },
    }),
    async (c) => {
      const isFresh = asksPastCaches(c.req.header("cache-control"));
      const { etag, ...bytes } = await maps.read(c.req.valid("param").event, { isFresh });
      c.header("etag", etag);
      c.header("cache-control", CACHE_CONTROL);
      c.header("vary", "accept-encoding");
      if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304);
      c.header("content-type", "application/json");
      const encoding = encodingOf(c.req.header("accept-encoding"));
      if (encoding === undefined) return c.body(bytes.plain);
      c.header("content-encoding", encoding);
      return c.body(encoding === "br" ? bytes.brotli : bytes.gzipped);
    },
  );
  return app;
}
