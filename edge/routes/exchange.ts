import { z } from "zod";
import { Refusal } from "../../shared/errors.ts";
import { doorOfCode } from "../door/codes.ts";
import { signAdmission } from "../guard/admission-token.ts";
import { currentRoom } from "../guard/current.ts";
import { requireService } from "../guard/issuers.ts";
import { doorByName, doorName } from "../guard/rooms.ts";
import { readBody } from "../http/body.ts";
import { json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

const exchangeSchema = z.strictObject({ code: z.string().min(1).max(64) });

/**
 * `POST /api/queue/{event}/exchange`: a shop's server changes the code its visitor brought for the
 * admission, once. The server vouches for its visitor, so the admission is bound to no browser key.
 */
export const exchangeRoutes = routes({
  "/api/queue/:event/exchange": {
    POST: async (c) => {
      const now = Date.now();
      const config = c.get("config");
      const room = await currentRoom(c, now);
      await requireService(config, c.req.raw, { event: room.event, scope: "exchange", now });
      const { code } = await readBody(c.req.raw, exchangeSchema);
      const door = doorOfCode(code);
      if (door === undefined || door >= room.doors) throw new Refusal("exchange_invalid");
      const { event, epoch } = room;
      const object = doorByName(c.env, config, doorName(event, epoch, door));
      const outcome = await object.exchange({ event, epoch, door }, code);
      if (outcome.kind === "invalid") throw new Refusal("exchange_invalid");
      const admission = await signAdmission(config, room, outcome);
      return json({ place: outcome.place, admission });
    },
  },
});
