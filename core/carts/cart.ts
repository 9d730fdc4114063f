import { z } from "zod";
import { Refusal } from "../../shared/errors.ts";
import type { Ctx, FanActor } from "../context.ts";

/**
 * What a shopper has put aside: a Redis hash per person and event, one field per product and
 * variant, living 30 days from the last touch. A wish, never a claim: stock moves with the hold, and
 * the cart becomes order lines in the call that makes the order. Lost with Redis.
 */

export const CART_MS = 30 * 24 * 3_600_000;
const CART_FIELDS_MAX = 50;
const CART_REDIS_MS = 250;

export const cartItemSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.]{0,31}$/),
  variant: z.string().min(1).max(60).optional(),
  quantity: z.int().min(0).max(50),
});
/** `PUT` replaces the cart, `PATCH` changes what it names; quantity 0 takes an item out. */
export const cartSchema = z.strictObject({ items: z.array(cartItemSchema).max(CART_FIELDS_MAX) });
export type CartItem = z.infer<typeof cartItemSchema>;
export type CartView = { event: string; items: CartItem[] };

type CartCtx = Pick<Ctx<FanActor>, "redis" | "actor">;

const cartKey = (ctx: CartCtx) =>
  `${ctx.redis.cache.prefix}cart:{${ctx.actor.event}}:${ctx.actor.subject}`;

/** A JSON pair: product ids are plain, variants are an organizer's free text. */
const fieldOf = (item: Pick<CartItem, "id" | "variant">) =>
  JSON.stringify(item.variant === undefined ? [item.id] : [item.id, item.variant]);

const fieldSchema = z.union([z.tuple([z.string()]), z.tuple([z.string(), z.string()])]);

function itemOf([field, quantity]: [string, string]): CartItem[] {
  const parsed = fieldSchema.safeParse(JSON.parse(field));
  if (!parsed.success) return [];
  const [id, variant] = parsed.data;
  return [{ id, ...(variant === undefined ? {} : { variant }), quantity: Number(quantity) }];
}

export async function readCart(ctx: CartCtx): Promise<CartView> {
  const answer = await ctx.redis.cache.attempt(
    (client) => client.hgetall(cartKey(ctx)),
    CART_REDIS_MS,
  );
  if (!answer.ok) throw new Refusal("unavailable", { reason: answer.error.message });
  return { event: ctx.actor.event, items: Object.entries(answer.value).flatMap(itemOf) };
}

export async function writeCart(
  ctx: CartCtx,
  input: { items: readonly CartItem[]; replace: boolean },
): Promise<CartView> {
  const key = cartKey(ctx);
  const kept = input.items.filter((item) => item.quantity > 0);
  const out = input.items.filter((item) => item.quantity === 0);
  const answer = await ctx.redis.cache.attempt(async (client) => {
    const work = client.multi();
    if (input.replace) work.del(key);
    else if (out.length > 0) work.hdel(key, ...out.map(fieldOf));
    if (kept.length > 0)
      work.hset(key, Object.fromEntries(kept.map((item) => [fieldOf(item), item.quantity])));
    work.pexpire(key, CART_MS);
    work.hlen(key);
    const results = await work.exec();
    const length = Number(results?.at(-1)?.[1] ?? 0);
    if (length > CART_FIELDS_MAX) await client.hdel(key, ...kept.map(fieldOf));
    return length;
  }, CART_REDIS_MS);
  if (!answer.ok) throw new Refusal("unavailable", { reason: answer.error.message });
  if (answer.value > CART_FIELDS_MAX)
    throw new Refusal("limit_exceeded", { detail: `at most ${CART_FIELDS_MAX} items` });
  return await readCart(ctx);
}

/**
 * What an order has taken over leaves the cart; the rest stays for another time. A cart that cannot
 * be reached keeps it all, which costs nothing: a cart is a wish.
 */
export async function takeOutOfCart(ctx: CartCtx, ordered: readonly string[]): Promise<void> {
  if (ordered.length === 0) return;
  await ctx.redis.cache.attempt(async (client) => {
    const fields = await client.hkeys(cartKey(ctx));
    const gone = fields.filter((field) =>
      itemOf([field, "0"]).some(({ id }) => ordered.includes(id)),
    );
    if (gone.length > 0) await client.hdel(cartKey(ctx), ...gone);
  }, CART_REDIS_MS);
}
