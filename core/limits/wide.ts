import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { addressGroup } from "../../shared/address.ts";
import type { Deps } from "../context.ts";
import { clientAddress } from "../http/request.ts";
import type { AppEnv } from "../http/router.ts";
import { isPublicAddress } from "../outbound/is-public.ts";
import { limited, rateLimitHeaders, type Taken } from "./limits.ts";
import type { Policy } from "./policies.ts";

/**
 * The wide limits that every call passes: by credential, and last of all by address. A process counts
 * in its own memory; only who has used a tenth of a limit here is also counted in Redis, so that
 * ordinary visitors never cost a round trip.
 *
 * Addresses that are not public are not counted: behind one stands a proxy of ours, or a test.
 */

const QUIET_SHARE = 0.1;
/** Asked by machines of ours or by the payment provider, who sign what they say. */
const UNLIMITED =
  /^\/(healthz|readyz|metrics|\.well-known\/jwks\.json|v1\/webhooks\/|v1\/admissions\/)/;

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 22);

export function wideLimits(deps: Pick<Deps, "config" | "limits">): MiddlewareHandler<AppEnv> {
  const quiet = new Map<Policy, RateLimiterMemory>();
  const quietOf = (policy: Policy): RateLimiterMemory => {
    const known = quiet.get(policy);
    if (known) return known;
    const { points, windowS } = deps.limits.policies[policy];
    const made = new RateLimiterMemory({ points: points * QUIET_SHARE, duration: windowS });
    quiet.set(policy, made);
    return made;
  };

  const take = async (policy: Policy, key: string): Promise<Taken> => {
    const { points, windowS } = deps.limits.policies[policy];
    try {
      const used = await quietOf(policy).consume(key);
      // What this process has seen; the others may have seen as much, and the limit is far.
      const resetS = Math.max(1, Math.ceil(used.msBeforeNext / 1_000));
      const remaining = points - used.consumedPoints;
      return { policy, allowed: true, points, windowS, remaining, resetS };
    } catch {
      return await deps.limits.take(policy, key);
    }
  };

  return async function limitWidely(c, next) {
    if (UNLIMITED.test(c.req.path)) return next();
    const credential = c.req.header("authorization") ?? c.req.header("cookie");
    const address = clientAddress(c, deps.config.trustedProxies);
    const takings = await Promise.all([
      credential === undefined ? undefined : take("credential", hashOf(credential)),
      isPublicAddress(address) ? take("address", addressGroup(address)) : undefined,
    ]);
    let tightest: Taken | undefined;
    for (const taken of takings) {
      if (taken === undefined) continue;
      if (!taken.allowed) throw limited(taken);
      if (tightest === undefined || taken.remaining < tightest.remaining) tightest = taken;
    }
    await next();
    // A narrower limit that has spoken is the one to know.
    if (tightest !== undefined && !c.res.headers.has("ratelimit"))
      for (const [name, value] of Object.entries(rateLimitHeaders(tightest))) c.header(name, value);
  };
}
