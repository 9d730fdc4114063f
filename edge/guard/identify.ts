import { base64url } from "jose";
import type { JoinRequest } from "../../shared/contract/queue.ts";
import { Refusal } from "../../shared/errors.ts";
import type { PlaceId } from "../../shared/ids.ts";
import type { PlaceClaims } from "../../shared/token/claims.ts";
import type { GateConfig } from "../env.ts";
import type { RoomEntry } from "../room/directory.ts";
import { findPlace, type PlaceCredential } from "./credential.ts";
import { requirePass } from "./issuers.ts";
import { placeIdFor, thumbprint } from "./place-id.ts";

/**
 * Whose place a join asks for. Header beats pass beats cookie; what a request shows must agree, so a
 * link or a pass never replaces a place that this browser already has without asking.
 */
export type Identified = {
  place: PlaceId;
  /** The receipt that came along; the join is then a return. */
  receipt: PlaceClaims | undefined;
  account: string | undefined;
  jkt: string | undefined;
  /** What a place without key and pass was made from. */
  seed?: string;
};

type Shown = {
  room: RoomEntry;
  body: JoinRequest;
  now: number;
  /** The fan was asked: the place that this browser's cookie names is given up for the new one. */
  replace: boolean;
  /** From a solved challenge: the place it was solved for is made again from it. */
  seed?: string | undefined;
};

export async function identifyFan(
  config: GateConfig,
  request: Request,
  shown: Shown,
): Promise<Identified> {
  const { room, body, now } = shown;
  const held = await findPlace(config, request, {
    event: room.event,
    epoch: room.epoch,
    now,
    earlier: "ignore",
    cookie: !shown.replace,
  });
  const jkt = body.key ? await thumbprint(await requirePoint(body.key)) : undefined;
  if (body.pass !== undefined && room.entry === "pass")
    return await byPass(config, { ...shown, held, jkt, pass: body.pass });
  if (held) return byReceipt(room, held, jkt);
  if (room.entry === "pass") throw new Refusal("pass_required");
  if (jkt === undefined && room.binding === "dpop") throw new Refusal("key_required");
  const nonce = shown.seed ?? base64url.encode(crypto.getRandomValues(new Uint8Array(16)));
  const fan = jkt === undefined ? { by: "cookie" as const, nonce } : { by: "key" as const, jkt };
  return {
    place: await placeIdFor(config.mac, room, fan),
    receipt: undefined,
    account: undefined,
    jkt: room.binding === "dpop" ? jkt : undefined,
    ...(jkt === undefined ? { seed: nonce } : {}),
  };
}

/** Bytes that are no point of the curve are nobody's key: no proof could ever be made with them. */
async function requirePoint(key: NonNullable<JoinRequest["key"]>): Promise<typeof key> {
  const { kty, crv, x, y } = key;
  try {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    await crypto.subtle.importKey("jwk", { kty, crv, x, y }, algorithm, false, ["verify"]);
    return key;
  } catch {
    const message = "x and y are not a point of the curve P-256";
    throw new Refusal("invalid_request", {
      detail: `key: ${message}`,
      facts: { errors: [{ field: "key", message }] },
    });
  }
}

/** The receipt decides; a key that it is not bound to belongs to another place. */
function byReceipt(room: RoomEntry, held: PlaceCredential, jkt: string | undefined): Identified {
  const bound = held.claims.cnf?.jkt;
  if (jkt !== undefined && bound !== undefined && jkt !== bound)
    throw new Refusal("place_conflict", { facts: { place: held.place } });
  return {
    place: held.place,
    receipt: held.claims,
    account: held.claims.acct,
    jkt: bound ?? (room.binding === "dpop" ? jkt : undefined),
  };
}

async function byPass(
  config: GateConfig,
  shown: Shown & { held: PlaceCredential | undefined; jkt: string | undefined; pass: string },
): Promise<Identified> {
  const { room, held, jkt, pass, now } = shown;
  const account = await requirePass(config, pass, { event: room.event, now });
  const place = await placeIdFor(config.mac, room, { by: "account", account });
  if (held && held.place !== place)
    throw new Refusal("place_conflict", { facts: { place: held.place } });
  const bound = jkt ?? held?.claims.cnf?.jkt;
  if (bound === undefined && room.binding === "dpop") throw new Refusal("key_required");
  return {
    place,
    receipt: held?.claims,
    account,
    jkt: room.binding === "dpop" ? bound : undefined,
  };
}
