import { Hono } from "hono";
import { Refusal } from "../shared/errors.ts";
import { newId, REQUEST_ID_PATTERN } from "../shared/ids.ts";
import { readConfig } from "./env.ts";
import type { GateContext, GateEnv } from "./http/context.ts";
import { corsHeaders, preflight } from "./http/cors.ts";
import { problemOf } from "./http/problem.ts";
import { answerWithin } from "./http/within.ts";
import { passOn } from "./proxy/pass.ts";
import { configRoutes } from "./routes/config.ts";
import { coreRoutes } from "./routes/core.ts";
import { drawRoutes } from "./routes/draw.ts";
import { exchangeRoutes } from "./routes/exchange.ts";
import { healthRoutes } from "./routes/health.ts";
import { lineRoutes } from "./routes/line.ts";
import { logoRoutes } from "./routes/logo.ts";
import { moveRoutes } from "./routes/move.ts";
import { placeRoutes } from "./routes/place.ts";
import { placesRoutes } from "./routes/places.ts";
import { roomRoutes } from "./routes/rooms.ts";
import { slotRoutes } from "./routes/slots.ts";
import { statusRoutes } from "./routes/status.ts";
import { turnRoutes } from "./routes/turn.ts";
import { wakeRoutes } from "./routes/wake.ts";

/**
 * Every request of the gate. What each answer must carry (request id, nonce, CORS, the problem form)
 * is put on here, so that no route can forget it.
 */
export const app = new Hono<GateEnv>({ strict: true });

/** Longer than any part that answers at all takes. */
const ANSWER_MS_MAX = 15_000;

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
} as const;

app.use(async (c, next) => {
  const given = c.req.header("x-request-id");
  c.set("requestId", given && REQUEST_ID_PATTERN.test(given) ? given : newId("req"));
  c.set("config", await readConfig(c.env));
  const proxied = await passOn(c);
  if (proxied) {
    c.res = proxied;
    return;
  }
  if (c.req.method === "OPTIONS")
    c.res = preflight(c.get("config"), c.req.header("origin") ?? null);
  else await answerOf(c, next);
  await finish(c);
});

app.route("/", statusRoutes);
app.route("/", placesRoutes);
app.route("/", turnRoutes);
app.route("/", placeRoutes);
app.route("/", moveRoutes);
app.route("/", wakeRoutes);
app.route("/", logoRoutes);
app.route("/", lineRoutes);
app.route("/", drawRoutes);
app.route("/", exchangeRoutes);
app.route("/", roomRoutes);
app.route("/", slotRoutes);
app.route("/", configRoutes);
app.route("/", coreRoutes);
app.route("/", healthRoutes);

app.notFound(async (c) => {
  const { pathname } = new URL(c.req.url);
  const api = /^\/(?:api|v1|\.well-known)(?:\/|$)/i.test(pathname);
  if (!api && (c.req.method === "GET" || c.req.method === "HEAD")) {
    const asset = await c.env.ASSETS.fetch(c.req.raw);
    if (asset.status !== 404 || asset.headers.get("content-type")?.includes("html")) return asset;
  }
  return problemOf(new Refusal("not_found"), c.get("requestId"));
});

app.onError((error, c) => problemOf(error, c.get("requestId") ?? newId("req")));

/** A Room or Door that hangs is told as away: nobody waits for an answer that may never come. */
async function answerOf(c: GateContext, next: () => Promise<void>): Promise<void> {
  try {
    await answerWithin(next(), ANSWER_MS_MAX);
  } catch (error) {
    c.res = problemOf(error, c.get("requestId"));
  }
}

async function finish(c: GateContext): Promise<void> {
  const config = c.get("config");
  const headers = new Headers(c.res.headers);
  headers.set("x-request-id", c.get("requestId"));
  headers.append("vary", "origin");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
  for (const [name, value] of Object.entries(corsHeaders(config, c.req.header("origin") ?? null)))
    headers.set(name, value);
  headers.set("dpop-nonce", await config.nonces.issue(Date.now()));
  c.res = new Response(c.res.body, { status: c.res.status, headers });
}
