import type { JoinRequest, MoveReply } from "../../shared/contract/queue.ts";
import { Refusal } from "../../shared/errors.ts";
import type { JoinOutcome } from "../door/messages.ts";
import { placeOfMove } from "../door/moves.ts";
import { findPlace } from "../guard/credential.ts";
import { currentRoom } from "../guard/current.ts";
import { doorOfPlace, thumbprint } from "../guard/place-id.ts";
import { openPlace, refusalOf } from "../guard/present.ts";
import { doorObject } from "../guard/rooms.ts";
import { type GateContext, json } from "../http/context.ts";
import { routes } from "../http/routes.ts";
import type { RoomEntry } from "../room/directory.ts";

/** `POST /api/queue/{event}/place/move`: a link, good once, that takes this place to another device. */
export const moveRoutes = routes({
  "/api/queue/:event/place/move": { POST: offer },
});

async function offer(c: GateContext): Promise<Response> {
  const now = Date.now();
  const config = c.get("config");
  const room = await currentRoom(c, now);
  const { credential, standing, door } = await openPlace(c, room, now);
  const outcome = await doorObject(c.env, config, { room, place: credential.place }).offerMove(
    door,
    { ...standing, hidden: false, wantsCode: false },
  );
  if (outcome.kind === "inside") throw new Refusal("action_not_possible");
  if (outcome.kind !== "code") throw refusalOf(config, room, outcome);
  const { code, ends } = outcome;
  return json({
    // In the fragment, which no server and no log ever sees.
    url: `${config.edgeOrigin}/e/${room.event}#move=${code}`,
    endsAt: new Date(ends).toISOString(),
  } satisfies MoveReply);
}

export type MovedPlace = {
  place: ReturnType<typeof placeOfMove> & string;
  joined: JoinOutcome;
  at: number;
  account: string | undefined;
  jkt: string | undefined;
};

/** The other end: a join that shows such a link. A place that is here already is not lost unasked. */
export async function takeMovedPlace(
  c: GateContext,
  more: { room: RoomEntry; body: JoinRequest & { move: string }; now: number },
): Promise<MovedPlace> {
  const { room, body, now } = more;
  const config = c.get("config");
  const place = placeOfMove(body.move);
  if (place === undefined) throw new Refusal("exchange_invalid");
  const held = await findPlace(config, c.req.raw, {
    event: room.event,
    epoch: room.epoch,
    now,
    earlier: "ignore",
    cookie: true,
  });
  if (held && held.place !== place && c.req.query("replace") !== "1")
    throw new Refusal("place_conflict", { facts: { place: held.place } });
  const jkt = body.key ? await thumbprint(body.key) : undefined;
  if (jkt === undefined && room.binding === "dpop") throw new Refusal("key_required");
  const outcome = await doorObject(c.env, config, { room, place }).takeMove(
    { event: room.event, epoch: room.epoch, door: doorOfPlace(place) },
    { place, code: body.move, device: jkt ?? `cookie:${place}`, at: now },
  );
  if (outcome.kind === "invalid") throw new Refusal("exchange_invalid");
  const { joined, at, account } = outcome;
  return { place, joined, at, account, jkt: room.binding === "dpop" ? jkt : undefined };
}
