import { calculateJwkThumbprint } from "jose";
import type { PlaceId } from "../../shared/ids.ts";
import { assert } from "../../shared/result.ts";
import { macOf } from "./mac.ts";

/**
 * A place id is computed, never drawn: the same fan gets the same place from any number of parallel
 * requests. It names its Door (`plc_<door, 2 hex>_<22 characters>`), so that whoever holds the id
 * finds the object that has the place's records, whatever the number of Doors becomes later.
 */
export type Fan =
  | { by: "account"; account: string }
  | { by: "key"; jkt: string }
  | { by: "cookie"; nonce: string };

const PLACE_PATTERN = /^plc_[0-9a-f]{2}_[A-Za-z0-9_-]{22}$/;
const DOORS_MAX = 64;

const fanText = (fan: Fan): string => {
  switch (fan.by) {
    case "account":
      return `account:${fan.account}`;
    case "key":
      return `key:${fan.jkt}`;
    case "cookie":
      return `cookie:${fan.nonce}`;
  }
};

export async function placeIdFor(
  mac: CryptoKey,
  room: { event: string; epoch: number; doors: number },
  fan: Fan,
): Promise<PlaceId> {
  assert(room.doors >= 1 && room.doors <= DOORS_MAX, "a room has 1 to 64 doors");
  const digest = await macOf(mac, "place", JSON.stringify([room.event, room.epoch, fanText(fan)]));
  const spread = await macOf(mac, "door", digest);
  let hash = 0;
  for (const char of spread) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return `${doorPrefix(hash % room.doors)}${digest}` as PlaceId;
}

export const isPlaceId = (text: string): text is PlaceId => PLACE_PATTERN.test(text);

/** How the ids of a Door's places begin. */
export const doorPrefix = (door: number): string => `plc_${door.toString(16).padStart(2, "0")}_`;

export const doorOfPlace = (place: PlaceId): number => Number.parseInt(place.slice(4, 6), 16);

export const thumbprint = (jwk: {
  kty: string;
  crv: string;
  x: string;
  y: string;
}): Promise<string> =>
  calculateJwkThumbprint({ kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y }, "sha256");
