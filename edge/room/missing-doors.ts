import type { RoomState } from "./state.ts";

/**
 * What a restore does when a Door does not answer. It waits, since only that Door knows who of its
 * places is inside; but not for ever. After {@link DOORS_WAIT_MS} every claim is out of the rate's
 * window, and the Room goes on without the Door, with as many slots taken as its places may hold until
 * the last of them must have ended. The Door itself serves nobody until a restore has had its rows;
 * as soon as it answers there is one. Pure.
 */
export const DOOR_ANSWER_MS = 3_000;
/** Longer than the rate's window, so that no claim we do not know of still counts in it. */
export const DOORS_WAIT_MS = 90_000;
/** The core may have lengthened a slot while its fan paid. */
const PAYING_MS_MAX = 900_000;

export type MissingDoor = { door: number; slots: number; until: number };

export type MissingVerdict = { go: "on"; missing: MissingDoor[] } | { go: "wait" };

/** @param called rows of the ledger that may be people inside: the deadline of each one's call, ms. */
export function decideMissing(input: {
  silent: readonly number[];
  lostAt: number;
  now: number;
  sessionMs: number;
  called: (door: number) => readonly number[];
}): MissingVerdict {
  const { silent, lostAt, now } = input;
  if (silent.length === 0) return { go: "on", missing: [] };
  if (now - lostAt < DOORS_WAIT_MS) return { go: "wait" };
  const missing = silent.map((door) => {
    const ends = input
      .called(door)
      .map((deadline) => deadline + Math.max(input.sessionMs, PAYING_MS_MAX))
      .filter((end) => end > now);
    return { door, slots: ends.length, until: Math.max(now, ...ends) };
  });
  return { go: "on", missing };
}

/** Slots that nobody may take while we cannot know whether they are free. */
export const slotsOfMissing = (missing: readonly MissingDoor[], now: number): number =>
  missing.reduce((sum, { slots, until }) => sum + (until > now ? slots : 0), 0);

export const isMissing = (state: Pick<RoomState, "missing">, door: number): boolean =>
  state.missing.some((known) => known.door === door);
