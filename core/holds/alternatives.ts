import type { Clock } from "../context.ts";
import type { Db } from "../db/db.ts";

/**
 * What to offer somebody whose seats another request is working on just now. It is a read without
 * locks, and everybody who runs into the same lock within a moment is offered the same, so that the
 * fast path stays one.
 */
const OFFER_MS = 250;
const OFFERS_MAX = 2_000;

export function createAlternatives(deps: { db: Db; clock: Clock }) {
  const known = new Map<string, { offer: Promise<string[][]>; untilMs: number }>();

  const read = async (event: string, seats: readonly string[]): Promise<string[][]> => {
    try {
      const [row] = await deps.db.read<{ offer: string[][] }>(
        "select find_alternatives($1, $2) as offer",
        [event, seats],
      );
      return row?.offer ?? [];
    } catch {
      // An offer is a kindness; without it the refusal is still true.
      return [];
    }
  };

  return {
    offer(event: string, seats: readonly string[]): Promise<string[][]> {
      const now = deps.clock.now();
      const key = `${event} ${seats[0]} ${seats.length}`;
      const found = known.get(key);
      if (found && found.untilMs > now) return found.offer;
      if (known.size >= OFFERS_MAX) known.clear();
      const offer = read(event, seats);
      known.set(key, { offer, untilMs: now + OFFER_MS });
      return offer;
    },
  };
}

export type Alternatives = ReturnType<typeof createAlternatives>;
