import { REDIS_COMMAND_MS } from "./connect.ts";
import type { RedisSide } from "./redis.ts";

/** What the locks' Redis says of itself. `policy` is undefined while it cannot be asked. */
export type LocksFacts = {
  policy: string | undefined;
  persistence: { aof: boolean; snapshots: boolean } | undefined;
};

const START_WAIT_MS = 1_500;
const POLL_MS = 25;

export function infoField(info: string, name: string): string | undefined {
  const line = info.split(/\r?\n/).find((text) => text.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

/**
 * An evicted lock or proof is a lie, so the instance that keeps them must be `noeviction`. The
 * eviction policy belongs to the instance, not to one of its databases. A Redis that is away at
 * start is no reason not to sell: it is looked at again when the answer is wanted.
 */
export async function readLocksFacts(locks: RedisSide): Promise<LocksFacts> {
  const until = Date.now() + START_WAIT_MS;
  while (locks.client.status !== "ready" && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const answer = await locks.attempt(
    async (client) => ({
      memory: await client.info("memory"),
      persistence: await client.info("persistence"),
    }),
    REDIS_COMMAND_MS,
  );
  if (!answer.ok) return { policy: undefined, persistence: undefined };
  const { memory, persistence } = answer.value;
  return {
    policy: infoField(memory, "maxmemory_policy"),
    persistence: {
      aof: infoField(persistence, "aof_enabled") === "1",
      snapshots: infoField(persistence, "rdb_last_save_time") !== undefined,
    },
  };
}

/** @throws when the instance would evict. */
export function requireNoEviction(facts: LocksFacts): void {
  if (facts.policy === undefined || facts.policy === "noeviction") return;
  throw new Error(
    `REDIS_LOCKS_URL: maxmemory-policy is ${facts.policy}; it must be noeviction, ` +
      "or locks and used proofs disappear when memory is short. Use an instance of its own.",
  );
}
