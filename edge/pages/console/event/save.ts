import type { EventPut } from "../../../../shared/contract/events.ts";
import type { Reply } from "../../kit/api.ts";
import { blockSeats, putEvent } from "../calls/event.ts";
import { patchRoom, putRoom, readRoom } from "../calls/room.ts";
import type { Session } from "../calls/session.ts";
import { timedBrand } from "../room/brand.ts";
import { blockedIn, type Draft, putOf } from "./draft.ts";

type Failure = Exclude<Reply<unknown>, { kind: "ok" }>;
export type Saved = { kind: "saved" } | { kind: "bad-time" } | { kind: "failed"; reply: Failure };

type Work = {
  id: string;
  draft: Draft;
  reason: string;
  isNew: boolean;
  /** The event whose room's settings are taken over, too. */
  cloneOf: string | undefined;
  version: string | undefined;
  wasBlocked: ReadonlySet<string>;
};

const SEATS_AN_ACT_MAX = 5_000;

/**
 * Event, blocked seats and, for a new one, its room: three kinds of call, since core and gate are two
 * systems. Whatever fails can be pressed again: each of them is what it was, or what it shall be.
 */
export async function saveEvent(session: Session, work: Work): Promise<Saved> {
  const put = putOf(work.draft);
  if (put === undefined) return { kind: "bad-time" };
  const saved = await putEvent(session, work.id, { put, version: work.version });
  if (saved.kind !== "ok") return { kind: "failed", reply: saved };
  const blocked = blockedIn(work.draft.sections);
  const more = [...blocked].filter((seat) => !work.wasBlocked.has(seat));
  const less = [...work.wasBlocked].filter((seat) => !blocked.has(seat));
  for (const [seats, block] of [
    [more, true],
    [less, false],
  ] as const) {
    const failed = await blockAll(session, work, seats, block);
    if (failed) return { kind: "failed", reply: failed };
  }
  if (work.isNew) return makeRoom(session, work, put);
  const failed = await tellTime(session, work.id, { ...put, reason: work.reason });
  return failed ? { kind: "failed", reply: failed } : { kind: "saved" };
}

async function blockAll(
  session: Session,
  { id, reason }: Work,
  seats: readonly string[],
  block: boolean,
): Promise<Failure | undefined> {
  for (let from = 0; from < seats.length; from += SEATS_AN_ACT_MAX) {
    const some = seats.slice(from, from + SEATS_AN_ACT_MAX);
    const reply = await blockSeats(session, id, { seats: some, block, reason });
    if (reply.kind !== "ok") return reply;
  }
  return undefined;
}

/** A queue page that says when the event begins says the new time, too. */
export async function tellTime(
  session: Session,
  event: string,
  told: { startsAt: string; timeZone: string; reason: string },
): Promise<Failure | undefined> {
  const room = await readRoom(session, event);
  if (room.kind !== "ok") return undefined;
  const { startsAt, timeZone } = room.data.branding;
  const isTold = startsAt === told.startsAt && timeZone === told.timeZone;
  if (startsAt === undefined || isTold) return undefined;
  const branding = timedBrand(room.data.branding, told);
  const reply = await patchRoom(session, room.data, { branding, reason: told.reason });
  return reply.kind === "ok" ? undefined : reply;
}

async function makeRoom(session: Session, work: Work, put: EventPut): Promise<Saved> {
  const source = work.cloneOf === undefined ? undefined : await readRoom(session, work.cloneOf);
  const copied = source?.kind === "ok" ? settingsOf(source.data) : {};
  const { name, venue } = work.draft;
  const made = await putRoom(session, work.id, {
    ...copied,
    opensAt: put.saleOpensAt,
    branding: { ...timedBrand(copied.branding ?? {}, put), name, venue },
  });
  return made.kind === "ok" ? { kind: "saved" } : { kind: "failed", reply: made };
}

type RoomData = Extract<Awaited<ReturnType<typeof readRoom>>, { kind: "ok" }>["data"];

/** What a new sale takes over: its rules, not its moment. */
function settingsOf(room: RoomData): Partial<RoomData> {
  const {
    event: _event,
    epoch: _epoch,
    version: _version,
    phase: _phase,
    reason: _reason,
    opensAt: _opensAt,
    closesAt: _closesAt,
    schedule: _schedule,
    notice: _notice,
    rehearsalOf: _rehearsalOf,
    ...settings
  } = room;
  return settings;
}
