import type { PlaceReply } from "../../shared/contract/queue.ts";
import { clearPlaceCookie } from "../guard/cookies.ts";
import { closeCall, tellCore } from "../guard/core-calls.ts";
import { currentRoom } from "../guard/current.ts";
import { needsCode, openPlace, refusalOf } from "../guard/present.ts";
import { doorObject } from "../guard/rooms.ts";
import { type GateContext, json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

/** `GET` and `DELETE /api/queue/{event}/place`: one's own place, and leaving it for good. */
export const placeRoutes = routes({
  "/api/queue/:event/place": { GET: show, DELETE: leave },
});

async function show(c: GateContext): Promise<Response> {
  const now = Date.now();
  const room = await currentRoom(c, now);
  const { credential, standing, door } = await openPlace(c, room, now);
  const outcome = await doorObject(c.env, c.get("config"), { room, place: credential.place }).look(
    door,
    {
      ...standing,
      hidden: false,
      wantsCode: false,
    },
  );
  switch (outcome.kind) {
    case "waiting":
    case "ready":
    case "admitted": {
      const { kind, number, index, ahead, calling } = outcome;
      return json({
        place: {
          id: credential.place,
          event: room.event,
          ...(index === undefined ? {} : { index }),
          ...(number === undefined ? {} : { number }),
          joinedAt: new Date(credential.claims.at).toISOString(),
        },
        state: kind,
        ...(ahead === undefined ? {} : { ahead }),
        calling,
      } satisfies PlaceReply);
    }
    case "gone":
    case "moved":
    case "replayed":
    case "too_many":
    case "away":
      throw refusalOf(c.get("config"), room, outcome);
  }
}

async function leave(c: GateContext): Promise<Response> {
  const now = Date.now();
  const config = c.get("config");
  const room = await currentRoom(c, now);
  const { credential, standing, door } = await openPlace(c, room, now);
  const object = doorObject(c.env, c.get("config"), { room, place: credential.place });
  // The core first: once the place is gone nobody may come in by what it was given.
  const isInside = await object.isInside(door, credential.place);
  const told = isInside
    ? await tellCore(config, {
        ...closeCall(room.event, standing, "the fan left"),
        event: room.event,
        requestId: c.get("requestId"),
      })
    : "unknown";
  const outcome = await object.leave(door, {
    ...standing,
    hidden: false,
    wantsCode: false,
    // A shop elsewhere keeps what it was given until its end, whatever our core says.
    closedAtCore: told === "done" && !needsCode(config, room),
  });
  if (outcome.kind !== "left") throw refusalOf(config, room, outcome);
  return new Response(null, {
    status: 204,
    headers: { "set-cookie": clearPlaceCookie(config, room.event) },
  });
}
