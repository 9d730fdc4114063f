import { localReplays, type Replays } from "../../shared/admission/replays.ts";
import { DPOP_NONCE_MS } from "../../shared/limits.ts";
import type { RedisSide } from "../redis/redis.ts";

const REDIS_MS = 100;

/**
 * Every process remembers the proofs it has seen; Redis, when it answers, makes that one memory of
 * all processes. Without Redis a proof could be used once at each process within its lifetime
 * (SECURITY says so).
 */
export function createReplays(locks: RedisSide): Replays {
  const here = localReplays();
  return {
    async isFirstUse(proof, nowMs) {
      if (!(await here.isFirstUse(proof, nowMs))) return false;
      const entry = `${proof.jkt}:${proof.jti}`;
      const answer = await locks.attempt(
        (client) => client.set(`${locks.prefix}proof:${entry}`, "1", "PX", DPOP_NONCE_MS, "NX"),
        REDIS_MS,
      );
      return !answer.ok || answer.value === "OK";
    },
  };
}
