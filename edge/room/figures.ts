import { type RoomCore, rateOf } from "./core.ts";
import { type EstimateState, waitRange } from "./estimate.ts";
import type { Figures } from "./messages.ts";
import type { CapacityFacts } from "./pace.ts";
import { NO_COUNTS } from "./state.ts";

const SECONDS_MAX = 3_600;
/** Two weeks of a sale. */
const MINUTES_MAX = 20_160;

/**
 * From the last beat and the history: the same cost for 100 people and for 1,000,000. A console that
 * has the history up to `since` (ms) gets what came after it.
 */
export function figuresOf(
  room: RoomCore,
  estimate: EstimateState,
  { now, since }: { now: number; since: number },
): Figures {
  const { state } = room;
  const counts = state.counts ?? NO_COUNTS;
  const calls = counts.admitted + counts.unclaimed;
  const { hold, report } = state.pace;
  return {
    event: state.event,
    epoch: state.epoch,
    at: new Date(now).toISOString(),
    phase: state.phase,
    stale: room.stale || !room.isServing(),
    issued: counts.issued,
    waiting: counts.waiting,
    calling: counts.calling,
    door: counts.door,
    inside: counts.inside,
    admitted: counts.admitted,
    unclaimed: counts.unclaimed,
    finished: counts.finished,
    gone: counts.gone,
    unreturned: counts.unreturned,
    late: counts.late,
    pool: counts.pool,
    noShowShare: calls === 0 ? 0 : counts.unclaimed / calls,
    ratePerMinute: state.settings.ratePerMinute,
    effectivePerMinute: rateOf(state),
    measuredPerMinute: counts.minute,
    letIn: counts.roundTheLine,
    ...(room.verifierAwayUntil > now
      ? { verifierAwayUntil: new Date(room.verifierAwayUntil).toISOString() }
      : {}),
    ...(hold ? { holding: hold } : {}),
    ...(report ? { seats: seatsOf(report) } : {}),
    ...(report ? { capacity: capacityOf(report) } : {}),
    ...waitOf(room, estimate),
    waits: [...(estimate.recent ?? [])],
    store: {
      ok: !room.stale && room.isServing(),
      at: new Date(state.clockAt).toISOString(),
      ...(room.trouble === undefined ? {} : { trouble: room.trouble }),
    },
    ...(state.settings.rehearsalOf === undefined
      ? {}
      : { rehearsalOf: state.settings.rehearsalOf }),
    ...(estimate.settled > 0
      ? {
          promises: {
            kept: estimate.kept,
            made: estimate.settled,
            restated: estimate.restated,
          },
        }
      : {}),
    history: {
      perSecond: room.ledger.history("seconds", { limit: SECONDS_MAX, since }),
      perMinute: room.ledger.history("minutes", { limit: MINUTES_MAX, since }),
    },
  };
}

const seatsOf = ({ available, held, paying, sold }: CapacityFacts) => ({
  available,
  held,
  paying,
  sold,
});

const capacityOf = ({ limitPerMinute, inFlight, p95Ms, at }: CapacityFacts) => ({
  limitPerMinute,
  inFlight,
  p95Ms,
  at: new Date(at).toISOString(),
});

function waitOf(room: RoomCore, estimate: EstimateState): Pick<Figures, "wait"> {
  const { state } = room;
  const moving = state.phase === "open" && state.pace.hold === null && !room.stale;
  const range = waitRange(estimate, { ratePerMinute: rateOf(state), moving });
  if (!range) return {};
  const { perThousandMs, lowPerThousandMs: low, highPerThousandMs: high } = range;
  return { wait: { perThousandMs, low, high } };
}
