import { beaconUrl, readBeacon } from "../../shared/draw/beacon.ts";
import { fromHex } from "../../shared/draw/hex.ts";
import { type Draw, drawOf } from "../../shared/draw/numbers.ts";
import { log } from "../http/problem.ts";
import { beaconHex, opensAtOf, type RoomCore } from "./core.ts";
import {
  type DrawFacts,
  type DrawStep,
  FILL_AHEAD,
  FILL_BATCH,
  leavesDue,
  nextDrawStep,
} from "./draw.ts";
import { addLeaves, treeRoot } from "./leaves.ts";
import { openDoors } from "./restore.ts";
import { enterPhase } from "./schedule.ts";
import { NO_COUNTS } from "./state.ts";

/** Carries out what `draw.ts` decides, one durable step after another, while the beat has time. */
const STEPS_PER_BEAT_MAX = 40;

/** Ticks the line once more within the beat. @returns whether it has answered as it should. */
export type TickAgain = () => Promise<boolean>;

export async function stepDraw(room: RoomCore, tick: TickAgain): Promise<void> {
  if (room.state.settings.early !== "draw") return;
  if (room.state.phase === "upcoming") return await keepTree(room);
  for (let steps = 0; steps < STEPS_PER_BEAT_MAX; steps += 1) {
    if (room.state.draw.shutAt === undefined) return;
    const step = nextDrawStep(factsOf(room));
    if (!(await carryOut(room, step, tick))) return;
  }
}

/** The tree grows while people join, so that few leaves are missing when the pool is shut. */
async function keepTree(room: RoomCore): Promise<void> {
  const { counts, draw } = room.state;
  const due = leavesDue({ nextIndex: counts?.nextIndex ?? 0, leaves: draw.leaves });
  if (due.count > 0) await addLeaves(room, due);
}

function factsOf(room: RoomCore): DrawFacts {
  const { state } = room;
  const { draw, settings } = state;
  const counts = state.counts ?? NO_COUNTS;
  return {
    now: Date.now(),
    opensAt: opensAtOf(state),
    lineReady: room.isServing() && !room.stale,
    shutAt: draw.shutAt,
    shutInLine: draw.shutInLine,
    journalsPending: state.journalsPending,
    nextIndex: counts.nextIndex,
    leaves: draw.leaves,
    count: draw.count,
    beacon:
      settings.beacon.kind === "none" || !draw.round
        ? { kind: "none" }
        : {
            kind: "drand",
            round: draw.round.round,
            dueAt: draw.round.dueAt,
            signature: draw.signature,
            without: draw.without !== undefined,
            tries: draw.tries,
            lastTryAt: draw.lastTryAt,
          },
    closed: state.phase === "closed",
    opened: state.everOpen,
    openInLine: draw.openInLine,
    revealed: draw.revealedAt !== undefined,
    filled: counts.filled,
    calling: counts.calling,
  };
}

/** @returns whether the next step may be taken at once. */
async function carryOut(room: RoomCore, step: DrawStep, tick: TickAgain): Promise<boolean> {
  const { state } = room;
  const { draw } = state;
  switch (step.step) {
    case "wait":
    case "rest":
    case "done":
    case "shut_pool":
      return false;
    case "shut_line":
      return (await tick()) && draw.shutInLine;
    case "add_leaves":
      return await addLeaves(room, { from: step.from, count: step.count });
    case "fix_count":
      draw.count = step.count;
      draw.root = treeRoot(draw.peaks, draw.leaves);
      draw.countedAt = Date.now();
      room.bumpLine();
      return true;
    case "fetch_beacon":
      return await fetchBeacon(room, step.round);
    case "open_line":
      return (await tick()) && draw.openInLine;
    case "open_room":
      room.ledger.together(() => {
        const now = Date.now();
        const open = { phase: "open", endInside: false, newEpoch: false, by: "draw" } as const;
        room.ledger.audit({
          at: now,
          actor: "draw",
          action: "open",
          before: { phase: state.phase },
          after: { phase: "open", count: step.count },
        });
        enterPhase(state, open, now);
        room.bumpLine();
      });
      return true;
    case "reveal":
      draw.revealedAt = Date.now();
      room.bumpLine();
      log("room.drawn", { event: state.event, epoch: state.epoch, count: draw.count });
      await openDoors(room);
      return true;
    case "fill": {
      const count = Math.min(step.count, FILL_BATCH);
      const filled = await fill(room, { start: step.start, count });
      // As soon as the front stands in the line the first are called, not a beat later.
      return filled && isFirstFilled(room) ? await tick() : filled;
    }
  }
}

/** Nobody is called yet, and enough numbers are filled in for whatever the first call will be. */
function isFirstFilled({ state }: RoomCore): boolean {
  const { filled, calling } = state.counts ?? NO_COUNTS;
  return calling === 0 && filled >= Math.min(FILL_AHEAD, state.draw.count ?? 0);
}

const draws = new WeakMap<RoomCore, { key: string; draw: Draw }>();

/** Kept between batches: it remembers its round functions. */
function drawFor(room: RoomCore, count: number): Draw {
  const { event, epoch, draw } = room.state;
  const key = `${epoch} ${count}`;
  const known = draws.get(room);
  if (known?.key === key) return known.draw;
  const made = drawOf({
    seed: fromHex(draw.seed),
    beacon: fromHex(beaconHex(room.state)),
    event,
    epoch,
    count,
  });
  draws.set(room, { key, draw: made });
  return made;
}

async function fill(room: RoomCore, batch: { start: number; count: number }): Promise<boolean> {
  const { state } = room;
  const count = state.draw.count ?? 0;
  const indexes = [...drawFor(room, count).indexesOf(batch.start + 1, batch.count)];
  const result = await room.line.fill(
    { epoch: state.epoch, restore: state.restore },
    { gen: state.gen, start: batch.start, indexes },
  );
  if (result.state !== "filled" && result.state !== "not_here") return false;
  if (state.counts) state.counts = { ...state.counts, filled: result.filled };
  return result.state === "filled";
}

/** A relay is never believed: only the signature of exactly this round counts. */
async function fetchBeacon(room: RoomCore, round: number): Promise<boolean> {
  const { draw, settings } = room.state;
  const chain = draw.round?.chain ?? room.config.beaconChain;
  const relay = settings.beacon.url ?? "https://api.drand.sh";
  draw.tries += 1;
  draw.lastTryAt = Date.now();
  room.save();
  try {
    const answer = await room.config.outbound(beaconUrl(relay, chain, round));
    if (!answer.ok) return false;
    const read = readBeacon(chain, round, await answer.json());
    if (!read.ok) {
      log("room.beacon_refused", { event: room.state.event, round, fault: read.error });
      return false;
    }
    // Meanwhile somebody may have gone on without it, or begun another epoch: that stands.
    if (room.state.draw !== draw || draw.without !== undefined) return false;
    draw.signature = read.value.signature;
    room.bump();
    return true;
  } catch (error) {
    log("room.beacon_failed", { event: room.state.event, round, error: String(error) });
    return false;
  }
}
