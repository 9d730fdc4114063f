import type { HoldRequest } from "../../shared/contract/holds.ts";
import type { Clock } from "../context.ts";
import type { Db } from "../db/db.ts";
import type { Idem } from "./request.ts";

/**
 * Sold out is answered fast. When the database has just said that a zone or section has fewer left
 * than somebody wants, the next who want as many are told so without a hold of their own, for a
 * second; then one of them asks again, so seats that come back are seen within that time.
 *
 * Who holds something already, or repeats a key, may be owed another answer than "sold out"; that is
 * looked up for all who wait within a few milliseconds by one read without locks.
 */
export const SOLD_OUT_MS = 1_000;
const GATHER_MS = 5;
const GATHER_MAX = 500;
const SCOPES_MAX = 10_000;

const OWED = `
  select n::int as n from unnest($2::text[], $3::text[], $4::text[])
    with ordinality t (account, scope, key, n)
  where exists (
      select 1 from holds h
      where h.event_id = $1 and h.account = t.account and h.state = 'live')
    or exists (select 1 from idempotency_keys k where k.scope = t.scope and k.key = t.key)`;

type Asked = { account: string; idem: Idem | null };
type Waiting = Asked & { tell: (owed: boolean) => void };

/** What of the house a request looks at; chosen seats are a matter of their own rows. */
export function scopeOf(request: HoldRequest): { scope: string; quantity: number } | undefined {
  if ("seats" in request) return undefined;
  if ("zone" in request) return { scope: `zone ${request.zone}`, quantity: request.quantity };
  const { section = "", zone = "", quantity, accessible = false, together = false } = request.best;
  return { scope: `best ${section} ${zone} ${accessible} ${together}`, quantity };
}

export function createSoldOut(deps: { db: Db; clock: Clock }) {
  const known = new Map<string, Map<string, { available: number; untilMs: number }>>();
  const waiting = new Map<string, Waiting[]>();

  const flush = async (event: string): Promise<void> => {
    const asked = waiting.get(event) ?? [];
    waiting.delete(event);
    try {
      const rows = await deps.db.read<{ n: number }>(OWED, [
        event,
        asked.map(({ account }) => account),
        asked.map(({ idem }) => idem?.scope ?? ""),
        asked.map(({ idem }) => idem?.key ?? ""),
      ]);
      const owed = new Set(rows.map(({ n }) => n));
      for (const [index, item] of asked.entries()) item.tell(owed.has(index + 1));
    } catch {
      // Not to know is no reason to refuse: the hold function answers, or fails, for itself.
      for (const item of asked) item.tell(true);
    }
  };

  const isOwed = (event: string, asked: Asked): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const list = waiting.get(event) ?? [];
    list.push({ ...asked, tell: resolve });
    if (list.length === 1) {
      waiting.set(event, list);
      setTimeout(() => void flush(event), GATHER_MS);
    }
    return promise;
  };

  return {
    /** What is left, when that is known to be too little for this request and nothing is owed. */
    async isHopeless(
      event: string,
      request: HoldRequest,
      asked: Asked,
    ): Promise<number | undefined> {
      const wanted = scopeOf(request);
      const fact = wanted && known.get(event)?.get(wanted.scope);
      if (!wanted || !fact) return undefined;
      if (fact.untilMs <= deps.clock.now() || wanted.quantity <= fact.available) return undefined;
      if ((waiting.get(event)?.length ?? 0) >= GATHER_MAX) return fact.available;
      return (await isOwed(event, asked)) ? undefined : fact.available;
    },
    /** The database has said so just now. */
    note(event: string, request: HoldRequest, available: number): void {
      const wanted = scopeOf(request);
      if (!wanted) return;
      const scopes = known.get(event) ?? new Map();
      if (scopes.size >= SCOPES_MAX) scopes.clear();
      scopes.set(wanted.scope, { available, untilMs: deps.clock.now() + SOLD_OUT_MS });
      if (!known.has(event) && known.size >= SCOPES_MAX) known.clear();
      known.set(event, scopes);
    },
    /** Something came back, as far as this process knows. */
    forget(event: string): void {
      known.delete(event);
    },
  };
}

export type SoldOut = ReturnType<typeof createSoldOut>;
