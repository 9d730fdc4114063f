import type { Clock } from "../context.ts";
import type { Db } from "../db/db.ts";
import type { Idem } from "./request.ts";

/**
 * Who may be owed another answer than "sold out": whoever holds something, and whoever repeats an
 * Idempotency-Key of the last minutes. Read for a whole event at once, so that refusing a crowd costs
 * one read and not one each.
 */
const GATHER_MS = 20;
const EVENTS_MAX = 1_000;
/** Beyond this nobody is refused unseen: the hold function answers for itself. */
const HOLDERS_MAX = 100_000;
/** A lost answer is asked for again within seconds. */
const KEYS_SECONDS = 120;

const HOLDERS = `
  (select h.account as who from holds h
    where h.event_id = $1 and h.state = 'live' and h.expires_at > '-infinity' limit $2)
  union
  (select k.scope || chr(10) || k.key from idempotency_keys k
    where k.created_at > sale_clock() - $3::int * interval '1 second'
      and starts_with(k.scope, 'holds:' || $1 || ':') limit $2)`;

export type Asker = { account: string; idem: Idem | null };

/** `undefined` where it could not be read, or is too much to know. */
export type Owed = Set<string> | undefined;

const keyOf = (idem: Idem): string => `${idem.scope}\n${idem.key}`;

export const isOwed = (owed: Owed, { account, idem }: Asker): boolean =>
  owed === undefined || owed.has(account) || (idem !== null && owed.has(keyOf(idem)));

export function createHolders(deps: { db: Db; clock: Clock }) {
  /** Of each event the read that has not begun yet, and the last that has. */
  const coming = new Map<string, Promise<Owed>>();
  const last = new Map<string, { owed: Promise<Owed>; atMs: number }>();

  const read = async (event: string): Promise<Owed> => {
    try {
      const rows = await deps.db.read<{ who: string }>(HOLDERS, [event, HOLDERS_MAX, KEYS_SECONDS]);
      return rows.length < HOLDERS_MAX ? new Set(rows.map(({ who }) => who)) : undefined;
    } catch {
      return undefined;
    }
  };

  const readSoon = (event: string): Promise<Owed> => {
    const { promise, resolve } = Promise.withResolvers<Owed>();
    coming.set(event, promise);
    setTimeout(() => {
      coming.delete(event);
      if (last.size >= EVENTS_MAX) last.clear();
      last.set(event, { owed: promise, atMs: deps.clock.now() });
      void read(event).then(resolve);
    }, GATHER_MS);
    return promise;
  };

  return {
    /** By a read that begins after this call; all who ask within some milliseconds share it. */
    after: (event: string): Promise<Owed> => coming.get(event) ?? readSoon(event),
    /** By a read that is at most so old. */
    within(event: string, ms: number): Promise<Owed> {
      const known = last.get(event);
      if (known && deps.clock.now() - known.atMs < ms) return known.owed;
      return coming.get(event) ?? readSoon(event);
    },
    /** Somebody holds something since the last read. */
    add(event: string, account: string): void {
      for (const owed of [coming.get(event), last.get(event)?.owed])
        void owed?.then((set) => set?.add(account));
    },
  };
}

export type Holders = ReturnType<typeof createHolders>;
