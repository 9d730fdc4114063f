import { Refusal } from "../../shared/errors.ts";
import { coreAudience } from "../../shared/token/claims.ts";
import { verifyToken } from "../../shared/token/verify.ts";
import type { GateConfig } from "../env.ts";
import { readCookie } from "../guard/cookies.ts";
import { findRoom } from "../guard/rooms.ts";
import { clientAddress } from "../http/client-address.ts";
import type { GateContext } from "../http/context.ts";
import { problemResponse } from "../http/problem.ts";
import { keepAliveOf } from "../http/routes.ts";
import type { RoomEntry } from "../room/directory.ts";
import { admissionCookieName } from "./cookie.ts";
import { enter } from "./enter.ts";
import { replyHeaders, requestHeaders } from "./headers.ts";
import { isProtected } from "./match.ts";
import { ENTER_PATH } from "./path.ts";

/**
 * A room in front of any site: requests on the site's own public host. With a good admission cookie
 * they are passed through, at the cost of one signature check; without one a page leads to the queue
 * and a script hears 401. The gate's own host never comes here.
 */
export async function passOn(c: GateContext): Promise<Response | undefined> {
  const config = c.get("config");
  const url = new URL(c.req.url);
  const event = config.proxyHosts.get(url.host.toLowerCase());
  if (event === undefined) return undefined;
  const now = Date.now();
  const room = await findRoom(c.env, event, { now, keepAlive: keepAliveOf(c) });
  const { proxy } = room;
  if (!proxy || !config.proxyOrigins.includes(proxy.origin)) throw new Refusal("unknown_event");
  if (url.pathname === ENTER_PATH) return await enter(c, room, url);
  const place = await admittedPlace(config, c.req.raw, { room, now });
  if (place === undefined && isProtected(proxy, url.pathname)) return turnAway(c, room, url);
  return await forward(c, { origin: proxy.origin, url, place });
}

async function admittedPlace(
  config: GateConfig,
  request: Request,
  more: { room: RoomEntry; now: number },
): Promise<string | undefined> {
  const { room, now } = more;
  const token = readCookie(request.headers.get("cookie"), admissionCookieName(config, room.event));
  if (token === undefined) return undefined;
  const result = await verifyToken(token, async (kid, use) => config.keys.verifying(kid, use), {
    use: "admission",
    issuer: config.edgeOrigin,
    audience: coreAudience(room.event),
    now,
  });
  return result.ok && result.value.epoch === room.epoch ? result.value.sub : undefined;
}

/** A page goes to the queue; anything that a script fetched is told in its own language. */
function turnAway(c: GateContext, room: RoomEntry, url: URL): Response {
  const { headers, method } = c.req.raw;
  const mode = headers.get("sec-fetch-mode");
  const isPage =
    (method === "GET" || method === "HEAD") &&
    (mode === null ? (headers.get("accept") ?? "").includes("text/html") : mode === "navigate");
  if (!isPage) return problemResponse(new Refusal("admission_required"), c.get("requestId"));
  const queue = new URL(`/e/${room.event}`, c.get("config").edgeOrigin);
  queue.searchParams.set("from", url.pathname + url.search);
  return new Response(null, {
    status: 302,
    headers: { location: queue.href, "cache-control": "no-store" },
  });
}

async function forward(
  c: GateContext,
  more: { origin: string; url: URL; place: string | undefined },
): Promise<Response> {
  const { origin, url, place } = more;
  const requestId = c.get("requestId");
  const { raw } = c.req;
  // Through the network of hosts of others, where there is one: never into our own house.
  const open = c.env.OUTBOUND ?? globalThis;
  const answer = await open.fetch(new URL(origin + url.pathname + url.search), {
    method: raw.method,
    headers: requestHeaders(raw.headers, {
      place,
      requestId,
      url,
      address: clientAddress(raw, c.get("config").trustedPeers),
    }),
    body: raw.method === "GET" || raw.method === "HEAD" ? null : raw.body,
    redirect: "manual",
  });
  // A WebSocket is handed over as it is: its answer cannot be built anew.
  if (answer.webSocket) return answer;
  const isEmpty = answer.status === 204 || answer.status === 304 || raw.method === "HEAD";
  return new Response(isEmpty ? null : answer.body, {
    status: answer.status,
    headers: replyHeaders(answer.headers, { origin, url, requestId }),
  });
}
