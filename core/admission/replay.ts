import { createHash } from "node:crypto";
import { localReplays, type Replays } from "../../shared/admission/replays.ts";
import { DPOP_NONCE_MS } from "../../shared/limits.ts";
import type { Clock } from "../context.ts";
import type { Db } from "../db/db.ts";
import type { RedisSide } from "../redis/redis.ts";

const REDIS_MS = 100;

const FIRST_USE = `
  insert into used_proofs (proof, until)
  values (decode($1, 'hex'), now() + $2::integer * interval '1 millisecond')
  on conflict (proof) do nothing returning 1 as first`;

/**
 * Every process remembers the proofs it has seen; Redis makes that one memory of all processes. While
 * Redis does not answer, and for a proof's life afterwards, PostgreSQL is that memory, so that neither
 * the loss nor the return of an empty Redis lets a proof pass twice. What is left, and SECURITY says it:
 * a process that alone has lost Redis remembers in PostgreSQL what the others look for in Redis.
 */
export function createReplays(deps: { locks: RedisSide; db: Db; clock: Clock }): Replays {
  const { locks, db, clock } = deps;
  const here = localReplays();
  let awayUntilMs = 0;

  const askRedis = (entry: string) =>
    locks.attempt(
      (client) => client.set(`${locks.prefix}proof:${entry}`, "1", "PX", DPOP_NONCE_MS, "NX"),
      REDIS_MS,
    );

  const isFirstInDatabase = async (entry: string): Promise<boolean> => {
    const proof = createHash("sha256").update(entry).digest("hex");
    return (await db.write(FIRST_USE, [proof, DPOP_NONCE_MS])).length === 1;
  };

  return {
    async isFirstUse(proof, nowMs) {
      if (!(await here.isFirstUse(proof, nowMs))) return false;
      const entry = `${proof.jkt}:${proof.jti}`;
      const answer = await askRedis(entry);
      if (answer.ok && answer.value !== "OK") return false;
      // One slow answer is no loss: that command will have run all the same.
      if (!answer.ok && answer.error.reason !== "timeout")
        awayUntilMs = clock.now() + DPOP_NONCE_MS;
      if (answer.ok && clock.now() >= awayUntilMs) return true;
      return await isFirstInDatabase(entry);
    },
  };
}
