import { log } from "../http/problem.ts";
import { answerWithin } from "../http/within.ts";
import type { Arrival } from "../line/types.ts";
import type { RoomCore } from "./core.ts";
import { DOOR_ANSWER_MS, DOORS_WAIT_MS } from "./missing-doors.ts";

/**
 * Collects what the Doors journalled while Redis was away, merges it by arrival time and enters it.
 * Until the last journal is in, every new arrival goes to `late`, so nobody passes who came before.
 */
const PAGE = 1_000;
const BATCH = 1_000;
/** Then the beat goes on, and collecting with the next one. */
const COLLECT_MS_MAX = 3_000;

type Source = { arrivals: (Arrival & { door: number })[]; more: boolean };

/** @returns whether every journal is in. */
export async function collectJournals(room: RoomCore): Promise<boolean> {
  const began = Date.now();
  const { epoch, restore } = room.state;
  while (Date.now() - began < COLLECT_MS_MAX) {
    const sources = await readPages(room);
    if (!sources) return false;
    const batch = mergeArrivals(sources, BATCH);
    if (batch.length === 0) return true;
    const result = await room.line.arrivals(
      { epoch, restore },
      { gen: room.state.gen, arrivals: batch.map(({ place, at }) => ({ place, at })) },
    );
    if (result.state !== "entered") return false;
    if (result.over > 0) {
      // The ceiling comes first; who was entered is known to the script and sent again harmlessly.
      room.state.wantsRoom = result.over;
      return false;
    }
    await markEntered(room, batch);
    log("room.journals", { event: room.state.event, entered: batch.length });
  }
  return false;
}

/**
 * Nobody passes whoever may stand in the journal of a Door that does not answer; but not for ever: after
 * {@link DOORS_WAIT_MS} the others go on, and that Door's own come in when it tells of them.
 */
async function readPages(room: RoomCore): Promise<Source[] | undefined> {
  const doors = room.presentDoors();
  const pages = await Promise.allSettled(
    doors.map(({ stub, room: door }) => answerWithin(stub.journalPage(door, PAGE), DOOR_ANSWER_MS)),
  );
  const isSilent = pages.some(({ status }) => status === "rejected");
  if (!isSilent) room.journalHeldSince = undefined;
  else {
    room.journalHeldSince ??= Date.now();
    if (Date.now() - room.journalHeldSince < DOORS_WAIT_MS) return undefined;
    log("room.without_journals", { event: room.state.event });
  }
  return pages.flatMap((page, at) => {
    const door = doors[at]?.room.door ?? 0;
    if (page.status === "rejected") return [];
    const arrivals = page.value.arrivals.map((arrival) => ({ ...arrival, door }));
    return [{ arrivals, more: page.value.more }];
  });
}

/**
 * The oldest arrivals of all journals, as many as are certainly the oldest: a journal that has more
 * than it showed bounds the merge at its last one.
 */
export function mergeArrivals<T extends { at: number }>(
  sources: readonly { arrivals: readonly T[]; more: boolean }[],
  limit: number,
): T[] {
  const bound = Math.min(
    ...sources.map(({ arrivals, more }) =>
      more ? (arrivals.at(-1)?.at ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    ),
  );
  return sources
    .flatMap(({ arrivals }) => arrivals)
    .filter(({ at }) => at <= bound)
    .sort((a, b) => a.at - b.at)
    .slice(0, limit);
}

async function markEntered(
  room: RoomCore,
  batch: readonly (Arrival & { door: number })[],
): Promise<void> {
  const byDoor = new Map<number, string[]>();
  for (const { door, place } of batch) byDoor.set(door, [...(byDoor.get(door) ?? []), place]);
  const doors = room.doors();
  await Promise.allSettled(
    [...byDoor].map(async ([index, places]) => {
      const door = doors[index];
      if (door) await answerWithin(door.stub.journalEntered(door.room, places), DOOR_ANSWER_MS);
    }),
  );
}
