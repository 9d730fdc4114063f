// PostgreSQL and the three Redis roles: the servers named in the environment where there are some,
// private ones started by us otherwise.
import { startPostgres } from "./services/postgres.ts";
import type { Processes } from "./services/processes.ts";
import { startRedis } from "./services/redis.ts";

export interface Services {
  readonly databaseUrl: string;
  /** The gate's line: what is lost here is refilled from the Durable Objects. */
  readonly redisUrl: string;
  /** Seat locks and proofs seen: `noeviction`, since a lock that is evicted is a lie. */
  readonly redisLocksUrl: string;
  /** Maps and finished results: anything here may be evicted at any time. */
  readonly redisCacheUrl: string;
}

export async function startServices(
  processes: Processes,
  options: { readonly throwAway?: boolean } = {},
): Promise<Services> {
  const env = process.env;
  const [databaseUrl, redis] = await Promise.all([
    env["DATABASE_URL"] ?? startPostgres(processes, options).then((server) => server.url),
    findRedisRoles(processes),
  ]);
  return { databaseUrl, ...redis };
}

async function findRedisRoles(processes: Processes): Promise<Omit<Services, "databaseUrl">> {
  const env = process.env;
  const shared = env["REDIS_URL"];
  if (shared !== undefined) {
    // One server for all: logical databases keep the roles apart, its policy must be noeviction.
    return {
      redisUrl: shared,
      redisLocksUrl: env["REDIS_LOCKS_URL"] ?? withDatabase(shared, 1),
      redisCacheUrl: env["REDIS_CACHE_URL"] ?? withDatabase(shared, 2),
    };
  }
  // As in production: what is kept survives a restart, but for the last second.
  const noEviction = [
    ...["--maxmemory-policy", "noeviction", "--appendonly", "yes", "--appendfsync", "everysec"],
    ...["--save", "60 1000"],
  ];
  const evicting = ["--maxmemory", "128mb", "--maxmemory-policy", "allkeys-lru"];
  // One after the other: the first may have to install the package.
  const line = await startRedis(processes, { name: "redis-line", args: noEviction });
  const locks = await startRole(processes, "redis-locks", env["REDIS_LOCKS_URL"], noEviction);
  const cache = await startRole(processes, "redis-cache", env["REDIS_CACHE_URL"], evicting);
  return { redisUrl: line.url, redisLocksUrl: locks, redisCacheUrl: cache };
}

async function startRole(
  processes: Processes,
  name: string,
  given: string | undefined,
  args: readonly string[],
): Promise<string> {
  return given ?? (await startRedis(processes, { name, args })).url;
}

function withDatabase(url: string, database: number): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
