// The three Redis roles. What may be evicted and what may be lost differs from one to the next.
import { Redis } from "ioredis";
import { infoField } from "../../core/redis/check.ts";
import { bad, type Finding, good, look } from "./finding.ts";

const VERSION_MIN = 6;
const MEMORY_SHARE_LOOK = 0.7;

export type RedisRole = "line" | "locks" | "cache";

export type RedisFacts = {
  readonly role: RedisRole;
  readonly version: number;
  readonly policy: string;
  readonly aof: boolean;
  readonly isReplica: boolean;
  readonly replicas: number;
  readonly usedBytes: number;
  /** 0: no limit. */
  readonly maxBytes: number;
  readonly nowMs: number;
};

/** Pure. */
export function judgeRedis(facts: RedisFacts): Finding[] {
  const part = `redis ${facts.role}`;
  const found: Finding[] = [];
  const keeps = facts.role !== "cache";
  if (facts.version < VERSION_MIN)
    found.push(bad(part, `Redis ${facts.version}`, `use Redis ${VERSION_MIN} or newer, or Valkey`));
  if (facts.isReplica)
    found.push(bad(part, "it is a replica and takes no writes", "name the primary"));
  if (keeps && facts.policy !== "noeviction")
    found.push(
      bad(
        part,
        `maxmemory-policy is ${facts.policy}: what it keeps may vanish`,
        "an instance of its own with maxmemory-policy noeviction (the policy is the instance's)",
      ),
    );
  if (!keeps && facts.policy === "noeviction" && facts.maxBytes > 0)
    found.push(
      look(part, "a full cache refuses writes", "maxmemory-policy allkeys-lru for the cache"),
    );
  if (facts.role === "line" && !facts.aof)
    found.push(
      look(
        part,
        "no append-only file: a restart is refilled from the Doors' records and from receipts",
        "appendonly yes, appendfsync everysec makes a restart quicker",
      ),
    );
  if (facts.maxBytes > 0 && facts.usedBytes / facts.maxBytes > MEMORY_SHARE_LOOK)
    found.push(
      look(
        part,
        `${Math.round((facts.usedBytes / facts.maxBytes) * 100)} % of maxmemory is used`,
        "130 bytes for each person who may wait: raise maxmemory before the sale",
      ),
    );
  if (found.every(({ level }) => level !== "bad"))
    found.unshift(
      good(
        part,
        `Redis ${facts.version}, ${facts.policy}, ${facts.aof ? "AOF" : "no AOF"}, ${facts.replicas} replicas`,
      ),
    );
  return found;
}

export async function readRedis(role: RedisRole, url: string): Promise<RedisFacts> {
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const info = await client.info();
    const [seconds = "0", micros = "0"] = (await client.time()).map(String);
    const number = (name: string) => Number(infoField(info, name) ?? "0");
    return {
      role,
      version: Number.parseInt(infoField(info, "redis_version") ?? "0", 10),
      policy: infoField(info, "maxmemory_policy") ?? "unknown",
      aof: infoField(info, "aof_enabled") === "1",
      isReplica: infoField(info, "role") === "slave",
      replicas: number("connected_slaves"),
      usedBytes: number("used_memory"),
      maxBytes: number("maxmemory"),
      nowMs: Number(seconds) * 1_000 + Number(micros) / 1_000,
    };
  } finally {
    client.disconnect();
  }
}
