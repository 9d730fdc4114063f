import { currentRoom } from "../guard/current.ts";
import { readStatus } from "../guard/status.ts";
import { keepAliveOf, routes } from "../http/routes.ts";

/** `GET /api/queue/{event}/status`: the same for everybody; touches neither Redis nor a cookie. */
export const statusRoutes = routes({
  "/api/queue/:event/status": {
    GET: async (c) => {
      const now = Date.now();
      const room = await currentRoom(c, now);
      const { text } = await readStatus(c.env, c.get("config"), {
        room,
        now,
        keepAlive: keepAliveOf(c),
      });
      return new Response(text, {
        headers: { "content-type": "application/json", "cache-control": "public, max-age=1" },
      });
    },
  },
});
