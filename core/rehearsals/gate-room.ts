import type { RoomSettings } from "../../shared/contract/rooms.ts";
import { Refusal } from "../../shared/errors.ts";
import { ORGANIZER_AUDIENCE, roomAudience } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { Deps } from "../context.ts";

/** What a rehearsal asks of the gate: with an organizer token of our own, for these events alone. */

const CALL_MS = 10_000;
const TOKEN_S = 3_600;
const PASS_S = 3_600;

type Tools = Pick<Deps, "config" | "keys" | "clock">;

/** The part of the room's figures that says whether anybody is there. */
type Presence = { phase: string; issued: number; pool: number; waiting: number; inside: number };

async function call<Body>(
  deps: Tools,
  request: { method: string; event: string; path?: string; body?: object; expected?: number[] },
): Promise<{ status: number; body: Body }> {
  const { config, clock, keys } = deps;
  const iat = Math.floor(clock.now() / 1_000);
  const token = await signToken(keys, "organizer", {
    iss: config.origin,
    aud: ORGANIZER_AUDIENCE,
    sub: "rehearsal",
    role: "owner",
    events: [request.event],
    iat,
    exp: iat + TOKEN_S,
  });
  const { path = "", event, method } = request;
  const response = await fetch(`${config.edgeOrigin}/api/rooms/${event}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    redirect: "error",
    signal: AbortSignal.timeout(CALL_MS),
  });
  const text = await response.text();
  if (!response.ok && !request.expected?.includes(response.status))
    throw new Refusal("unavailable", {
      reason: `the gate answered ${method} ${path} with ${response.status}`,
    });
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

/** `undefined`: there is no room. */
export async function readRoom(
  deps: Tools,
  event: string,
): Promise<{ settings: RoomSettings; presence: Presence } | undefined> {
  const expected = [404];
  const view = await call<RoomSettings>(deps, { method: "GET", event, expected });
  if (view.status === 404) return undefined;
  const figures = await call<Presence>(deps, { method: "GET", event, path: "/figures" });
  return { settings: view.body, presence: figures.body };
}

/** The copy of a room: its pace and its rules, but nobody without one of our passes gets a place. */
export async function putTwinRoom(
  deps: Tools,
  input: { event: string; twin: string; settings: RoomSettings; opensAt: number },
): Promise<void> {
  const { settings, event, twin } = input;
  const { ratePerMinute, activeMax, sessionMs, claimMs, early, pace, doors, branding } = settings;
  await call(deps, {
    method: "PUT",
    event: twin,
    body: {
      ratePerMinute,
      activeMax,
      sessionMs,
      claimMs,
      early,
      pace,
      doors,
      branding,
      opensAt: new Date(input.opensAt).toISOString(),
      entry: "pass",
      binding: "dpop",
      challenge: "none",
      rehearsalOf: event,
    },
  });
}

export async function removeTwinRoom(deps: Tools, twin: string): Promise<void> {
  await call(deps, { method: "DELETE", event: twin, expected: [404] });
}

export function passFor(deps: Tools, twin: string, fan: number): Promise<string> {
  const iat = Math.floor(deps.clock.now() / 1_000);
  return signToken(deps.keys, "pass", {
    iss: deps.config.origin,
    aud: roomAudience(twin),
    sub: `rehearsal-${fan}`,
    iat,
    exp: iat + PASS_S,
  });
}
