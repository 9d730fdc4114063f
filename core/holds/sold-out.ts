import type { HoldRequest } from "../../shared/contract/holds.ts";
import type { Clock } from "../context.ts";
import { type Asker, type Holders, isOwed, type Owed } from "./holders.ts";

/**
 * Sold out is answered fast. When the database has just said that a zone or section has fewer left
 * than somebody wants, the next who want as many are told so from memory, for a second, without a
 * transaction of their own; then one of them asks again. So seats that come back at this process are
 * seen at once, and seats that come back at another one second later at the most.
 *
 * Who holds something already, or repeats a key, may be owed another answer; see holders.ts.
 */
export const SOLD_OUT_MS = 1_000;
const SCOPES_MAX = 10_000;

/** What of the house a request looks at; chosen seats are a matter of their own rows. */
export function scopeOf(request: HoldRequest): { scope: string; quantity: number } | undefined {
  if ("seats" in request) return undefined;
  if ("zone" in request) return { scope: `zone ${request.zone}`, quantity: request.quantity };
  const { section = "", zone = "", quantity, accessible = false, together = false } = request.best;
  return { scope: `best ${section} ${zone} ${accessible} ${together}`, quantity };
}

type Fact = { available: number; untilMs: number; owed: Promise<Owed> };

export function createSoldOut(deps: { clock: Clock; holders: Holders }) {
  const known = new Map<string, Map<string, Fact>>();

  return {
    /** What is left, when that is known to be too little for this request and nothing is owed. */
    async isHopeless(
      event: string,
      request: HoldRequest,
      asker: Asker,
    ): Promise<number | undefined> {
      const wanted = scopeOf(request);
      const fact = wanted && known.get(event)?.get(wanted.scope);
      if (!wanted || !fact) return undefined;
      if (fact.untilMs <= deps.clock.now() || wanted.quantity <= fact.available) return undefined;
      return isOwed(await fact.owed, asker) ? undefined : fact.available;
    },
    /** The database has said so just now. */
    note(event: string, request: HoldRequest, available: number): void {
      const wanted = scopeOf(request);
      if (!wanted) return;
      const scopes = known.get(event) ?? new Map<string, Fact>();
      if (scopes.size >= SCOPES_MAX) scopes.clear();
      const untilMs = deps.clock.now() + SOLD_OUT_MS;
      scopes.set(wanted.scope, { available, untilMs, owed: deps.holders.after(event) });
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
