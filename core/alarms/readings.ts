import { Redis as IoRedis } from "ioredis";
import type { Ctx } from "../context.ts";
import { infoField } from "../redis/check.ts";
import type { RedisSide } from "../redis/redis.ts";
import { readGate, readLines } from "./read-gate.ts";

/** Facts that no request measures by itself, read every few seconds and kept as metrics. */

const REDIS_MS = 1_000;
const PING_MS = 1_000;

const BACKLOG = `
  select
    (select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8
       from outbox where enqueued_at is null) as outbox_age,
    (select count(*)::int from (
       select 1 from holds
       where state = 'live' and expires_at < clock_timestamp() - interval '15 seconds'
         and coalesce(paying_until, '-infinity') < clock_timestamp() - interval '15 seconds'
       limit 10000) late) as overdue`;

async function readDatabase(ctx: Ctx): Promise<void> {
  const away = ctx.metrics.gauge("sira_db_away", "1 while PostgreSQL does not answer.");
  try {
    await ctx.db.ping(PING_MS);
    away.set(0);
  } catch {
    away.set(1);
    return;
  }
  const [row] = await ctx.db.read<{ outbox_age: number; overdue: number }>(BACKLOG);
  ctx.metrics
    .gauge("sira_outbox_age_seconds", "Age of the oldest event that no relay has taken.")
    .set(row?.outbox_age ?? 0);
  ctx.metrics
    .gauge("sira_holds_overdue", "Live holds whose time has been over for a while.")
    .set(row?.overdue ?? 0);
  await readLines(ctx);
}

/** What INFO says of one server; pure. */
export function redisFacts(info: string): {
  usedBytes: number;
  ratio: number;
  evicted: number;
  expired: number;
  clients: number;
} {
  const number = (name: string) => Number(infoField(info, name) ?? 0);
  const usedBytes = number("used_memory");
  const maxBytes = number("maxmemory");
  return {
    usedBytes,
    // Without a limit of its own a server is bounded by the machine, which we cannot see from here.
    ratio: maxBytes === 0 ? 0 : usedBytes / maxBytes,
    evicted: number("evicted_keys"),
    expired: number("expired_keys"),
    clients: number("connected_clients"),
  };
}

type Ask = <T>(work: (client: IoRedis) => Promise<T>) => Promise<T>;
/** A cluster is as many servers as it has; it is as far away and as slow as the worst of them. */
type Asked = { side: string; servers: readonly Ask[] };

async function readRedis(ctx: Ctx, { side, servers }: Asked): Promise<void> {
  const set = (name: string, help: string, value: number) =>
    ctx.metrics.gauge(name, help, ["side"]).set({ side }, value);
  try {
    const read = await Promise.all(
      servers.map(async (ask) => {
        const started = performance.now();
        await ask((client) => client.ping());
        const pingS = (performance.now() - started) / 1000;
        return { pingS, ...redisFacts(await ask((client) => client.info())) };
      }),
    );
    const of = (name: keyof (typeof read)[number]) => read.map((one) => one[name]);
    const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
    set("sira_redis_ping_seconds", "A round trip.", Math.max(...of("pingS")));
    set("sira_redis_away", "1 while this Redis does not answer.", 0);
    set("sira_redis_memory_bytes", "Memory in use.", sum(of("usedBytes")));
    set(
      "sira_redis_memory_ratio",
      "Memory in use, of maxmemory (0 without one).",
      Math.max(...of("ratio")),
    );
    set("sira_redis_evicted_keys", "Keys evicted since the server's start.", sum(of("evicted")));
    set("sira_redis_expired_keys", "Keys expired since the server's start.", sum(of("expired")));
    set("sira_redis_clients", "Connections to the server.", sum(of("clients")));
  } catch {
    set("sira_redis_away", "1 while this Redis does not answer.", 1);
  }
}

const askSide =
  (redis: RedisSide): Ask =>
  async (work) => {
    const answer = await redis.attempt(work, REDIS_MS);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };

/** The gate's line is only looked at, over a connection that lives for the look. */
const askLine =
  (url: string): Ask =>
  async (work) => {
    const client = new IoRedis(url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      connectTimeout: REDIS_MS,
      commandTimeout: REDIS_MS,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.disconnect();
    }
  };

export async function readFacts(ctx: Ctx): Promise<void> {
  const asked: Asked[] = [
    { side: "locks", servers: [askSide(ctx.redis.locks)] },
    { side: "cache", servers: [askSide(ctx.redis.cache)] },
    { side: "line", servers: ctx.config.redis.lineUrls.map(askLine) },
  ].filter(({ servers }) => servers.length > 0);
  await Promise.all([
    readDatabase(ctx),
    readGate(ctx),
    ...asked.map((each) => readRedis(ctx, each)),
  ]);
}
