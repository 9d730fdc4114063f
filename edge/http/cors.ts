import { Refusal } from "../../shared/errors.ts";
import type { GateConfig } from "../env.ts";

const ALLOW_HEADERS = "Authorization, Content-Type, DPoP, Idempotency-Key, If-Match, X-Request-Id";
const ALLOW_METHODS = "GET, POST, PUT, PATCH, DELETE";
const EXPOSE_HEADERS = "x-request-id, DPoP-Nonce, Retry-After, RateLimit, ETag";
const PREFLIGHT_AGE_SECONDS = "600";

/** Our own pages and the shops of the deployment; no other site may read an answer. */
export function isFriendlyOrigin(
  config: Pick<GateConfig, "edgeOrigin" | "shopOrigins">,
  origin: string,
): boolean {
  return origin === config.edgeOrigin || config.shopOrigins.includes(origin);
}

export function corsHeaders(config: GateConfig, origin: string | null): Record<string, string> {
  if (!origin || !isFriendlyOrigin(config, origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": EXPOSE_HEADERS,
  };
}

export function preflight(config: GateConfig, origin: string | null): Response {
  const headers = corsHeaders(config, origin);
  if (!("access-control-allow-origin" in headers))
    return new Response(null, { status: 204, headers: { vary: "origin" } });
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      vary: "origin",
      "access-control-allow-methods": ALLOW_METHODS,
      "access-control-allow-headers": ALLOW_HEADERS,
      "access-control-max-age": PREFLIGHT_AGE_SECONDS,
    },
  });
}

/**
 * A call that a cookie alone vouches for must come from our own pages. The browser says where it comes
 * from in `Origin` or `Sec-Fetch-Site`; a client that sends neither is no browser a stranger could use.
 */
export function refuseForeignOrigin(config: GateConfig, request: Request): void {
  const origin = request.headers.get("origin");
  if (origin !== null && !isFriendlyOrigin(config, origin)) throw new Refusal("foreign_origin");
  const site = request.headers.get("sec-fetch-site");
  if (origin === null && site !== null && site !== "same-origin" && site !== "none")
    throw new Refusal("foreign_origin");
}
