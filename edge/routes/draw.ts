import { z } from "zod";
import { Refusal } from "../../shared/errors.ts";
import { currentRoom } from "../guard/current.ts";
import { roomObject } from "../guard/rooms.ts";
import { check } from "../http/body.ts";
import { json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

const querySchema = z.strictObject({
  index: z
    .string()
    .regex(/^\d{1,10}$/, "a whole number")
    .transform(Number)
    .optional(),
});

/** `GET /api/queue/{event}/draw?index=`: the evidence, and one inclusion proof. Public. */
export const drawRoutes = routes({
  "/api/queue/:event/draw": {
    GET: async (c) => {
      const room = await currentRoom(c, Date.now());
      const { index } = check(querySchema, c.req.query());
      const evidence = await roomObject(c.env, c.get("config"), room.event).evidence(index);
      if (!evidence) throw new Refusal("unknown_event");
      return json(evidence, 200, { "cache-control": "public, max-age=1" });
    },
  },
});
