import { DPOP_NONCE_MS } from "../../shared/limits.ts";
import type { RedisSide } from "../redis/redis.ts";

/**
 * A proof counts once. Every process remembers what it has seen; Redis, when it answers, makes that
 * one memory of all processes. Without Redis a proof could be used once at each process within its
 * lifetime (SECURITY says so).
 */
export type Replays = {
  /** `true` the first time this key's `jti` is shown, `false` ever after (as long as it counts). */
  isFirstUse(proof: { jkt: string; jti: string }, nowMs: number): Promise<boolean>;
};

/** Two generations of half of this each; 64 bytes and a half a proof make some 60 MB at most. */
const REMEMBERED_MAX = 400_000;
const REDIS_MS = 100;

/**
 * Two sets that take turns: the newer takes entries for one lifetime, the older is only asked. So
 * nothing is forgotten before its time and no timer or scan is needed. Should one fill up before its
 * time, the older is given up early, which Redis still covers.
 */
export function createMemory(lifetimeMs: number, entriesMax: number) {
  let newer = new Set<string>();
  let older = new Set<string>();
  let turnedAt = 0;
  return function isNew(entry: string, nowMs: number): boolean {
    if (nowMs - turnedAt >= lifetimeMs || newer.size >= entriesMax / 2) {
      older = nowMs - turnedAt >= 2 * lifetimeMs ? new Set() : newer;
      newer = new Set();
      turnedAt = nowMs;
    }
    if (newer.has(entry) || older.has(entry)) return false;
    newer.add(entry);
    return true;
  };
}

export function createReplays(locks: RedisSide): Replays {
  const isNewHere = createMemory(DPOP_NONCE_MS, REMEMBERED_MAX);
  return {
    async isFirstUse({ jkt, jti }, nowMs) {
      const entry = `${jkt}:${jti}`;
      if (!isNewHere(entry, nowMs)) return false;
      const answer = await locks.attempt(
        (client) => client.set(`${locks.prefix}proof:${entry}`, "1", "PX", DPOP_NONCE_MS, "NX"),
        REDIS_MS,
      );
      return !answer.ok || answer.value === "OK";
    },
  };
}
