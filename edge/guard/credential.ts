import { Refusal } from "../../shared/errors.ts";
import type { PlaceId } from "../../shared/ids.ts";
import { DPOP_IAT_WINDOW_MS, DPOP_NONCE_MS } from "../../shared/limits.ts";
import { type PlaceClaims, roomAudience } from "../../shared/token/claims.ts";
import { verifyProof } from "../../shared/token/dpop.ts";
import { verifyToken } from "../../shared/token/verify.ts";
import type { GateConfig } from "../env.ts";
import { refuseForeignOrigin } from "../http/cors.ts";
import { cookieName, readCookie } from "./cookies.ts";
import { isPlaceId } from "./place-id.ts";

/** Who stands at the counter: a place token, by header or by cookie, and the proof of its key. */
export type PlaceCredential = {
  place: PlaceId;
  token: string;
  claims: PlaceClaims;
  from: "header" | "cookie";
};

type RoomName = { event: string; epoch: number };

/** `undefined` when no `Authorization: Place …` was sent. */
function placeHeader(request: Request): string | undefined {
  return request.headers.get("authorization")?.match(/^Place ([^\s,]+)$/i)?.[1];
}

async function openToken(
  config: GateConfig,
  token: string,
  room: RoomName & { now: number },
): Promise<{ claims: PlaceClaims; place: PlaceId } | { fault: string }> {
  const result = await verifyToken(token, async (kid, use) => config.keys.verifying(kid, use), {
    use: "place",
    issuer: config.edgeOrigin,
    audience: roomAudience(room.event),
    now: room.now,
  });
  if (!result.ok) return { fault: result.error.reason };
  const claims = result.value;
  if (!isPlaceId(claims.sub)) return { fault: "not a place id" };
  return { claims, place: claims.sub };
}

/**
 * The credentials a request brought, header before cookie. A broken header is refused; a broken or
 * outlived cookie counts as none, since the fan cannot see or mend it. Two that disagree are refused.
 * A token of an earlier epoch is no credential: the room was reset.
 */
export async function findPlace(
  config: GateConfig,
  request: Request,
  room: RoomName & { now: number; earlier: "refuse" | "ignore"; cookie: boolean },
): Promise<PlaceCredential | undefined> {
  const header = placeHeader(request);
  const cookie = room.cookie
    ? readCookie(request.headers.get("cookie"), cookieName(config, room.event))
    : undefined;
  const shown = header === undefined ? undefined : await openToken(config, header, room);
  if (shown && "fault" in shown) throw invalidPlace(shown.fault);
  const kept = cookie === undefined ? undefined : await openToken(config, cookie, room);
  const current = kept && "claims" in kept && kept.claims.epoch === room.epoch ? kept : undefined;
  if (shown && header !== undefined && shown.claims.epoch === room.epoch) {
    if (current && current.place !== shown.place) throw new Refusal("place_conflict");
    return { place: shown.place, token: header, claims: shown.claims, from: "header" };
  }
  if (shown && room.earlier === "refuse")
    throw new Refusal("place_gone", { reason: "an earlier epoch" });
  if (!current || cookie === undefined) return undefined;
  refuseForeignOrigin(config, request);
  return { place: current.place, token: cookie, claims: current.claims, from: "cookie" };
}

export async function requirePlace(
  config: GateConfig,
  request: Request,
  room: RoomName & { now: number },
): Promise<PlaceCredential> {
  const found = await findPlace(config, request, { ...room, earlier: "refuse", cookie: true });
  if (found) return found;
  throw new Refusal("place_required", { headers: { "www-authenticate": "Place" } });
}

/** A proof's id and how long it must be remembered, so that it counts once. */
export type ProofMark = { id: string; untilMs: number };

/**
 * A bound place proves its key with each request. An unbound one has nothing to prove.
 * @throws {Refusal} 401, with a hint to use a nonce when only the clock was wrong.
 */
export async function requireProof(
  config: GateConfig,
  request: Request,
  credential: PlaceCredential,
  now: number,
): Promise<ProofMark | undefined> {
  const jkt = credential.claims.cnf?.jkt;
  if (jkt === undefined) return undefined;
  const result = await verifyProof(request.headers.get("dpop"), {
    method: request.method,
    url: config.edgeOrigin + new URL(request.url).pathname,
    token: credential.token,
    jkt,
    now,
    isFreshNonce: (nonce) => config.nonces.isFresh(nonce, now),
  });
  if (result.ok)
    return { id: result.value.jti, untilMs: now + Math.max(DPOP_NONCE_MS, 2 * DPOP_IAT_WINDOW_MS) };
  const error = result.error.nonceWanted ? "use_dpop_nonce" : "invalid_dpop_proof";
  throw new Refusal("place_invalid", {
    reason: `proof: ${result.error.reason}`,
    facts: { error },
    headers: { "www-authenticate": `DPoP error="${error}", algs="ES256"` },
  });
}

export const invalidPlace = (reason: string): Refusal =>
  new Refusal("place_invalid", {
    reason,
    headers: { "www-authenticate": 'Place error="invalid_token"' },
  });
