import { readFileSync } from "node:fs";
import type { HoldRequest } from "../../shared/contract/holds.ts";
import type { Db } from "../db/db.ts";
import type { RedisSide } from "../redis/redis.ts";

/**
 * Add-on stock: an atomic counter in Redis in front, the conditional UPDATE of the hold function
 * behind. Of a thousand who want the last ten scarves ten reach the database. The counter is filled
 * from the database and lives two seconds, so what it says wrongly (after a wipe, a foreign SET, a
 * release that it was not told of) is over by itself; too high costs a statement, too low a moment.
 */
export const STOCK_MS = 2_000;
const KINDS_MAX = 50;

const readScript = (name: string) =>
  readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), "utf8");
const TAKE = readScript("take-addons");
const GIVE = readScript("give-addons");

/** What is due counts as free, as it does for the hold function: no sweeper is waited for. */
const LEFT = `
  select a.addon_id as addon, a.variant, (a.stock - a.held - a.sold + coalesce((
      select sum(l.quantity) from hold_addons l
      where l.event_id = a.event_id and l.addon_id = a.addon_id and l.variant = a.variant
        and l.state = 'live' and l.held_until <= sale_clock()
        and (l.paying_until is null or l.paying_until <= sale_clock())), 0))::int as left
  from addons a where a.event_id = $1 and a.addon_id = any ($2) limit $3`;

type Wanted = { event: string; addons: NonNullable<HoldRequest["addons"]> };
type Units = { key: string; addon: string; variant: string; quantity: number };

export type Stock =
  /** Taken, or not to be known here: ask the database. */
  { kind: "go"; taken: boolean } | { kind: "short"; addon: string; available: number };

/** Pure: how many of each kind, in one order whatever order they were asked in. */
export function unitsOf(prefix: string, { event, addons }: Wanted): Units[] {
  const units = new Map<string, Units>();
  for (const { id, variant = "", quantity } of addons) {
    const key = `${prefix}addon:{${event}}:${id}/${variant}`;
    const sum = (units.get(key)?.quantity ?? 0) + quantity;
    units.set(key, { key, addon: id, variant, quantity: sum });
  }
  return [...units.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const run = (side: RedisSide, script: string, units: readonly Units[]) =>
  side.attempt((client) =>
    client.eval(
      script,
      units.length,
      ...units.map(({ key }) => key),
      ...units.map(({ quantity }) => quantity),
    ),
  );

export function createAddonStock(deps: { db: Db; cache: RedisSide }) {
  const { cache } = deps;

  const take = async (units: readonly Units[]): Promise<Stock | "missing"> => {
    const answer = await run(cache, TAKE, units);
    if (!answer.ok || !Array.isArray(answer.value)) return { kind: "go", taken: false };
    const [word, position, left] = answer.value;
    if (word === "missing") return "missing";
    if (word === "taken") return { kind: "go", taken: true };
    const addon = units[Number(position) - 1]?.addon ?? "";
    return { kind: "short", addon, available: Number(left) };
  };

  /** Only where there is none: another process may have filled it, and people taken from it. */
  const fill = async (event: string, units: readonly Units[]): Promise<void> => {
    const rows = await deps.db.read<{ addon: string; variant: string; left: number }>(LEFT, [
      event,
      units.map(({ addon }) => addon),
      KINDS_MAX,
    ]);
    await cache.attempt(async (client) => {
      const work = client.pipeline();
      for (const { key, addon, variant } of units) {
        const row = rows.find((one) => one.addon === addon && one.variant === variant);
        if (row) work.set(key, Math.max(0, row.left), "PX", STOCK_MS, "NX");
      }
      await work.exec();
    });
  };

  return {
    async take(wanted: Wanted): Promise<Stock> {
      const units = unitsOf(cache.prefix, wanted);
      if (units.length === 0 || !cache.available()) return { kind: "go", taken: false };
      const first = await take(units);
      if (first !== "missing") return first;
      await fill(wanted.event, units);
      const second = await take(units);
      return second === "missing" ? { kind: "go", taken: false } : second;
    },
    /** What was taken for a hold that came to nothing. Not waited for. */
    give(wanted: Wanted): void {
      void run(cache, GIVE, unitsOf(cache.prefix, wanted));
    },
  };
}

export type AddonStock = ReturnType<typeof createAddonStock>;
