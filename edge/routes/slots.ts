import { capacityReportSchema, slotRequestSchema } from "../../shared/contract/rooms.ts";
import { Refusal } from "../../shared/errors.ts";
import { currentRoom } from "../guard/current.ts";
import { requireService } from "../guard/issuers.ts";
import { doorOfPlace, isPlaceId } from "../guard/place-id.ts";
import { doorObject, roomObject } from "../guard/rooms.ts";
import { check, readBody } from "../http/body.ts";
import { type GateContext, json } from "../http/context.ts";
import { param, routes } from "../http/routes.ts";

/** What the core tells the gate, with its service token: slots freed and extended, and its capacity. */
export const slotRoutes = routes({
  "/api/rooms/:event/slots/:place": { POST: slot },
  "/api/rooms/:event/capacity": { POST: capacity },
});

async function slot(c: GateContext): Promise<Response> {
  const now = Date.now();
  const room = await currentRoom(c, now);
  await requireService(c.get("config"), c.req.raw, { event: room.event, scope: "slots", now });
  const place = param(c, "place");
  if (!isPlaceId(place) || doorOfPlace(place) >= room.doors) throw new Refusal("not_found");
  const body = await readBody(c.req.raw, slotRequestSchema);
  if (body.action === "extend" && body.untilMs === undefined)
    check(slotRequestSchema.required({ untilMs: true }), body);
  const outcome = await doorObject(c.env, c.get("config"), { room, place }).slot(
    { event: room.event, epoch: room.epoch, door: doorOfPlace(place) },
    {
      place,
      action: body.action,
      jti: body.jti,
      ...(body.untilMs === undefined ? {} : { untilMs: body.untilMs }),
    },
  );
  switch (outcome.kind) {
    case "done":
      return json({
        changed: true,
        ...(outcome.until === undefined ? {} : { untilMs: outcome.until }),
      });
    case "unchanged":
      // Another `jti`, or not inside: said plainly, so that the core need not try again.
      return json({ changed: false });
    case "away":
      throw new Refusal("not_ready", {
        headers: { "retry-after": String(Math.ceil(outcome.retryAfterMs / 1_000)) },
      });
  }
}

async function capacity(c: GateContext): Promise<Response> {
  const now = Date.now();
  const room = await currentRoom(c, now);
  await requireService(c.get("config"), c.req.raw, { event: room.event, scope: "capacity", now });
  const report = await readBody(c.req.raw, capacityReportSchema);
  const known = await roomObject(c.env, c.get("config"), room.event).report(report);
  if (!known) throw new Refusal("unknown_event");
  return new Response(null, { status: 204 });
}
