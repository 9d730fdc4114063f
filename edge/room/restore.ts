import type { Door } from "../door/door.ts";
import type { DoorRoom } from "../door/messages.ts";
import { doorPrefix } from "../guard/place-id.ts";
import { log } from "../http/problem.ts";
import { answerWithin } from "../http/within.ts";
import type { Fence, RefillBegin } from "../line/types.ts";
import { lineSettings, type RoomCore } from "./core.ts";
import { DOOR_ANSWER_MS, decideMissing, isMissing } from "./missing-doors.ts";
import { NO_COUNTS } from "./state.ts";

/**
 * Fills a Redis that is not the one the Room knew: a new fence first, then every Door stops serving,
 * then the Room's rows and every Door's rows go in, and only then does the Room tick again. A failed
 * attempt takes a new fence; what was answered under an older one is ignored by the scripts.
 */
const ROWS_PER_CALL = 500;
const SPREAD_MS_PER_WAITING = 1;
const SPREAD_MS_MIN = 5_000;
const SPREAD_MS_MAX = 120_000;

export async function restoreLine(room: RoomCore, now: number): Promise<boolean> {
  const first = room.state.refills === 0;
  room.state.serving = false;
  room.state.restore = Math.max(room.state.restore + 1, Math.floor(now / 1_000));
  room.bumpLine();
  const fence: Fence = { epoch: room.state.epoch, restore: room.state.restore };
  const stopped = await stopDoors(room);
  room.mute.clear();
  const verdict = decideMissing({
    silent: stopped.silent,
    lostAt: room.state.lostAt ?? now,
    now,
    sessionMs: room.state.settings.sessionMs,
    called: (door) => room.ledger.rows.deadlinesOf(doorPrefix(door)),
  });
  room.state.lostAt ??= now;
  if (verdict.go === "wait" || (first && stopped.silent.length > 0))
    return fail(room, "a Door does not answer");
  room.state.missing = verdict.missing;
  if (verdict.missing.length > 0)
    log("room.without_doors", { event: room.state.event, missing: verdict.missing });
  if (!first) noteGap(room, stopped.highest);
  const pong = await room.line.ping();
  if (pong.state === "away") return fail(room, pong.detail);
  if (first) {
    // Keys of a deployment whose objects were thrown away must not come back to life.
    const unlinked = await room.line.unlinkEpoch(fence.epoch);
    if (unlinked.state === "away") return fail(room, unlinked.detail);
  }
  const begun = await room.line.refillBegin(fence, beginOf(room, now));
  if (begun.state !== "ok") return fail(room, `begin: ${begun.state}`);
  if (!(await replayRoom(room, fence))) return fail(room, "the Room's rows");
  if (!(await replayDoors(room, fence))) return fail(room, "a Door's rows");
  const ended = await room.line.refillEnd(fence, { gen: room.state.gen });
  if (ended.state !== "ok") return fail(room, `end: ${ended.state}`);
  if (room.state.restore !== fence.restore || room.state.epoch !== fence.epoch) return false;
  const { state } = room;
  state.serving = true;
  state.lostAt = undefined;
  state.refills += 1;
  state.refilledAt = Date.now();
  state.counts = ended.counts;
  // An epoch that begins with empty journals gives its first arrivals their numbers at once.
  state.journalsPending = !first || stopped.journalled > 0;
  if (!first) {
    const waiting = Math.max(0, state.counts.unreturned + state.counts.waiting);
    state.restoredMark = {
      beat: state.beat,
      spreadMs: Math.min(SPREAD_MS_MAX, Math.max(SPREAD_MS_MIN, waiting * SPREAD_MS_PER_WAITING)),
    };
  }
  room.bump();
  log("room.restored", { event: state.event, epoch: state.epoch, restore: state.restore, first });
  return true;
}

function fail(room: RoomCore, why: string): false {
  room.trouble = `restore: ${why}`;
  log("room.restore_failed", { event: room.state.event, why });
  return false;
}

/** Numbers between the last that anybody was told and the ceiling are nobody's. */
function noteGap(room: RoomCore, highestTold: number): void {
  const { state } = room;
  const told = Math.max(highestTold, state.draw.count ?? 0, state.toldNumber);
  const ceiling = state.reserved.number;
  if (ceiling > told && told >= 0) {
    state.gaps = mergeGap(state.gaps, [told + 1, ceiling]);
    state.toldNumber = ceiling;
  }
}

const GAPS_MAX = 100;

export function mergeGap(gaps: [number, number][], next: [number, number]): [number, number][] {
  const last = gaps.at(-1);
  if (last && next[0] <= last[1] + 1)
    return [...gaps.slice(0, -1), [last[0], Math.max(last[1], next[1])]];
  return [...gaps, next].slice(-GAPS_MAX);
}

function beginOf(room: RoomCore, now: number): RefillBegin {
  const { state } = room;
  const counts = state.counts ?? NO_COUNTS;
  const minuteAgo = now - 60_000;
  const rates = state.rates.filter(({ at }) => at > minuteAgo).map(({ rate }) => rate);
  const settings = lineSettings(state);
  return {
    gen: state.gen,
    fresh: state.refills === 0,
    clock: state.clock,
    elapsedMs: Math.max(0, now - state.clockAt),
    beat: state.beat,
    ack: state.ack,
    settings,
    reserved: state.reserved,
    calling: counts.calling,
    admitted: counts.admitted,
    unclaimed: counts.unclaimed,
    freed: counts.freed,
    roundTheLine: counts.roundTheLine,
    highestRate: Math.max(settings.ratePerMinute, ...rates),
  };
}

type Stopped = { highest: number; journalled: number; silent: number[] };

async function stopDoors(room: RoomCore): Promise<Stopped> {
  const doors = room.doors();
  const answers = await Promise.allSettled(
    doors.map(({ stub, room: door }) => answerWithin(stub.beginRestore(door), DOOR_ANSWER_MS)),
  );
  const stopped: Stopped = { highest: 0, journalled: 0, silent: [] };
  for (const [door, answer] of answers.entries()) {
    if (answer.status === "rejected" || room.mute.has(door)) {
      stopped.silent.push(door);
      continue;
    }
    stopped.highest = Math.max(stopped.highest, answer.value.highest);
    stopped.journalled += answer.value.journalled;
  }
  return stopped;
}

/**
 * A Door that was missing and answers again has rows that the line must hear: a whole restore comes with
 * the next beat. @returns whether that is so.
 */
export async function recallDoors(room: RoomCore, now: number): Promise<boolean> {
  const { missing } = room.state;
  if (missing.length === 0) return false;
  const doors = room.doors().filter(({ room: { door } }) => isMissing(room.state, door));
  const answers = await Promise.allSettled(
    doors.map(async ({ stub, room: door }) => {
      await answerWithin(stub.beginRestore(door), DOOR_ANSWER_MS);
      await answerWithin(stub.rowsPage(door, 0), DOOR_ANSWER_MS);
    }),
  );
  // Slots that must have ended by now are free again.
  if (missing.some(({ until }) => until <= now)) room.bumpLine();
  if (answers.every(({ status }) => status === "rejected")) return false;
  room.state.serving = false;
  room.save();
  return true;
}

async function replayRoom(room: RoomCore, fence: Fence): Promise<boolean> {
  let after = 0;
  for (;;) {
    const page = room.ledger.rows.page(after, ROWS_PER_CALL);
    if (page.rows.length > 0) {
      const result = await room.line.refillRows(fence, { gen: room.state.gen, rows: page.rows });
      if (result.state !== "ok") return false;
    }
    if (page.next === undefined) return true;
    after = page.next;
  }
}

/** A Door that does not give its rows counts as silent in the next attempt. */
async function replayDoors(room: RoomCore, fence: Fence): Promise<boolean> {
  const answers = await Promise.all(
    room.presentDoors().map(async ({ stub, room: door }) => {
      let after = 0;
      for (;;) {
        const page = await pageOf(stub, door, after);
        if (!page) {
          room.mute.add(door.door);
          return false;
        }
        if (page.rows.length > 0) {
          const { gen } = room.state;
          const result = await room.line.refillRows(fence, { gen, rows: page.rows });
          if (result.state !== "ok") return false;
        }
        if (page.next === undefined) return true;
        after = page.next;
      }
    }),
  );
  return answers.every(Boolean);
}

const pageOf = (stub: DurableObjectStub<Door>, door: DoorRoom, after: number) =>
  answerWithin(stub.rowsPage(door, after), DOOR_ANSWER_MS).catch(() => undefined);

/**
 * Doors serve only after the Room has ticked once, so that arrivals go to `late` from the start. A
 * Door that cannot be told asks by itself. @returns whether some journal has to be collected.
 */
export async function openDoors(room: RoomCore): Promise<boolean> {
  const facts = room.facts();
  const answers = await Promise.allSettled(
    room
      .presentDoors()
      .map(({ stub, room: door }) => answerWithin(stub.serve(door, facts), DOOR_ANSWER_MS)),
  );
  return answers.some((answer) => answer.status === "rejected" || answer.value.journalled > 0);
}
