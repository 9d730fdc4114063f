import { createHash } from "node:crypto";
import type { PgBoss } from "pg-boss";
import type { JobCtx, OutboxEvent, OutboxHandler } from "./registry.ts";

/**
 * The relay: from `outbox`, which the deciding statements write, to one queue for each handler. It
 * has no cursor; rows are claimed with a lease, enqueued under a job id made from the row's, and
 * marked. A death between the last two enqueues again, and the same job id makes that nothing.
 */

const CLAIM_MAX = 200;
const LEASE_MS = 30_000;

export const queueOf = (handler: Pick<OutboxHandler, "name">): string => `outbox-${handler.name}`;

/** A UUID (version 8) that this event has at this handler, whoever computes it. */
export function jobIdOf(event: string, handler: string): string {
  const hex = createHash("sha256").update(`${handler}\n${event}`).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/**
 * At most one event of each order a round: a queue orders by the time of the insert, which is one for
 * all jobs of one call.
 */
export function inRounds(events: readonly OutboxEvent[]): OutboxEvent[][] {
  const rounds: OutboxEvent[][] = [];
  const placed = new Map<string, number>();
  for (const event of events) {
    const key = event.order ?? event.id;
    const round = placed.get(key) ?? 0;
    placed.set(key, round + 1);
    const list = rounds[round] ?? [];
    list.push(event);
    rounds[round] = list;
  }
  return rounds;
}

export async function relayOutbox(
  ctx: JobCtx,
  boss: Pick<PgBoss, "insert">,
  handlers: readonly OutboxHandler[],
): Promise<number> {
  const claimed = await ctx.db.call<OutboxEvent[]>("claim_outbox", [CLAIM_MAX, LEASE_MS]);
  if (claimed.length === 0) return 0;
  for (const handler of handlers) {
    const mine = claimed.filter(({ kind }) => handler.kinds.includes(kind));
    for (const round of inRounds(mine))
      await boss.insert(
        queueOf(handler),
        round.map((event) => ({
          id: jobIdOf(event.id, handler.name),
          data: event,
          singletonKey: event.order ?? event.id,
        })),
      );
  }
  await ctx.db.write(
    "update outbox set enqueued_at = clock_timestamp(), lease_until = null where id = any ($1)",
    [claimed.map(({ id }) => id)],
  );
  return claimed.length;
}
