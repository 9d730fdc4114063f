import { log } from "../http/problem.ts";
import type { Away, Fence, Ticked } from "../line/types.ts";
import { followPace } from "./capacity.ts";
import { lineSettings, type RoomCore, rateOf } from "./core.ts";
import { stepDraw } from "./drawing.ts";
import { collectJournals } from "./journals.ts";
import { openDoors, recallDoors, restoreLine } from "./restore.ts";
import { followSchedule } from "./schedule.ts";
import { followChanges } from "./scheduled.ts";
import { NO_COUNTS } from "./state.ts";
import type { Watch } from "./watch.ts";

/**
 * One second of a room: what is due by the clock, the restore if Redis is not the one we know, the
 * tick (again while work is left over), the draw, the journals, the history.
 */
const TICKS_PER_BEAT_MAX = 5;
/**
 * Numbers that may be given before the next beat raises the durable ceiling, at least, and that many
 * seconds of arrivals: a sale that opens has more of them in its first second than in all before it,
 * and whoever comes beyond the ceiling is told to come again. What a lost Redis skips costs nothing.
 */
const CEILING_BLOCK_MIN = 10_000;
const CEILING_SECONDS = 10;
const ESTIMATE_EVERY_BEATS = 30;

export type BeatVerdict = "ok" | "away" | "stale";

export async function runBeat(room: RoomCore, watch: Watch): Promise<BeatVerdict> {
  followPace(room, Date.now());
  followChanges(room, Date.now());
  followSchedule(room, Date.now());
  const serving = room.isServing() && !(await recallDoors(room, Date.now()));
  if (!serving) {
    if (!(await restoreLine(room, Date.now()))) return markAway(room);
    // Nothing opens during a restore; what has become due meanwhile opens now.
    followSchedule(room, Date.now());
  }
  for (let ticks = 0; ticks < TICKS_PER_BEAT_MAX; ticks += 1) {
    const result = await tickOnce(room, watch);
    if (result.state === "stale") {
      log("room.superseded", { event: room.state.event, gen: room.state.gen, by: result.gen });
      return "stale";
    }
    if (result.state === "away") return await onAway(room, result);
    if (!result.again) break;
  }
  if (!serving && (await openDoors(room))) room.state.journalsPending = true;
  if (room.state.journalsPending && (await collectJournals(room))) {
    room.state.journalsPending = false;
    room.save();
    // Who came last in the outage need not wait a second more for a number.
    await tickOnce(room, watch);
  }
  await stepDraw(room, async () => (await tickOnce(room, watch)).state === "ticked");
  remember(room, watch);
  return "ok";
}

async function tickOnce(
  room: RoomCore,
  watch: Watch,
): Promise<Ticked | { state: "stale"; gen: number } | Away> {
  const now = Date.now();
  raiseCeilings(room);
  const { state } = room;
  const fence: Fence = { epoch: state.epoch, restore: state.restore };
  const late = state.journalsPending || room.stale;
  const result = await room.line.tick(fence, {
    gen: state.gen,
    beat: state.beat,
    ack: state.ack,
    settings: lineSettings(state),
    reserved: state.reserved,
    advance: watch.advance(state, now),
    joinsLate: late,
    numberLate: !late,
  });
  if (result.state === "ticked") store(room, watch, { result, fence });
  return result;
}

/** Rows and record in one transaction; `status` shows the beat only after it. */
function store(room: RoomCore, watch: Watch, more: { result: Ticked; fence: Fence }): void {
  const { result, fence } = more;
  const { state } = room;
  if (state.epoch !== fence.epoch || state.restore !== fence.restore) return;
  const wasStale = room.stale;
  room.ledger.together(() => {
    for (const row of result.rows) room.ledger.rows.put(row);
    state.beat = result.beat;
    state.ack = result.ack;
    state.clock = result.clock;
    state.clockAt = Date.now();
    for (const row of result.rows)
      if (row.kind === "called") state.front = Math.max(state.front, row.number);
    state.counts = result.counts;
    state.toldNumber = Math.max(state.toldNumber, result.counts.last);
    state.wantsRoom = 0;
    // The first tick or join at or after the opening shuts the pool, whoever was first.
    if (state.phase === "upcoming" && result.phase === "drawing") {
      state.phase = "drawing";
      state.draw.shutAt ??= Date.now();
      state.lineVersion += 1;
    }
    if (result.phase === "drawing") state.draw.shutInLine = true;
    // Every tick after the opening carries N, in whichever phase the room is by then.
    if (state.everOpen && result.phase !== "drawing" && state.draw.count !== undefined)
      state.draw.openInLine = true;
    noteRate(room);
    state.v += 1;
    room.save();
  });
  room.stale = false;
  room.staleSince = undefined;
  room.trouble = undefined;
  // A tick that failed leaves Doors with journals that nobody has asked for yet.
  if (wasStale) state.journalsPending = true;
  watch.see(result, state, Date.now());
}

function noteRate(room: RoomCore): void {
  const { state } = room;
  const at = Date.now();
  const rate = rateOf(state);
  const last = state.rates.at(-1);
  if (last?.rate === rate) last.at = at;
  else state.rates.push({ at, rate });
  state.rates = state.rates.filter((entry) => entry.at > at - 60_000);
}

/** Durable before a tick hands them to Redis. */
function raiseCeilings(room: RoomCore): void {
  const { state } = room;
  const counts = state.counts ?? NO_COUNTS;
  const block = Math.max(
    CEILING_BLOCK_MIN,
    CEILING_SECONDS * room.arrivalsPerSecond,
    state.wantsRoom,
  );
  const number = Math.max(state.reserved.number, counts.last + block);
  const index = Math.max(state.reserved.index, counts.nextIndex + block);
  if (number - state.reserved.number < block / 2 && index - state.reserved.index < block / 2)
    return;
  state.reserved = { number, index };
  room.save();
}

async function onAway(room: RoomCore, away: Away): Promise<BeatVerdict> {
  const { reason } = away;
  room.trouble = `${reason}: ${away.detail}`;
  if (
    reason === "server" ||
    reason === "restore" ||
    reason === "rolled_back" ||
    reason === "filling"
  ) {
    // Not the Redis we know: the next beat fills it, under a new fence.
    room.state.serving = false;
    room.state.lostAt ??= Date.now();
    room.save();
    log("room.line_lost", { event: room.state.event, reason, detail: away.detail });
  }
  return markAway(room);
}

function markAway(room: RoomCore): BeatVerdict {
  if (!room.stale) {
    room.stale = true;
    room.staleSince = Date.now();
    room.bump();
  }
  return "away";
}

function remember(room: RoomCore, watch: Watch): void {
  const { state } = room;
  const counts = state.counts ?? NO_COUNTS;
  room.seeArrivals(counts.issued + counts.pool + counts.late, Date.now());
  if (state.beat % ESTIMATE_EVERY_BEATS === 0) room.ledger.keepEstimate(watch.estimate);
  room.ledger.remember({
    at: Date.now(),
    issued: counts.issued,
    waiting: counts.waiting,
    door: counts.door,
    inside: counts.inside,
    finished: counts.finished,
    gone: counts.gone,
    admitted: counts.admitted,
    calling: counts.calling,
    rate: rateOf(state),
  });
}
