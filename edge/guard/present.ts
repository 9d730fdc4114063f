import { Refusal } from "../../shared/errors.ts";
import type { DoorRoom, ProofMark, Refused, Standing } from "../door/messages.ts";
import { PLACE_BURST, PLACE_PER_SECOND } from "../door/place-limits.ts";
import type { GateConfig } from "../env.ts";
import type { GateContext } from "../http/context.ts";
import { ENTER_PATH } from "../proxy/path.ts";
import type { RoomEntry } from "../room/directory.ts";
import { clearPlaceCookie } from "./cookies.ts";
import { invalidPlace, type PlaceCredential, requirePlace, requireProof } from "./credential.ts";
import { doorOfPlace } from "./place-id.ts";

/** What `turn` and `place` share: who stands there, by which proof, and which Door has the place. */
export async function openPlace(
  c: GateContext,
  room: RoomEntry,
  now: number,
): Promise<{
  credential: PlaceCredential;
  standing: Standing & { proof?: ProofMark; account?: string };
  door: DoorRoom;
}> {
  const config = c.get("config");
  const credential = await requirePlace(config, c.req.raw, {
    event: room.event,
    epoch: room.epoch,
    now,
  });
  const proof = await requireProof(config, c.req.raw, credential, now);
  const { num, idx, gen, acct } = credential.claims;
  return {
    credential,
    standing: {
      place: credential.place,
      gen,
      ...(num === undefined ? {} : { number: num }),
      ...(idx === undefined ? {} : { index: idx }),
      ...(acct === undefined ? {} : { account: acct }),
      ...(proof ? { proof } : {}),
    },
    door: { event: room.event, epoch: room.epoch, door: doorOfPlace(credential.place) },
  };
}

const seconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1_000)));

/** A Door's refusal as the public reads it. */
export function refusalOf(config: GateConfig, room: RoomEntry, refused: Refused): Refusal {
  switch (refused.kind) {
    case "gone":
      return new Refusal("place_gone", {
        headers: { "set-cookie": clearPlaceCookie(config, room.event) },
      });
    case "moved":
      return new Refusal("moved");
    case "replayed":
      return invalidPlace("proof: jti seen before");
    case "too_many":
      return new Refusal("rate_limited", {
        headers: {
          "retry-after": seconds(refused.retryAfterMs),
          "ratelimit-policy": `"place";q=${PLACE_BURST};w=${PLACE_BURST / PLACE_PER_SECOND}`,
          ratelimit: `"place";r=0;t=${seconds(refused.retryAfterMs)}`,
        },
        facts: { retryAfterMs: refused.retryAfterMs },
      });
    case "away":
      return new Refusal("not_ready", {
        headers: { "retry-after": seconds(refused.retryAfterMs) },
        facts: { retryAfterMs: refused.retryAfterMs },
      });
  }
}

/** A shop on another origin is reached with a code, never with the token in an address. */
export function needsCode(config: GateConfig, room: RoomEntry): boolean {
  const address = addressOf(config, room);
  return URL.canParse(address) && new URL(address).origin !== config.edgeOrigin;
}

/** A proxied site is entered on its own host, where the code becomes its cookie. */
function addressOf(config: GateConfig, room: RoomEntry): string {
  if (!room.proxy) return room.continueTo;
  for (const [host, event] of config.proxyHosts)
    if (event === room.event) return `${config.secure ? "https" : "http"}://${host}${ENTER_PATH}`;
  return room.continueTo;
}

export function continueToOf(
  config: GateConfig,
  room: RoomEntry,
  code: string | undefined,
): string {
  if (code === undefined || !needsCode(config, room)) return room.continueTo;
  const address = new URL(addressOf(config, room));
  address.searchParams.set("sira_code", code);
  return address.href;
}
