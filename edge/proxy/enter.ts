import { Refusal } from "../../shared/errors.ts";
import { doorOfCode } from "../door/codes.ts";
import { signAdmission } from "../guard/admission-token.ts";
import { doorByName, doorName } from "../guard/rooms.ts";
import type { GateContext } from "../http/context.ts";
import type { RoomEntry } from "../room/directory.ts";
import { admissionCookieName } from "./cookie.ts";

/** The code that the fan brought from the queue becomes the cookie of this host. */
export async function enter(c: GateContext, room: RoomEntry, url: URL): Promise<Response> {
  const config = c.get("config");
  const code = url.searchParams.get("sira_code") ?? "";
  const door = doorOfCode(code);
  if (door === undefined || door >= room.doors) throw new Refusal("exchange_invalid");
  const { event, epoch } = room;
  const object = doorByName(c.env, config, doorName(event, epoch, door));
  const outcome = await object.exchange({ event, epoch, door }, code);
  if (outcome.kind === "invalid") throw new Refusal("exchange_invalid");
  const { token, expiresAt } = await signAdmission(config, room, outcome);
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000));
  const cookie = [
    `${admissionCookieName(config, event)}=${token}`,
    `Max-Age=${seconds}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(config.secure ? ["Secure"] : []),
  ].join("; ");
  return new Response(null, {
    status: 303,
    headers: {
      location: returnPath(url.searchParams.get("to")),
      "set-cookie": cookie,
      "cache-control": "no-store",
    },
  });
}

/** A path of this host and nothing else: an address of another site is not followed. */
function returnPath(text: string | null): string {
  if (text === null || !/^\/(?![/\\])/.test(text)) return "/";
  const base = "https://here.invalid";
  if (!URL.canParse(text, base)) return "/";
  const url = new URL(text, base);
  return url.origin === base ? url.pathname + url.search : "/";
}
