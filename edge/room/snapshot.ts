import type { StatusDocument } from "../../shared/contract/queue.ts";
import { beaconHex, holdOf, opensAtOf, type RoomCore, rateOf } from "./core.ts";
import { NO_COUNTS, type RoomState } from "./state.ts";

/** The shared document that everybody who waits reads: the Room's record, as far as it is public. */

const NEAR_MS = 2_000;
const FAR_MS_MIN = 5_000;
const FAR_MS_MAX = 60_000;
const NEAR_MIN = 20;
/** Near means: within so many seconds of admissions of the number now called. */
const NEAR_SECONDS = 60;

export function statusOf(room: RoomCore, now: number): StatusDocument {
  const { state } = room;
  const { settings } = state;
  const counts = state.counts ?? NO_COUNTS;
  const rate = rateOf(state);
  const reason = reasonOf(state, now);
  const { branding, notice } = settings;
  return {
    event: state.event,
    epoch: state.epoch,
    v: state.v,
    phase: state.phase,
    ...(reason ? { reason } : {}),
    stale: room.stale || !room.isServing(),
    opensAt: new Date(opensAtOf(state)).toISOString(),
    ...(settings.closesAt ? { closesAt: new Date(settings.closesAt).toISOString() } : {}),
    now: new Date(now).toISOString(),
    pool: poolOf(state),
    issued: counts.last,
    calling: counts.calling,
    waiting: counts.waiting,
    inside: counts.inside,
    admitted: counts.admitted,
    ...(state.gaps.length > 0 ? { gaps: state.gaps } : {}),
    ratePerMinute: settings.ratePerMinute,
    measuredPerMinute: counts.minute,
    ...waitOf(room, now),
    ...seatsOf(state),
    poll: {
      nearMs: NEAR_MS,
      farMs: farMsOf(counts.waiting, rate),
      nearAhead: Math.max(NEAR_MIN, Math.ceil((rate * NEAR_SECONDS) / 60)),
    },
    early: settings.early,
    binding: settings.binding,
    ...(notice ? { notice } : {}),
    ...(counts.roundTheLine > 0 ? { letIn: counts.roundTheLine } : {}),
    ...(state.restoredMark ? { restored: state.restoredMark } : {}),
    ...(Object.keys(branding).length > 0 ? { branding: definedOnly(branding) } : {}),
  };
}

/** Absent settings are left out, not written as `undefined`. */
function definedOnly<T extends object>(value: T): NonNullable<StatusDocument["branding"]> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

function reasonOf(state: RoomState, now: number): string | undefined {
  if (state.phase === "open") return holdOf(state, now);
  return state.reason || undefined;
}

function poolOf(state: RoomState): StatusDocument["pool"] {
  const { draw, settings } = state;
  const counts = state.counts ?? NO_COUNTS;
  if (settings.early === "fifo") return { count: counts.pool };
  const revealed = draw.revealedAt !== undefined;
  const { round } = draw;
  return {
    count: draw.count ?? counts.nextIndex,
    commitment: draw.commitment,
    beacon:
      settings.beacon.kind === "none" || !round
        ? { kind: "none" }
        : {
            kind: "drand",
            round: round.round,
            at: new Date(round.dueAt).toISOString(),
            ...(revealed && draw.signature !== undefined
              ? { signature: draw.signature, randomness: beaconHex(state) }
              : {}),
          },
    ...(revealed ? { seed: draw.seed } : {}),
    ...(draw.count === undefined ? {} : { size: draw.count }),
    ...(draw.root === undefined ? {} : { root: draw.root }),
  };
}

function waitOf(room: RoomCore, now: number): Pick<StatusDocument, "wait"> {
  const { state } = room;
  if (state.phase !== "open" || holdOf(state, now) || room.stale) return {};
  const rate = rateOf(state);
  const perThousandMs = Math.round((1_000 / rate) * 60_000);
  return {
    wait: {
      perThousandMs,
      low: Math.round(perThousandMs * 0.8),
      high: Math.round(perThousandMs * 1.3),
    },
  };
}

function seatsOf(state: RoomState): Pick<StatusDocument, "seats"> {
  const { seats } = state.pace;
  if (!seats) return {};
  return {
    seats: { available: seats.available, held: seats.held + seats.paying, sold: seats.sold },
  };
}

/** Whoever is far asks the rarer, the longer the line. */
function farMsOf(waiting: number, rate: number): number {
  const minutes = waiting / Math.max(1, rate);
  return Math.round(Math.min(FAR_MS_MAX, Math.max(FAR_MS_MIN, minutes * 6_000)));
}
