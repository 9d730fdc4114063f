import { base64url } from "jose";
import { wakeRequestSchema } from "../../shared/contract/queue.ts";
import { Refusal } from "../../shared/errors.ts";
import { currentRoom } from "../guard/current.ts";
import { openPlace, refusalOf } from "../guard/present.ts";
import { doorObject } from "../guard/rooms.ts";
import { readBody } from "../http/body.ts";
import type { GateContext } from "../http/context.ts";
import { routes } from "../http/routes.ts";
import { AUTH_BYTES, POINT_BYTES } from "../wake/encrypt.ts";
import { isPushEndpoint } from "../wake/endpoint.ts";

/** `PUT /api/queue/{event}/wake`: by what this place is to be woken; an empty body ends it. */
export const wakeRoutes = routes({
  "/api/queue/:event/wake": { PUT: wake },
});

const bad = (field: string, message: string): Refusal =>
  new Refusal("invalid_request", {
    detail: `${field}: ${message}`,
    facts: { errors: [{ field, message }] },
  });

const isOf = (text: string, bytes: number): boolean => {
  try {
    return base64url.decode(text).length === bytes;
  } catch {
    return false;
  }
};

async function wake(c: GateContext): Promise<Response> {
  const now = Date.now();
  const config = c.get("config");
  const room = await currentRoom(c, now);
  const { credential, standing, door } = await openPlace(c, room, now);
  const { push, email, locale } = await readBody(c.req.raw, wakeRequestSchema, { optional: true });
  if (push) {
    if (!config.pushKey) throw bad("push", "this gate offers no Web Push");
    if (!isPushEndpoint(push.endpoint, { hosts: config.pushHosts, secure: config.secure }))
      throw bad("push.endpoint", "not the address of a browser's push service");
    if (!isOf(push.keys.p256dh, POINT_BYTES) || !isOf(push.keys.auth, AUTH_BYTES))
      throw bad("push.keys", "not the keys of a subscription");
  }
  const outcome = await doorObject(c.env, config, { room, place: credential.place }).wake(door, {
    ...standing,
    hidden: false,
    wantsCode: false,
    ...(push
      ? { push: { endpoint: push.endpoint, p256dh: push.keys.p256dh, auth: push.keys.auth } }
      : {}),
    ...(email === undefined ? {} : { mail: { email, locale: locale ?? "en" } }),
  });
  if (outcome.kind === "full")
    throw new Refusal("overloaded", { headers: { "retry-after": "60" } });
  if (outcome.kind !== "kept") throw refusalOf(config, room, outcome);
  return new Response(null, { status: 204 });
}
