// One event's line as Redis has it, read key by key without the product's own scripts.
import { Redis } from "ioredis";
import { lineKey } from "../../edge/line/keys.ts";

export type SlotFact = {
  readonly number: number;
  readonly misses: number;
  /** ms on the room's clock; 0: called and not claimed. */
  readonly claimedAt: number;
  readonly ending: string;
};

export type LineFacts = {
  readonly last: number;
  readonly calling: number;
  readonly poolSize: number | undefined;
  readonly nextIndex: number;
  readonly waiting: ReadonlyMap<string, number>;
  readonly pool: ReadonlyMap<string, number>;
  readonly late: ReadonlyMap<string, number>;
  readonly inside: ReadonlyMap<string, number>;
  readonly gone: ReadonlySet<string>;
  readonly slots: ReadonlyMap<string, SlotFact>;
  /** Of the counters kept beside the sets. */
  readonly finished: number;
  readonly leaving: number;
  readonly unnumbered: number;
};

const SLOT = /^(-?\d+):(\d+):(\d+):([A-Z]?)$/;

export async function readLine(options: {
  readonly url: string;
  readonly event: string;
  readonly epoch: number;
  readonly prefix?: string;
}): Promise<LineFacts> {
  const client = new Redis(options.url, { maxRetriesPerRequest: 3 });
  client.on("error", () => undefined);
  const name = { prefix: options.prefix ?? "", event: options.event };
  const key = (what: Parameters<typeof lineKey>[2]) => lineKey(name, options.epoch, what);
  const scores = async (what: Parameters<typeof lineKey>[2]): Promise<Map<string, number>> => {
    const flat = await client.zrange(key(what), "0", "-1", "WITHSCORES");
    const found = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) found.set(flat[i] ?? "", Number(flat[i + 1]));
    return found;
  };
  try {
    const meta = await client.hgetall(key("META"));
    const slots = new Map<string, SlotFact>();
    for (const [place, text] of Object.entries(await client.hgetall(key("SLOT")))) {
      const [, number, misses, claimed, ending = ""] = SLOT.exec(text) ?? [];
      slots.set(place, {
        number: Number(number),
        misses: Number(misses),
        claimedAt: Number(claimed),
        ending,
      });
    }
    const count = (field: string): number => Number(meta[field] ?? 0);
    return {
      last: count("last"),
      calling: count("calling"),
      poolSize: meta["pool_size"] ? Number(meta["pool_size"]) : undefined,
      nextIndex: count("next_index"),
      waiting: await scores("LINE"),
      pool: await scores("POOL"),
      late: await scores("LATE"),
      inside: await scores("INSIDE"),
      gone: new Set((await scores("GONE")).keys()),
      slots,
      finished: count("finished"),
      leaving: count("leaving"),
      unnumbered: count("unnumbered"),
    };
  } finally {
    client.disconnect();
  }
}
