import type { StatusDocument } from "../../shared/contract/queue.ts";
import type { RoomSettings } from "../../shared/contract/rooms.ts";
import type { WaitSpan } from "../../shared/wait.ts";
import { logoPath } from "./branding.ts";
import { beaconHex, opensAtOf, type RoomCore, rateOf } from "./core.ts";
import { type EstimateState, waitRange } from "./estimate.ts";
import { HIGH_AT_FIRST, LOW_AT_FIRST } from "./promise-range.ts";
import { NO_COUNTS, type RoomState } from "./state.ts";

/** The shared document that everybody who waits reads: the Room's record, as far as it is public. */

const NEAR_MS = 2_000;
const FAR_MS_MIN = 5_000;
const FAR_MS_MAX = 60_000;
const NEAR_MIN = 20;
/** Near means: within so many seconds of admissions of the number now called. */
const NEAR_SECONDS = 60;
/** Where many numbers have gone, as many more of them are passed for each admission. */
const NUMBERS_EACH_MAX = 20;
const NUMBERS_EACH_AT_FIRST = 2;

export function statusOf(room: RoomCore, estimate: EstimateState, now: number): StatusDocument {
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
    phase: shownPhase(state),
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
    ...waitOf(room, estimate),
    ...seatsOf(state),
    poll: {
      nearMs: NEAR_MS,
      farMs: farMsOf(counts.waiting, rate),
      nearAhead: nearAheadOf(rate, estimate),
    },
    early: settings.early,
    binding: settings.binding,
    ...(notice ? { notice } : {}),
    ...(counts.roundTheLine > 0 ? { letIn: counts.roundTheLine } : {}),
    ...(state.restoredMark ? { restored: state.restoredMark } : {}),
    ...brandingOf(state.event, branding),
  };
}

/** Absent settings are left out, not written as `undefined`; the logo is fetched once, not with each look. */
function brandingOf(
  event: string,
  branding: RoomSettings["branding"],
): Pick<StatusDocument, "branding"> {
  const named = Object.entries(branding).filter(([, field]) => field !== undefined);
  if (named.length === 0) return {};
  const { logo } = branding;
  const shown = { ...Object.fromEntries(named), ...(logo ? { logo: logoPath(event, logo) } : {}) };
  return { branding: shown };
}

/**
 * A drawn room shows `open` together with its seed: a page that saw the one without the other would come
 * back for its number only with its next look, a minute later.
 */
function shownPhase({ phase, settings, draw }: RoomState): StatusDocument["phase"] {
  const isOut = settings.early !== "draw" || draw.revealedAt !== undefined;
  return phase === "open" && !isOut ? "drawing" : phase;
}

function reasonOf(state: RoomState, now: number): string | undefined {
  if (state.phase === "drawing") return drawingReason(state, now);
  if (state.phase === "open") return state.pace.hold ?? undefined;
  return state.reason || undefined;
}

/** What the draw waits for, so that nobody thinks it forgot them. */
function drawingReason({ draw, settings, journalsPending }: RoomState, now: number) {
  if (draw.count === undefined) return journalsPending ? "awaiting_journals" : undefined;
  if (settings.beacon.kind === "none" || !draw.round || draw.without) return undefined;
  if (draw.signature !== undefined) return undefined;
  return now < draw.round.dueAt ? "awaiting_round" : "awaiting_beacon";
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
            ...(draw.without ? { without: true } : {}),
            ...(revealed && draw.signature !== undefined
              ? { signature: draw.signature, randomness: beaconHex(state) }
              : {}),
          },
    ...(revealed ? { seed: draw.seed } : {}),
    ...(draw.count === undefined ? {} : { size: draw.count }),
    ...(draw.root === undefined ? {} : { root: draw.root }),
  };
}

/** Learned from what was promised and came true; at first, from the rate alone. */
function waitOf(room: RoomCore, estimate: EstimateState): Pick<StatusDocument, "wait"> {
  const { state } = room;
  const moving = state.phase === "open" && state.pace.hold === null && !room.stale;
  if (!moving) return {};
  const rate = rateOf(state);
  const learned = waitRange(estimate, { ratePerMinute: rate, moving });
  if (learned)
    return {
      wait: {
        perThousandMs: learned.perThousandMs,
        low: learned.lowPerThousandMs,
        high: learned.highPerThousandMs,
        spans: learned.spans.map(roundSpan),
      },
    };
  const perThousandMs = Math.round(60_000_000 / rate);
  return {
    wait: {
      perThousandMs,
      low: Math.round(perThousandMs * LOW_AT_FIRST),
      high: Math.round(perThousandMs * HIGH_AT_FIRST),
    },
  };
}

const roundSpan = ({ ahead, lowMs, highMs }: WaitSpan): WaitSpan => ({
  ahead,
  lowMs: Math.round(lowMs),
  highMs: Math.round(highMs),
});

function seatsOf(state: RoomState): Pick<StatusDocument, "seats" | "tiers"> {
  const { report } = state.pace;
  if (!report) return {};
  const { available, held, paying, sold, tiers } = report;
  return { seats: { available, held: held + paying, sold }, ...(tiers ? { tiers } : {}) };
}

/**
 * The most that any memory of the line saw passed for each admission. What it has seen counts for
 * little in the first minute: after an opening the few who are in first come from anywhere among those
 * called, and taken at their word would bring a twenty times larger crowd to the door.
 */
function nearAheadOf(rate: number, estimate: EstimateState): number {
  const weighed = estimate.memories.map(({ numbersEach, usedShare, seen }) => {
    const admitted = usedShare * seen;
    return (numbersEach * admitted + NUMBERS_EACH_AT_FIRST * rate) / (admitted + rate);
  });
  const seen = Math.max(1, ...weighed);
  const each = Math.min(NUMBERS_EACH_MAX, seen);
  return Math.max(NEAR_MIN, Math.ceil((rate * each * NEAR_SECONDS) / 60));
}

/** Whoever is far asks the rarer, the longer the line. */
function farMsOf(waiting: number, rate: number): number {
  const minutes = waiting / Math.max(1, rate);
  return Math.round(Math.min(FAR_MS_MAX, Math.max(FAR_MS_MIN, minutes * 6_000)));
}
