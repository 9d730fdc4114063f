import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { Refusal } from "../../shared/errors.ts";
import type { RedisSide } from "../redis/redis.ts";
import { POLICIES, type Policies, type Policy } from "./policies.ts";

/**
 * Counted in Redis for all processes together; while Redis is away each process counts by itself.
 */

export type Taken = {
  policy: Policy;
  allowed: boolean;
  points: number;
  windowS: number;
  remaining: number;
  resetS: number;
};

export type Limits = {
  readonly policies: Policies;
  take(policy: Policy, key: string): Promise<Taken>;
  /** @throws 429 with `Retry-After` and the RateLimit fields. */
  require(policy: Policy, key: string): Promise<Taken>;
};

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
export function rateLimitHeaders(taken: Taken): Record<string, string> {
  return {
    "ratelimit-policy": `"${taken.policy}";q=${taken.points};w=${taken.windowS}`,
    ratelimit: `"${taken.policy}";r=${taken.remaining};t=${taken.resetS}`,
  };
}

export const limited = (taken: Taken): Refusal =>
  new Refusal("rate_limited", {
    reason: `policy ${taken.policy}`,
    headers: { "retry-after": String(taken.resetS), ...rateLimitHeaders(taken) },
  });

type Limiter = { here: RateLimiterMemory; everywhere: RateLimiterRedis };

export function createLimits(locks: RedisSide, policies: Policies = POLICIES): Limits {
  const limiters = new Map<Policy, Limiter>();
  const limiterOf = (policy: Policy): Limiter => {
    const known = limiters.get(policy);
    if (known) return known;
    const { points, windowS } = policies[policy];
    const here = new RateLimiterMemory({ points, duration: windowS });
    const everywhere = new RateLimiterRedis({
      storeClient: locks.client,
      keyPrefix: `${locks.prefix}limit:${policy}`,
      points,
      duration: windowS,
      insuranceLimiter: here,
    });
    limiters.set(policy, { here, everywhere });
    return { here, everywhere };
  };

  const take = async (policy: Policy, key: string): Promise<Taken> => {
    const { here, everywhere } = limiterOf(policy);
    const told = (result: RateLimiterRes, allowed: boolean): Taken => ({
      policy,
      allowed,
      ...policies[policy],
      remaining: Math.max(0, result.remainingPoints),
      resetS: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
    });
    try {
      // A Redis that does not answer costs its time-out once, not each request.
      return told(await (locks.available() ? everywhere : here).consume(key), true);
    } catch (result) {
      if (result instanceof RateLimiterRes) return told(result, false);
      throw result;
    }
  };
  return {
    policies,
    take,
    async require(policy, key) {
      const taken = await take(policy, key);
      if (!taken.allowed) throw limited(taken);
      return taken;
    },
  };
}
