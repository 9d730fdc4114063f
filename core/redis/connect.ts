import { Redis as IoRedis, type RedisOptions } from "ioredis";
import { err, ok, type Result } from "../../shared/result.ts";
import type { Log } from "../context.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createBreaker } from "./breaker.ts";
import type { Redis, RedisFault, RedisSide } from "./redis.ts";

export const REDIS_COMMAND_MS = 1_000;
export const REDIS_CONNECT_MS = 1_000;
/** What one `attempt` may take unless its caller says otherwise. */
export const REDIS_ATTEMPT_MS = 50;
const REDIS_RETRY_MS_MAX = 1_000;

/**
 * ioredis repeats in-flight commands after a reconnect and queues new ones while it is away; both
 * would turn a dead Redis into slow requests and doubled effects, so both are off.
 */
const clientOptions = {
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: REDIS_COMMAND_MS,
  connectTimeout: REDIS_CONNECT_MS,
  enableAutoPipelining: true,
  retryStrategy: (times: number) =>
    Math.min(REDIS_RETRY_MS_MAX, 50 * times) * (0.5 + Math.random() / 2),
} satisfies RedisOptions;

type SideOptions = { name: string; url: string; prefix: string; log: Log; metrics: Metrics };

function createSide(options: SideOptions): { side: RedisSide; close: () => void } {
  const client = new IoRedis(options.url, clientOptions);
  const breaker = createBreaker();
  const log = options.log.child({ redis: options.name });
  const latency = options.metrics.histogram(
    "sira_redis_seconds",
    "Time of one use of Redis, by side and outcome.",
    ["side", "outcome"],
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
  );
  const copies = new Set<IoRedis>();
  let lastLogged = 0;
  client.on("error", (error: Error) => {
    // A dead Redis fails on every redial; one line every few seconds says as much.
    if (Date.now() - lastLogged < 5_000) return;
    lastLogged = Date.now();
    log.warn({ reason: error.message }, "redis connection");
  });

  const attempt = async <T>(
    work: (client: IoRedis) => Promise<T>,
    timeoutMs = REDIS_ATTEMPT_MS,
  ): Promise<Result<T, RedisFault>> => {
    if (client.status !== "ready" || !breaker.allows(Date.now()))
      return err({ reason: "away", message: `redis is ${client.status}` });
    const started = performance.now();
    const done = (outcome: string) =>
      latency.observe({ side: options.name, outcome }, (performance.now() - started) / 1000);
    const { promise: late, resolve } = Promise.withResolvers<Result<T, RedisFault>>();
    const timer = setTimeout(
      () => resolve(err({ reason: "timeout", message: `more than ${timeoutMs} ms` })),
      timeoutMs,
    );
    const answer = work(client).then(
      (value): Result<T, RedisFault> => ok(value),
      (error: unknown): Result<T, RedisFault> =>
        err({ reason: "error", message: error instanceof Error ? error.message : String(error) }),
    );
    const result = await Promise.race([answer, late]);
    clearTimeout(timer);
    done(result.ok ? "ok" : result.error.reason);
    if (result.ok) breaker.succeeded();
    else breaker.failed(Date.now());
    return result;
  };

  const side: RedisSide = {
    attempt,
    available: () => client.status === "ready" && !breaker.isOpen(Date.now()),
    prefix: options.prefix,
    client,
    duplicate() {
      const copy = client.duplicate({ enableAutoPipelining: false });
      copy.on("error", () => undefined);
      copies.add(copy);
      copy.once("end", () => copies.delete(copy));
      return copy;
    },
  };
  return {
    side,
    close() {
      for (const copy of copies) copy.disconnect();
      client.disconnect();
    },
  };
}

export type RedisSettings = { locksUrl: string; cacheUrl: string; prefix: string };

/** Both sides connect in the background: the core starts and sells without them. */
export function connectRedis(
  settings: RedisSettings,
  more: { log: Log; metrics: Metrics },
): Redis & { locks: RedisSide; cache: RedisSide } {
  const { prefix } = settings;
  const locks = createSide({ name: "locks", url: settings.locksUrl, prefix, ...more });
  const cache = createSide({ name: "cache", url: settings.cacheUrl, prefix, ...more });
  return {
    locks: locks.side,
    cache: cache.side,
    async close() {
      locks.close();
      cache.close();
    },
  };
}
