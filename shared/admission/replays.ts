import { DPOP_NONCE_MS } from "../limits.ts";

/** What remembers the proofs that were shown: each counts once (RFC 9449 §11.1). */
export type Replays = {
  /** `true` the first time this key's `jti` is shown, `false` ever after (as long as it counts). */
  isFirstUse(proof: { jkt: string; jti: string }, nowMs: number): Promise<boolean>;
};

/** Two generations of half of this each; 64 bytes and a half a proof make some 60 MB at most. */
const REMEMBERED_MAX = 400_000;

/**
 * Two sets that take turns: the newer takes entries for one lifetime, the older is only asked. So
 * nothing is forgotten before its time and no timer or scan is needed. Should one fill up before its
 * time, the older is given up early, which a memory shared by all processes still covers.
 */
function createMemory(lifetimeMs: number, entriesMax: number) {
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

/** The memory of one process, for as long as any proof can be shown again. */
export function localReplays(): Replays {
  const isNew = createMemory(DPOP_NONCE_MS, REMEMBERED_MAX);
  return {
    isFirstUse: async ({ jkt, jti }, nowMs) => isNew(`${jkt}:${jti}`, nowMs),
  };
}
