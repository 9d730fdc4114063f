import type { MiddlewareHandler } from "hono";
import type { Deps } from "../context.ts";
import type { AppEnv } from "../http/router.ts";

/** `DPoP-Nonce` on every answer (RFC 9449 §8.2), so a phone with a wrong clock has one in hand. */
export const nonceHeader = (deps: Pick<Deps, "admissions">): MiddlewareHandler<AppEnv> =>
  async function withNonce(c, next) {
    await next();
    c.header("DPoP-Nonce", await deps.admissions.currentNonce());
  };
