import { isReadyDoor } from "../guard/readiness.ts";
import { listRooms, roomObject } from "../guard/rooms.ts";
import { json } from "../http/context.ts";
import { keepAliveOf, routes } from "../http/routes.ts";

const JWKS_AGE_SECONDS = 60;

/** Health, readiness by real round trips, and the public keys. */
export const healthRoutes = routes({
  "/healthz": { GET: async () => json({ status: "ok" }) },
  "/readyz": {
    GET: async (c) => {
      const rooms = await listRooms(c.env, { now: Date.now(), keepAlive: keepAliveOf(c) });
      const [first] = rooms;
      const redis = first
        ? await roomObject(c.env, c.get("config"), first.event).ping()
        : await isReadyDoor(c.env, c.get("config"));
      const body = {
        status: redis.ok ? "ok" : "unavailable",
        redis: redis.ok,
        rooms: rooms.length,
      };
      return json(body, redis.ok ? 200 : 503);
    },
  },
  "/.well-known/jwks.json": {
    GET: async (c) =>
      json(c.get("config").keys.jwks, 200, {
        "cache-control": `public, max-age=${JWKS_AGE_SECONDS}`,
      }),
  },
});
