import { type CoreCall, closeCall, notBeforeCall, tellCore } from "../guard/core-calls.ts";
import { log } from "../http/problem.ts";
import type { RoomCore } from "./core.ts";

/**
 * Admissions that the core must hear have ended. They are queued in the step that ends them and sent
 * until the core has heard; an admission's own end is the last resort.
 */
const PER_PASS = 20;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;
const TRIES_MAX = 200;
const INSIDE_PAGE = 2_000;

/** For `stop` and `close`: everybody inside, by the Doors' records. */
export async function queueInside(room: RoomCore, now: number, reason: string): Promise<void> {
  const { event, epoch } = room.state;
  const answers = await Promise.allSettled(
    room
      .doors()
      .map(({ stub, room: door }) => stub.insidePlaces(door, { now, limit: INSIDE_PAGE })),
  );
  for (const answer of answers) {
    if (answer.status !== "fulfilled") continue;
    for (const inside of answer.value)
      queue(room, { key: inside.place, epoch, now, call: closeCall(event, inside, reason) });
  }
}

/** For `reset`: one call for all. */
export function queueEpoch(room: RoomCore, now: number, reason: string): void {
  const { event, epoch } = room.state;
  queue(room, { key: "*", epoch, now, call: notBeforeCall(event, now, reason) });
}

function queue(
  room: RoomCore,
  entry: { key: string; epoch: number; now: number; call: CoreCall },
): void {
  room.ledger.sql.exec(
    `insert or replace into closings (place, epoch, tries, next_at, body) values (?, ?, 0, ?, ?)`,
    entry.key,
    entry.epoch,
    entry.now,
    JSON.stringify(entry.call),
  );
}

/** Sends what is due, a few at a time. */
export async function deliverClosings(room: RoomCore): Promise<void> {
  const now = Date.now();
  const { sql } = room.ledger;
  const due = sql
    .exec<{ place: string; epoch: number; tries: number; body: string }>(
      "select place, epoch, tries, body from closings where next_at <= ? order by next_at limit ?",
      now,
      PER_PASS,
    )
    .toArray();
  await Promise.all(
    due.map(async ({ place, epoch, tries, body }) => {
      const call = JSON.parse(body) as CoreCall;
      const answer = await tellCore(room.config, { ...call, event: room.state.event });
      const heard = answer !== "away";
      if (heard || tries + 1 >= TRIES_MAX) {
        if (!heard) log("room.closing_given_up", { event: room.state.event, place });
        sql.exec("delete from closings where place = ? and epoch = ?", place, epoch);
        return;
      }
      sql.exec(
        "update closings set tries = tries + 1, next_at = ? where place = ? and epoch = ?",
        Date.now() + Math.min(RETRY_MS_MAX, RETRY_MS * (tries + 1)),
        place,
        epoch,
      );
    }),
  );
}
