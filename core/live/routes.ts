import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Deps } from "../context.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";
import { createStreams } from "./stream.ts";
import { createStreamTickets } from "./ticket.ts";

const parameters = z.strictObject({ event: eventIdSchema });

/** `Last-Event-ID` is the version of the last delta; anything else is answered by a snapshot. */
export function readLastEventId(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

export function liveRoutes(deps: Deps): Router {
  const app = newRouter();
  const tickets = createStreamTickets(deps.config.secret);
  const streams = createStreams(deps);

  const admitted = async (c: Context, event: string, ticket: string | undefined) => {
    if (ticket === undefined) return await deps.admissions.admit(c, event);
    const opens = await (await tickets).opens(ticket, { event, nowMs: deps.clock.now() });
    if (!opens) throw new Refusal("admission_invalid", { reason: "stream ticket" });
    return undefined;
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/v1/events/{event}/stream",
      summary: "Live availability as server-sent events: `snapshot` first, then `delta`.",
      request: {
        params: parameters,
        query: z.strictObject({ ticket: z.string().max(100).optional() }),
      },
      responses: {
        200: { description: "text/event-stream" },
        ...problems("admission_required", "admission_invalid", "overloaded"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      await admitted(c, event, c.req.valid("query").ticket);
      const since = readLastEventId(c.req.header("last-event-id"));
      return await streams.open(c, event, since);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/v1/events/{event}/stream",
      summary: "A ticket for the stream's address, since an EventSource can send no headers.",
      request: { params: parameters },
      responses: {
        201: { description: "`{ticket, url, expiresAt}`" },
        ...problems("admission_required", "admission_invalid"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const fan = await deps.admissions.admit(c, event);
      const { expiresAtMs } = fan;
      const ticket = await (await tickets).issue({ event, expiresAtMs });
      const url = `${deps.config.origin}/v1/events/${event}/stream?ticket=${ticket}`;
      return c.json({ ticket, url, expiresAt: new Date(expiresAtMs).toISOString() }, 201);
    },
  );
  return app;
}
