import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from "rate-limiter-flexible";
import { addressGroup } from "../../shared/address.ts";
import { Refusal } from "../../shared/errors.ts";
import type { RedisSide } from "../redis/redis.ts";

/**
 * Wrong keys an address (an IPv6 /64) may try, and all addresses together. Who has many addresses could so
 * shut the door for everybody, in the middle of a sale; an address that somebody has signed in from
 * keeps its own tries then.
 */
export const WRONG_KEYS_MAX = 10;
const WRONG_KEYS_ALL_MAX = 500;
const WINDOW_S = 600;
const KNOWN_S = 30 * 24 * 3_600;

export type SignInLimit = {
  /** @throws 429 when the address has used up its tries. */
  require(address: string): Promise<void>;
  count(address: string): Promise<void>;
  /** After a sign-in that was right. */
  remember(address: string): Promise<void>;
};

const ALL = "all";

/** Counted in Redis for all processes; in this process alone while Redis is away. */
export function createSignInLimit(locks: RedisSide): SignInLimit {
  const limiter = (name: string, points: number) =>
    new RateLimiterRedis({
      storeClient: locks.client,
      keyPrefix: `${locks.prefix}limit:${name}`,
      points,
      duration: WINDOW_S,
      insuranceLimiter: new RateLimiterMemory({ points, duration: WINDOW_S }),
    });
  const own = limiter("sign-in", WRONG_KEYS_MAX);
  const all = limiter("sign-in-all", WRONG_KEYS_ALL_MAX);

  const knownKey = (address: string) =>
    `${locks.prefix}limit:sign-in-known:${addressGroup(address)}`;

  const isSpent = (state: RateLimiterRes | null): state is RateLimiterRes =>
    state !== null && state.remainingPoints <= 0;
  const refuse = (state: RateLimiterRes): never => {
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    throw new Refusal("rate_limited", { headers: { "retry-after": String(seconds) } });
  };

  return {
    async require(address) {
      const [mine, everybody] = await Promise.all([own.get(addressGroup(address)), all.get(ALL)]);
      if (isSpent(mine)) refuse(mine);
      if (!isSpent(everybody)) return;
      const known = await locks.attempt((client) => client.exists(knownKey(address)));
      if (!known.ok || known.value === 0) refuse(everybody);
    },
    async count(address) {
      // `consume` rejects beyond the limit, which `require` says on the next call.
      await Promise.allSettled([own.consume(addressGroup(address)), all.consume(ALL)]);
    },
    async remember(address) {
      await locks.attempt((client) => client.set(knownKey(address), "1", "EX", KNOWN_S));
    },
  };
}
