import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Deps } from "../context.ts";
import type { Load } from "../http/load.ts";
import { limitPerMinute } from "./limit-per-minute.ts";
import type { Job, JobCtx } from "./registry.ts";

/**
 * How busy all processes of this deployment are together, for the one that tells the gate: each second
 * every process writes its own load beside the others'. Without Redis each knows of itself alone.
 */
const EVERY_MS = 1_000;
/** A process that has said nothing for so long is gone. */
const LOAD_MS = 3_500;
/** Nobody waits for it, so a slow Redis is better than none. */
const REDIS_MS = 500;
const SHARE = readFileSync(new URL("./lua/share-load.lua", import.meta.url), "utf8");

const partSchema = z.object({
  inFlight: z.number(),
  p95Ms: z.number(),
  limitPerMinute: z.number(),
});
type Part = z.infer<typeof partSchema>;

/** Pure. Requests and room add up; a percentile does not, so the slowest process speaks for all. */
export function sumLoads(parts: readonly Part[]): Part {
  return parts.reduce(
    (sum, part) => ({
      inFlight: sum.inFlight + part.inFlight,
      p95Ms: Math.max(sum.p95Ms, part.p95Ms),
      limitPerMinute: sum.limitPerMinute + part.limitPerMinute,
    }),
    { inFlight: 0, p95Ms: 0, limitPerMinute: 0 },
  );
}

export function createLoadShare(deps: Pick<Deps, "config">, load: Load) {
  const name = randomUUID();
  return async (ctx: Pick<JobCtx, "redis" | "db">): Promise<Part> => {
    const own: Part = {
      inFlight: load.count,
      p95Ms: load.p95Ms(),
      limitPerMinute: limitPerMinute({
        connectionsMax: deps.config.database.poolMax,
        serviceMs: ctx.db.stats().serviceMs,
      }),
    };
    const { locks } = ctx.redis;
    const answer = await locks.attempt(
      (client) => client.eval(SHARE, 1, `${locks.prefix}load`, name, JSON.stringify(own), LOAD_MS),
      REDIS_MS,
    );
    const all = answer.ok ? z.array(z.string()).safeParse(answer.value) : undefined;
    if (!all?.success) return own;
    return sumLoads(all.data.map((text) => partSchema.parse(JSON.parse(text))));
  };
}

/** For a process that runs no other job: its load counts all the same. */
export function loadJob(deps: Pick<Deps, "config">, load: Load): Job {
  const share = createLoadShare(deps, load);
  return {
    name: "share-load",
    everyMs: EVERY_MS,
    async run(ctx) {
      await share(ctx);
      return 0;
    },
  };
}
