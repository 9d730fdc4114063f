import type { PlaceId } from "../../shared/ids.ts";
import { type PlaceClaims, roomAudience } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { GateConfig } from "../env.ts";
import type { RoomEntry } from "../room/directory.ts";

const DAY_MS = 86_400_000;
const OPEN_END_MS = 7 * DAY_MS;

/** The signed receipt of a place: whoever holds it (and its key) can prove the place. */
export async function signPlaceToken(
  config: GateConfig,
  room: RoomEntry,
  more: {
    place: PlaceId;
    gen: number;
    at: number;
    now: number;
    number?: number | undefined;
    index?: number | undefined;
    account?: string | undefined;
    jkt?: string | undefined;
  },
): Promise<{ token: string; maxAgeMs: number }> {
  const { now } = more;
  const end = room.closesAt === undefined ? now + OPEN_END_MS : room.closesAt + DAY_MS;
  const exp = Math.max(end, now + DAY_MS);
  const claims: PlaceClaims = {
    iss: config.edgeOrigin,
    aud: roomAudience(room.event),
    sub: more.place,
    iat: Math.floor(now / 1_000),
    exp: Math.floor(exp / 1_000),
    epoch: room.epoch,
    gen: more.gen,
    at: more.at,
    ...(more.number === undefined ? {} : { num: more.number }),
    ...(more.index === undefined || more.number !== undefined ? {} : { idx: more.index }),
    ...(more.account === undefined ? {} : { acct: more.account }),
    ...(more.jkt === undefined ? {} : { cnf: { jkt: more.jkt } }),
  };
  return { token: await signToken(config.keys, "place", claims), maxAgeMs: exp - now };
}
