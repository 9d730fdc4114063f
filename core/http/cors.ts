import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "./router.ts";

const PREFLIGHT_S = 600;

/**
 * The gate's origin and configured shops, nobody else. Cookies may come along; which of these origins
 * they count for is the session's own check.
 */
export const crossOrigin = (origins: readonly string[]): MiddlewareHandler<AppEnv> =>
  cors({
    origin: (origin) => (origins.includes(origin) ? origin : null),
    credentials: true,
    allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: [
      "Authorization",
      "DPoP",
      "Idempotency-Key",
      "Content-Type",
      "If-None-Match",
      "If-Match",
      "Last-Event-ID",
      "X-Request-Id",
    ],
    exposeHeaders: [
      "x-request-id",
      "DPoP-Nonce",
      "Retry-After",
      "RateLimit",
      "RateLimit-Policy",
      "ETag",
      "WWW-Authenticate",
      "Idempotency-Replayed",
    ],
    maxAge: PREFLIGHT_S,
  });
