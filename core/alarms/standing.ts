// Alarms that ring, kept where a restart does not forget them: each process writes down what rings at
// it, and when one has gone, another (or its successor) takes its alarms over, so that whoever was
// woken hears of the end. Without Redis an alarm of a process that dies has no end told; it rings anew
// if its cause is still there.
import { z } from "zod";
import type { Ctx } from "../context.ts";
import type { Ringing } from "./judge.ts";

/** A process that has not written for so long has gone; it writes at every look. */
export const GONE_MS = 30_000;
const KEPT_MS = 7 * 86_400_000;

const noteSchema = z.object({
  seenMs: z.number(),
  ringing: z.array(z.object({ name: z.string(), sinceMs: z.number() })).max(100),
});

const noteOf = (text: string): z.infer<typeof noteSchema> | undefined => {
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

const keyOf = (ctx: Ctx): string => `${ctx.redis.locks.prefix}alarms`;

/** What rang at processes that have gone, each taken over by one process alone. */
export async function takeOver(ctx: Ctx, instance: string): Promise<Ringing[]> {
  const { locks } = ctx.redis;
  const all = await locks.attempt((client) => client.hgetall(keyOf(ctx)));
  if (!all.ok) return [];
  const taken: Ringing[] = [];
  for (const [other, text] of Object.entries(all.value)) {
    const note = noteOf(text);
    if (other === instance || (note && ctx.clock.now() - note.seenMs < GONE_MS)) continue;
    const removed = await locks.attempt((client) => client.hdel(keyOf(ctx), other));
    if (removed.ok && removed.value === 1) taken.push(...(note?.ringing ?? []));
  }
  return taken;
}

export async function keepRinging(
  ctx: Ctx,
  instance: string,
  ringing: readonly Ringing[],
): Promise<void> {
  const key = keyOf(ctx);
  await ctx.redis.locks.attempt(async (client) => {
    if (ringing.length === 0) return await client.hdel(key, instance);
    const note = JSON.stringify({ seenMs: ctx.clock.now(), ringing });
    return await Promise.all([client.hset(key, instance, note), client.pexpire(key, KEPT_MS)]);
  });
}
