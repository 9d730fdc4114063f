import { readFileSync } from "node:fs";
import type { RedisSide } from "../redis/redis.ts";

/**
 * The fast path in front of chosen seats: of many people at one seat, one reaches the database. It
 * is advice, never a decision. A lock lives for the length of a statement, its value is the person,
 * and whoever finds Redis away or slow goes straight to PostgreSQL. A lost or foreign lock can cost
 * somebody two seconds, never a seat.
 */
export const SEAT_LOCK_MS = 2_000;
/** Beyond this Redis is no shortcut. */
const LOCK_MS_MAX = 50;

const readScript = (name: string) =>
  readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), "utf8");
const LOCK = readScript("lock-seats");
const UNLOCK = readScript("unlock-seats");

type Wanted = { event: string; seats: readonly string[]; subject: string };

const keysOf = (locks: RedisSide, { event, seats }: Wanted) =>
  seats.map((seat) => `${locks.prefix}seat:{${event}}:${seat}`);

export type SeatLocks =
  /** Ours, or nobody's because Redis did not answer: ask the database. `taken` says which. */
  { kind: "go"; taken: boolean } | { kind: "busy"; seats: string[] };

export async function lockSeats(locks: RedisSide, wanted: Wanted): Promise<SeatLocks> {
  const keys = keysOf(locks, wanted);
  const answer = await locks.attempt(
    (client) => client.eval(LOCK, keys.length, ...keys, wanted.subject, SEAT_LOCK_MS),
    LOCK_MS_MAX,
  );
  if (!answer.ok) {
    // After a time-out the script may have run; what it took is given back like any other.
    return { kind: "go", taken: answer.error.reason === "timeout" };
  }
  const positions = Array.isArray(answer.value) ? answer.value.map(Number) : [];
  if (positions.length === 0) return { kind: "go", taken: true };
  return {
    kind: "busy",
    seats: positions.flatMap((position) => wanted.seats[position - 1] ?? []),
  };
}

/**
 * Not waited for, and not stopped by the breaker: what was taken just before it opened is given back
 * too. A lock that stays behind all the same ends by itself.
 */
export function unlockSeats(locks: RedisSide, wanted: Wanted): void {
  const keys = keysOf(locks, wanted);
  locks.client.eval(UNLOCK, keys.length, ...keys, wanted.subject).catch(() => undefined);
}
