import { Refusal } from "../../shared/errors.ts";
import { currentRoom } from "../guard/current.ts";
import { roomObject } from "../guard/rooms.ts";
import type { GateContext } from "../http/context.ts";
import { routes } from "../http/routes.ts";
import { pictureOf } from "../room/branding.ts";

/** `GET /api/queue/{event}/logo`: the organizer's picture, from our own origin. */
export const logoRoutes = routes({
  "/api/queue/:event/logo": { GET: logo },
});

async function logo(c: GateContext): Promise<Response> {
  const room = await currentRoom(c, Date.now());
  const view = await roomObject(c.env, c.get("config"), room.event).view();
  const picture = pictureOf(view?.branding.logo ?? "");
  if (!picture) throw new Refusal("not_found");
  return new Response(picture.bytes, {
    headers: {
      "content-type": picture.type,
      // The address changes with the picture.
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
}
