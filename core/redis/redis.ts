import type { Redis as IoRedis } from "ioredis";
import type { Result } from "../../shared/result.ts";

/**
 * The core's two Redis sides. Nothing here decides a sale: every caller has an answer for
 * `{ok: false}`, which is PostgreSQL, and gets it in bounded time.
 */

export type RedisFault = { reason: "away" | "timeout" | "error"; message: string };

export type RedisSide = {
  /**
   * Runs the work unless the breaker is open; never throws and never takes longer than `timeoutMs`
   * (50 ms unless given). The work may still finish at the server after a timeout.
   */
  attempt<T>(
    work: (client: IoRedis) => Promise<T>,
    timeoutMs?: number,
  ): Promise<Result<T, RedisFault>>;
  /** Whether the breaker lets commands through just now. */
  available(): boolean;
  /** Every key of ours begins with this (empty outside tests); scripts get full key names. */
  readonly prefix: string;
  /** For Lua (`defineCommand`) and pipelines inside `attempt`. */
  readonly client: IoRedis;
  /** A connection of its own, e.g. to subscribe; the caller closes it. */
  duplicate(): IoRedis;
};

export type Redis = {
  /** Seat locks, proofs seen, idempotency leases: `noeviction`, checked at start. */
  locks: RedisSide;
  /** Carts, presence, cached reads, add-on counters, live updates. */
  cache: RedisSide;
  close(): Promise<void>;
};
