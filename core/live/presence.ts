import { createRoute, z } from "@hono/zod-openapi";
import { eventIdSchema } from "../../shared/contract/common.ts";
import type { Ctx, Deps, FanActor } from "../context.ts";
import type { EventViews } from "../events/event-views.ts";
import { problems } from "../http/describe.ts";
import { newRouter, type Router } from "../http/router.ts";

/** Who looks at which section, for as long as the heartbeat comes. Lost with Redis, and no harm. */

const PRESENT_MS = 45_000;
const KEY_MS = 3_600_000;
const WHO_PER_EVENT_MAX = 200_000;

const presenceSchema = z.strictObject({ section: z.string().min(1).max(32) });

const keysOf = (prefix: string, event: string) => ({
  /** zset place → until when it counts as present, ms. */
  until: `${prefix}presence:{${event}}:until`,
  /** hash place → section. */
  where: `${prefix}presence:{${event}}:where`,
});

export async function putPresence(ctx: Ctx<FanActor>, input: { section: string }): Promise<void> {
  const { event, place } = ctx.actor;
  const keys = keysOf(ctx.redis.cache.prefix, event);
  const now = ctx.clock.now();
  await ctx.redis.cache.attempt(async (client) => {
    if ((await client.zcard(keys.until)) >= WHO_PER_EVENT_MAX) return;
    await client
      .pipeline()
      .zadd(keys.until, now + PRESENT_MS, place)
      .hset(keys.where, place, input.section)
      .pexpire(keys.until, KEY_MS)
      .pexpire(keys.where, KEY_MS)
      .exec();
  });
}

/** Shoppers per section; empty when Redis cannot say. Reads at most once in two seconds per event. */
export function createPresenceReader(deps: Pick<Deps, "redis" | "clock">) {
  const cached = new Map<string, { at: number; counts: Promise<Record<string, number>> }>();
  const read = async (event: string): Promise<Record<string, number>> => {
    const keys = keysOf(deps.redis.cache.prefix, event);
    const now = deps.clock.now();
    const answer = await deps.redis.cache.attempt(async (client) => {
      const gone = await client.zrangebyscore(keys.until, "-inf", now, "LIMIT", 0, 1_000);
      if (gone.length > 0)
        await client
          .pipeline()
          .zrem(keys.until, ...gone)
          .hdel(keys.where, ...gone)
          .exec();
      return await client.hvals(keys.where);
    }, 200);
    const counts: Record<string, number> = {};
    if (answer.ok) for (const section of answer.value) counts[section] = (counts[section] ?? 0) + 1;
    return counts;
  };
  return (event: string): Promise<Record<string, number>> => {
    const found = cached.get(event);
    const now = deps.clock.now();
    if (found && now - found.at < 2_000) return found.counts;
    if (cached.size > 1_000) cached.clear();
    const counts = read(event);
    cached.set(event, { at: now, counts });
    return counts;
  };
}

export function presenceRoutes(deps: Deps, views: EventViews): Router {
  const app = newRouter();
  const readPresence = createPresenceReader(deps);
  app.openapi(
    createRoute({
      method: "put",
      path: "/v1/events/{event}/presence",
      summary: "A heartbeat: which section this shopper looks at.",
      request: {
        params: z.strictObject({ event: eventIdSchema }),
        body: { content: { "application/json": { schema: presenceSchema } }, required: true },
      },
      responses: {
        200: { description: "noted; `{sections}`: how many shoppers look at each" },
        ...problems("admission_required", "admission_invalid", "invalid_request", "unknown_event"),
      },
    }),
    async (c) => {
      const { event } = c.req.valid("param");
      const actor = await deps.admissions.admit(c, event);
      await views.read(event);
      await putPresence({ ...deps, actor, requestId: c.get("requestId") }, c.req.valid("json"));
      c.header("cache-control", "no-store");
      return c.json({ sections: await readPresence(event) }, 200);
    },
  );
  return app;
}
