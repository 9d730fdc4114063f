// The Redis front of an Idempotency-Key: spares the database the second, third and tenth press of an
// impatient thumb. It never decides: without Redis, or with one that forgets or lies, the unique key
// in PostgreSQL gives the same answers a little later.
import { z } from "zod";
import type { Ctx } from "../context.ts";
import type { Reply } from "./attempt-reply.ts";
import { FRONT_LEASE_MS, FRONT_RESULT_MS } from "./limits.ts";

const replySchema = z.object({
  status: z.int(),
  contentType: z.enum(["application/json", "application/problem+json"]),
  body: z.string(),
});
const entrySchema = z.object({
  owner: z.string(),
  hash: z.string(),
  request: z.record(z.string(), z.unknown()),
  reply: replySchema.optional(),
});
export type FrontEntry = z.infer<typeof entrySchema>;

export type FrontVerdict =
  /** Nobody is at it, or Redis does not know: go on. */
  | { say: "go" }
  /** Taken so long ago; the owner may have died since, so the table has the last word. */
  | { say: "in_flight"; first: FrontEntry; ageMs: number }
  | { say: "done"; first: FrontEntry; reply: Reply }
  | { say: "other_body"; first: FrontEntry };

/** Sets or deletes only what is still its owner's. */
const REPLACE_OWN = `
  local value = redis.call('GET', KEYS[1])
  if not value or cjson.decode(value).owner ~= ARGV[1] then return 0 end
  if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1`;

const keyOf = (ctx: Ctx, scope: string, key: string): string =>
  `${ctx.redis.locks.prefix}idem:${scope}:${key}`;

/** Pure: what an entry found means for a request with this hash. */
export function judgeEntry(found: string | null, hash: string, ageMs = 0): FrontVerdict {
  if (found === null) return { say: "go" };
  let entry: FrontEntry;
  try {
    entry = entrySchema.parse(JSON.parse(found));
  } catch {
    return { say: "go" };
  }
  if (entry.hash !== hash) return { say: "other_body", first: entry };
  if (entry.reply === undefined) return { say: "in_flight", first: entry, ageMs };
  return { say: "done", first: entry, reply: { ...entry.reply, final: true, headers: {} } };
}

export async function enterFront(
  ctx: Ctx,
  input: {
    scope: string;
    key: string;
    owner: string;
    hash: string;
    request: FrontEntry["request"];
  },
): Promise<FrontVerdict> {
  const { scope, key, ...entry } = input;
  const name = keyOf(ctx, scope, key);
  const found = await ctx.redis.locks.attempt((client) =>
    client.set(name, JSON.stringify(entry), "PX", FRONT_LEASE_MS, "NX", "GET"),
  );
  const verdict = judgeEntry(found.ok ? found.value : null, entry.hash);
  if (verdict.say !== "in_flight") return verdict;
  const left = await ctx.redis.locks.attempt((client) => client.pttl(name));
  return { ...verdict, ageMs: FRONT_LEASE_MS - (left.ok ? left.value : 0) };
}

/** Keeps a final success for the repeats to come; anything else makes room for the next try. */
export async function leaveFront(
  ctx: Ctx,
  entry: {
    scope: string;
    key: string;
    owner: string;
    hash: string;
    request: FrontEntry["request"];
  },
  reply: Reply | undefined,
): Promise<void> {
  const { scope, key, ...rest } = entry;
  // A refusal may yet turn into a success that came late: only what stays true is kept here.
  const kept =
    reply?.final === true && reply.status === 201
      ? JSON.stringify({ ...rest, reply: replySchema.parse(reply) })
      : "";
  await ctx.redis.locks.attempt((client) =>
    client.eval(REPLACE_OWN, 1, keyOf(ctx, scope, key), rest.owner, kept, FRONT_RESULT_MS),
  );
}
