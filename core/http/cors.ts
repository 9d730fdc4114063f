import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "./router.ts";

const PREFLIGHT_S = 600;

/** The gate's origin and configured shops, nobody else; no cookies, since none of ours live here. */
export const crossOrigin = (origins: readonly string[]): MiddlewareHandler<AppEnv> =>
  cors({
    origin: (origin) => (origins.includes(origin) ? origin : null),
    allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: [
      "Authorization",
      "DPoP",
      "Idempotency-Key",
      "Content-Type",
      "If-None-Match",
      "Last-Event-ID",
      "X-Request-Id",
    ],
    exposeHeaders: [
      "x-request-id",
      "DPoP-Nonce",
      "Retry-After",
      "RateLimit",
      "ETag",
      "WWW-Authenticate",
      "Idempotency-Replayed",
    ],
    maxAge: PREFLIGHT_S,
  });
