import { type TurnReply, turnRequestSchema } from "../../shared/contract/queue.ts";
import { signAdmission } from "../guard/admission-token.ts";
import { currentRoom } from "../guard/current.ts";
import { continueToOf, needsCode, openPlace, refusalOf } from "../guard/present.ts";
import { doorObject } from "../guard/rooms.ts";
import { readBody } from "../http/body.ts";
import { type GateContext, json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

/** `POST /api/queue/{event}/turn`: the near-front heartbeat, and how an admission is claimed. */
export const turnRoutes = routes({
  "/api/queue/:event/turn": { POST: turn },
});

async function turn(c: GateContext): Promise<Response> {
  const now = Date.now();
  const config = c.get("config");
  const room = await currentRoom(c, now);
  const { credential, standing, door } = await openPlace(c, room, now);
  const { hidden } = await readBody(c.req.raw, turnRequestSchema, { optional: true });
  const outcome = await doorObject(c.env, c.get("config"), { room, place: credential.place }).turn(
    door,
    {
      ...standing,
      hidden: hidden ?? false,
      wantsCode: needsCode(config, room),
    },
  );
  switch (outcome.kind) {
    case "waiting":
    case "ready": {
      const { kind, ...rest } = outcome;
      const reply: TurnReply = { state: kind, ...rest };
      return json(reply);
    }
    case "admitted": {
      const { number, code } = outcome;
      const admission = await signAdmission(config, room, {
        place: credential.place,
        gen: credential.claims.gen,
        jti: outcome.jti,
        claimedAt: outcome.claimedAt,
        until: outcome.until,
        account: credential.claims.acct,
        jkt: credential.claims.cnf?.jkt,
      });
      const reply: TurnReply = {
        state: "admitted",
        ...(number === undefined ? {} : { number }),
        admission,
        continueTo: continueToOf(config, room, code),
      };
      return json(reply);
    }
    case "gone":
    case "moved":
    case "replayed":
    case "too_many":
    case "away":
      throw refusalOf(config, room, outcome);
  }
}
