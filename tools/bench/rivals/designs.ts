// The two usual designs beside ours, on the same tables, indexes, driver and pool, each as its advocates
// write it and at its best: one row is marked for one buyer, and a buyer who asks again after a lost answer
// is recognised. Ours stands there twice: the conditional UPDATE alone, which does the same work as the
// others, and the whole hold as it is sold, with limits, prices, idempotency and the outbox in the call.
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type postgres from "postgres";
import type { Db } from "../../../core/db/db.ts";

export type Told = "yours" | "taken" | "try again";
export type Design = {
  readonly name: string;
  take(event: string, seat: string, buyer: string): Promise<Told>;
};

export type Ground = {
  readonly sql: postgres.Sql;
  readonly redis: Redis;
  readonly db: Db;
  /** What a busy machine does to a process between two of its steps. */
  readonly stall: () => Promise<void>;
};

/** How long the usual lock lasts here; whoever is stalled for longer no longer has it. */
export const LOCK_MS = 200;

export function redisLockThenWrite({ sql, redis, stall }: Ground): Design {
  return {
    name: "Redis lock, then unconditional write",
    async take(event, seat, buyer) {
      const key = `rival:${event}:${seat}`;
      const mine = randomUUID();
      const locked = await redis.set(key, mine, "PX", LOCK_MS, "NX");
      if (locked !== "OK") return "try again";
      try {
        const [found] = await sql<{ status: string; order_id: string | null }[]>`
          select status, order_id from seats where event_id = ${event} and seat_id = ${seat}`;
        if (found?.order_id === buyer) return "yours";
        if (found?.status !== "available") return "taken";
        await stall();
        await sql`update seats set status = 'sold', order_id = ${buyer}, updated_at = now()
          where event_id = ${event} and seat_id = ${seat}`;
        return "yours";
      } finally {
        const current = await redis.get(key).catch(() => null);
        if (current === mine) await redis.del(key).catch(() => 0);
      }
    },
  };
}

export function selectForUpdate({ sql, stall }: Ground): Design {
  return {
    name: "SELECT … FOR UPDATE, then update",
    take: (event, seat, buyer) =>
      sql.begin(async (tx): Promise<Told> => {
        const [found] = await tx<{ status: string; order_id: string | null }[]>`
          select status, order_id from seats
          where event_id = ${event} and seat_id = ${seat} for update`;
        if (found?.order_id === buyer) return "yours";
        if (found?.status !== "available") return "taken";
        await stall();
        await tx`update seats set status = 'sold', order_id = ${buyer}, updated_at = now()
          where event_id = ${event} and seat_id = ${seat}`;
        return "yours";
      }),
  };
}

/** Where the row is another's nothing is written, so the count of rows is the verdict. */
export function oneStatement({ sql, stall }: Ground): Design {
  return {
    name: "ours: one conditional UPDATE, the same work",
    async take(event, seat, buyer) {
      await stall();
      const { count } = await sql`
        update seats set status = 'sold', order_id = ${buyer}, updated_at = now()
        where event_id = ${event} and seat_id = ${seat}
          and (status = 'available' or order_id = ${buyer})`;
      return count === 1 ? "yours" : "taken";
    },
  };
}

export function wholeHold({ db, stall }: Ground): Design {
  return {
    name: "ours: the whole hold, as sold",
    async take(event, seat, buyer) {
      await stall();
      // The key is the buyer's: a repeat after a lost answer is told what the first call did.
      const verdict = await db.call<{ result: string }>("hold_seats", [
        event,
        `hold_${randomUUID()}`,
        { place: buyer, account: buyer, gen: 0, iat: Date.now() },
        [seat],
        "[]",
        { scope: `bench ${buyer}`, key: buyer, hash: seat, requestId: "bench" },
      ]);
      if (verdict.result === "held" || verdict.result === "same") return "yours";
      return verdict.result === "seats_unavailable" ? "taken" : "try again";
    },
  };
}
