import { eventIdSchema } from "../../shared/contract/common.ts";
import { checkinRequestSchema } from "../../shared/contract/tickets.ts";
import { Refusal } from "../../shared/errors.ts";
import { ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { newRouter, type Router } from "../http/router.ts";
import { requireOrganizer } from "../organizers/authorize.ts";
import { checkIn } from "./check-in.ts";
import { readVoidList } from "./void-list.ts";

const refusals = ["organizer_required", "credential_invalid", "forbidden"] as const;

const eventOf = (text: string): string => {
  const parsed = eventIdSchema.safeParse(text);
  if (!parsed.success) throw new Refusal("unknown_event");
  return parsed.data;
};

/** The door. Whoever scans is an operator of the event, or a key of its own that can do no more. */
export function checkinRoutes(deps: Deps): Router {
  const app = newRouter();

  document(app, {
    method: "post",
    path: "/v1/organizer/events/{event}/checkins",
    summary: "Codes read at a door, one or a batch that was read offline (operator, scanner).",
    body: checkinRequestSchema,
    answers: { 200: "`{scans: [{id, result, ticket?, seat?, zone?, holder?, first?, other?}]}`" },
    refusals: [...refusals, "invalid_request"],
  });
  app.post("/v1/organizer/events/:event/checkins", async (c) => {
    const event = eventOf(c.req.param("event"));
    const actor = await requireOrganizer(c, deps, { role: "operator", event, orScanner: true });
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const input = await readBody(c, checkinRequestSchema);
    return c.json({ scans: await checkIn(ctx, { event, ...input }) }, 200);
  });

  document(app, {
    method: "get",
    path: "/v1/organizer/events/{event}/void-list",
    summary:
      "What a door needs while it is offline: public keys, void and handed-on tickets (viewer, scanner).",
    answers: { 200: "`{event, madeAt, keys, void, issues, used}`" },
    refusals: [...refusals],
  });
  app.get("/v1/organizer/events/:event/void-list", async (c) => {
    const event = eventOf(c.req.param("event"));
    await requireOrganizer(c, deps, { role: "viewer", event, orScanner: true });
    c.header("cache-control", "no-store");
    return c.json(await readVoidList(deps, event), 200);
  });
  return app;
}
