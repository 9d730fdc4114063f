import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { Refusal } from "../../shared/errors.ts";
import { isAdmissionLive } from "../admission/close.ts";
import type { Deps, FanActor } from "../context.ts";
import type { EventViews } from "../events/event-views.ts";
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

export function liveRoutes(deps: Deps, views: EventViews): Router {
  const app = newRouter();
  const tickets = createStreamTickets(deps.config.secret);
  const streams = createStreams(deps);

  const admit = async (c: Context, event: string): Promise<FanActor> => {
    const fan = await deps.admissions.admit(c, event);
    if (await isAdmissionLive(deps, fan)) return fan;
    throw new Refusal("admission_closed", { headers: { "www-authenticate": "DPoP" } });
  };

  const admitToStream = async (c: Context, event: string, ticket: string | undefined) => {
    if (ticket === undefined) return void (await admit(c, event));
    const opens = await (await tickets).opens(ticket, { event, nowMs: deps.clock.now() });
    if (!opens) throw new Refusal("admission_invalid", { reason: "stream ticket" });
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
        ...problems(
          "admission_required",
          "admission_invalid",
          "admission_closed",
          "unknown_event",
          "overloaded",
        ),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      await admitToStream(c, event, c.req.valid("query").ticket);
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
        ...problems("admission_required", "admission_invalid", "admission_closed", "unknown_event"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const { expiresAtMs } = await admit(c, event);
      await views.read(event);
      const ticket = await (await tickets).issue({ event, expiresAtMs });
      const url = `${deps.config.origin}/v1/events/${event}/stream?ticket=${ticket}`;
      return c.json({ ticket, url, expiresAt: new Date(expiresAtMs).toISOString() }, 201);
    },
  );
  return app;
}
