import {
  type JoinRequest,
  joinRequestSchema,
  type PlaceView,
} from "../../shared/contract/queue.ts";
import { Refusal } from "../../shared/errors.ts";
import type { PlaceId } from "../../shared/ids.ts";
import type { JoinOutcome } from "../door/messages.ts";
import { readSolution, requireHuman } from "../guard/check-human.ts";
import { clearPlaceCookie, setPlaceCookie } from "../guard/cookies.ts";
import { currentRoom } from "../guard/current.ts";
import { identifyFan } from "../guard/identify.ts";
import { doorOfPlace } from "../guard/place-id.ts";
import { signPlaceToken } from "../guard/place-token.ts";
import { doorObject, roomObject } from "../guard/rooms.ts";
import { readStatus, type StatusText } from "../guard/status.ts";
import { readBody } from "../http/body.ts";
import type { GateContext } from "../http/context.ts";
import { keepAliveOf, routes } from "../http/routes.ts";
import type { RoomEntry } from "../room/directory.ts";
import { mayJoin } from "../room/phase.ts";
import { takeMovedPlace } from "./move.ts";

/** `POST /api/queue/{event}/places`: a place for whoever asks; the same one however often. */
export const placesRoutes = routes({
  "/api/queue/:event/places": { POST: join },
});

async function join(c: GateContext): Promise<Response> {
  const now = Date.now();
  const room = await currentRoom(c, now);
  const body = await readBody(c.req.raw, joinRequestSchema, { optional: true });
  const { place, token, cookie, known, status, limit } = await takePlace(c, { room, body, now });
  // The document is text already; taking it apart and putting it together again would be for nothing.
  const text = `{"place":${JSON.stringify(place)},"token":${JSON.stringify(token)},"status":${status.text}}`;
  return new Response(text, {
    status: known ? 200 : 201,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "set-cookie": cookie,
      ...limit,
    },
  });
}

type Taken = {
  place: PlaceView;
  token: string;
  cookie: string;
  known: boolean;
  status: StatusText;
  /** RateLimit fields. */
  limit: Record<string, string>;
};

/** For the page and for the form without JavaScript alike. */
export async function takePlace(
  c: GateContext,
  more: { room: RoomEntry; body: JoinRequest; now: number },
): Promise<Taken> {
  const { room, body, now } = more;
  const config = c.get("config");
  const { move } = body;
  if (move !== undefined) {
    const moved = await takeMovedPlace(c, { room, body: { ...body, move }, now });
    const { place, joined, account, jkt, at } = moved;
    const status = await readStatus(c.env, config, { room, now, keepAlive: keepAliveOf(c) });
    return sign(c, { room, now, status, fan: { place, account, jkt }, joined, at });
  }
  const solution = await readSolution(config, { room, body, now });
  const fan = await identifyFan(config, c.req.raw, {
    room,
    body,
    now,
    seed: solution.ok ? solution.value.seed : undefined,
    replace: c.req.query("replace") === "1",
  });
  const { receipt } = fan;
  const status = await readStatus(c.env, config, { room, now, keepAlive: keepAliveOf(c) });
  // "Sold out" at once beats a line that leads nowhere; whoever has a place keeps it.
  const refusal = receipt ? null : mayJoin(status.phase);
  if (refusal === "sold_out") throw new Refusal(refusal);
  const limit = await requireHuman(config, c.req.raw, {
    room,
    body,
    now,
    fan,
    solution,
    onVerifierAway: (until) =>
      keepAliveOf(c)(
        roomObject(c.env, config, room.event)
          .verifierAway(until)
          .catch(() => undefined),
      ),
  });
  const outcome = await doorObject(c.env, c.get("config"), { room, place: fan.place }).join(
    { event: room.event, epoch: room.epoch, door: doorOfPlace(fan.place) },
    {
      place: fan.place,
      at: receipt?.at ?? now,
      ...(receipt
        ? {
            receipt: {
              gen: receipt.gen,
              ...(receipt.num === undefined ? {} : { number: receipt.num }),
              ...(receipt.idx === undefined ? {} : { index: receipt.idx }),
            },
          }
        : {}),
      ...(room.entry === "pass" && fan.account !== undefined
        ? { device: fan.jkt ?? `cookie:${fan.place}` }
        : {}),
    },
  );
  return sign(c, { room, now, status, fan, joined: outcome, at: receipt?.at, limit });
}

/** The Door's answer as a receipt and a cookie. */
async function sign(
  c: GateContext,
  more: {
    room: RoomEntry;
    now: number;
    status: StatusText;
    fan: { place: PlaceId; account: string | undefined; jkt: string | undefined };
    joined: JoinOutcome;
    at: number | undefined;
    limit?: Taken["limit"];
  },
): Promise<Taken> {
  const { room, now, status, fan } = more;
  const config = c.get("config");
  const placed = placedOf(more.joined, clearPlaceCookie(config, room.event));
  const joinedAt = more.at ?? placed.joinedAt;
  const { token, maxAgeMs } = await signPlaceToken(config, room, {
    place: fan.place,
    gen: placed.gen,
    at: joinedAt,
    now,
    number: placed.number,
    index: placed.index,
    account: fan.account,
    jkt: fan.jkt,
  });
  const place: PlaceView = {
    id: fan.place,
    event: room.event,
    ...(placed.index === undefined ? {} : { index: placed.index }),
    ...(placed.number === undefined ? {} : { number: placed.number }),
    joinedAt: new Date(joinedAt).toISOString(),
  };
  const cookie = setPlaceCookie(config, room.event, { token, maxAgeMs });
  return { place, token, cookie, known: placed.known, status, limit: more.limit ?? {} };
}

function placedOf(
  outcome: JoinOutcome,
  clearCookie: string,
): Extract<JoinOutcome, { kind: "placed" }> {
  switch (outcome.kind) {
    case "placed":
      return outcome;
    case "gone":
      throw new Refusal("place_gone", { headers: { "set-cookie": clearCookie } });
    case "moved":
      throw new Refusal("moved");
    case "closed":
      throw new Refusal("room_closed");
    case "busy":
      throw new Refusal("overloaded", {
        headers: { "retry-after": String(Math.ceil(outcome.retryAfterMs / 1_000)) },
      });
  }
}
