import { type BeaconChain, drawRound, roundTimeMs } from "../../shared/draw/beacon.ts";

/**
 * How a drawn room opens, one step after another. Pure: the Room writes down what a step did, and
 * asks again with the new facts, so a crash between any two steps repeats the last one and nothing
 * else. The order is what makes the draw checkable: pool shut → N and root durable and published →
 * the beacon's round → line opened behind N → seed shown → line filled from its front.
 */
export type DrawFacts = {
  /** ms since 1970, the room's clock. */
  now: number;
  opensAt: number;
  /** The line answers, and under the fence the Room has accepted. A room never opens during a restore. */
  lineReady: boolean;
  /** When the Room shut the pool, durably (phase `drawing`). */
  shutAt: number | undefined;
  /** The line has confirmed a tick in phase `drawing`: no join gets an index any more. */
  shutInLine: boolean;
  /** Some Door's journal may hold arrivals from before the opening that have no index yet. */
  journalsPending: boolean;
  /** The next index the line would give; final once `shutInLine` and the journals are in. */
  nextIndex: number;
  /** Leaves in the Merkle tree. */
  leaves: number;
  /** N, durable together with the root. */
  count: number | undefined;
  beacon: BeaconFacts;
  /** Closed by the schedule or by hand; until somebody reopens the room nothing goes on. */
  closed: boolean;
  /** The room has been opened, durably; a pause since then is not undone. */
  opened: boolean;
  /** The line has confirmed a tick with phase `open` and N: numbers behind N can be given. */
  openInLine: boolean;
  /** `status` may show the seed; durable. */
  revealed: boolean;
  /** How far the line has been filled from its front; N after a lost pool. */
  filled: number;
  calling: number;
};

export type BeaconFacts =
  | { kind: "none" }
  | {
      kind: "drand";
      round: number;
      /** When the round is due, ms since 1970. */
      dueAt: number;
      /** Its verified value, durable. */
      signature: string | undefined;
      /** Somebody decided to go on without it (audited, durable). */
      without: boolean;
      tries: number;
      lastTryAt: number | undefined;
    };

/** What the room tells people it waits for. */
type DrawWait = "opening" | "reopening" | "line" | "journals" | "round" | "beacon";

export type DrawStep =
  | { step: "wait"; for: DrawWait; untilMs: number }
  /** Make phase `drawing` durable; arrivals go to `late` from here on. */
  | { step: "shut_pool" }
  /** Tick the line in phase `drawing`. */
  | { step: "shut_line" }
  /** Add the leaves of the indexes `from`…`from + count − 1`; whoever left has an empty one. */
  | { step: "add_leaves"; from: number; count: number }
  /** Make N and root durable, then show them. */
  | { step: "fix_count"; count: number }
  /** Ask the relay for exactly this round; store only what `readBeacon` accepts. */
  | { step: "fetch_beacon"; round: number }
  /** Make phase `open` durable. */
  | { step: "open_room"; count: number }
  /** Tick the line with `poolSize` N: from then on numbers behind N can be given. */
  | { step: "open_line" }
  /** Make it durable that the seed is public, then show it. */
  | { step: "reveal" }
  /** Enter numbers `start + 1`…`start + count`; the script acts only if `filled` is `start`. */
  | { step: "fill"; start: number; count: number }
  /** Nothing to do until `calling` has moved on. */
  | { step: "rest" }
  | { step: "done" };

/** How long N waits for arrivals that a Door took down while Redis was away. */
export const JOURNALS_WAIT_MS_MAX = 60_000;
/** One step's leaves: about 10 ms of hashing. */
export const LEAVES_PER_STEP_MAX = 4_096;
export const FILL_BATCH = 1_000;
/** The line holds this many numbers more than are called: a second at the highest pace, twice over. */
export const FILL_AHEAD = 10_000;
const POLL_MS = 1_000;
const BEACON_RETRY_MS_MAX = 5_000;

export function nextDrawStep(facts: DrawFacts): DrawStep {
  const { now } = facts;
  const wait = (what: DrawWait, untilMs: number): DrawStep => ({
    step: "wait",
    for: what,
    untilMs,
  });
  if (facts.revealed) return fillStep(facts);
  if (facts.closed && !facts.opened) return wait("reopening", now + POLL_MS);
  if (facts.shutAt === undefined) {
    return now < facts.opensAt ? wait("opening", facts.opensAt) : { step: "shut_pool" };
  }
  if (!facts.lineReady) return wait("line", now + POLL_MS);
  if (facts.count === undefined) return countStep(facts, facts.shutAt);
  const missing = facts.opened ? undefined : beaconStep(facts.beacon, now);
  if (missing) return missing;
  if (!facts.opened) return { step: "open_room", count: facts.count };
  if (!facts.openInLine) return { step: "open_line" };
  return { step: "reveal" };
}

function countStep(facts: DrawFacts, shutAt: number): DrawStep {
  const { now, nextIndex, leaves } = facts;
  if (!facts.shutInLine) return { step: "shut_line" };
  // The tree keeps up while the room waits, so that N and root are out soon after the last arrival.
  if (leaves < nextIndex) {
    return {
      step: "add_leaves",
      from: leaves,
      count: Math.min(LEAVES_PER_STEP_MAX, nextIndex - leaves),
    };
  }
  const journalsUntil = shutAt + JOURNALS_WAIT_MS_MAX;
  if (facts.journalsPending && now < journalsUntil) {
    return { step: "wait", for: "journals", untilMs: Math.min(journalsUntil, now + POLL_MS) };
  }
  return { step: "fix_count", count: nextIndex };
}

/** What is still missing of the beacon; nothing when the draw may go on. */
function beaconStep(beacon: BeaconFacts, now: number): DrawStep | undefined {
  if (beacon.kind === "none" || beacon.signature !== undefined || beacon.without) return undefined;
  if (now < beacon.dueAt) return { step: "wait", for: "round", untilMs: beacon.dueAt };
  const pauseMs = Math.min(
    BEACON_RETRY_MS_MAX,
    POLL_MS * Math.max(1, Math.floor(beacon.tries / 10)),
  );
  const retryAt = beacon.lastTryAt === undefined ? now : beacon.lastTryAt + pauseMs;
  if (now < retryAt) return { step: "wait", for: "beacon", untilMs: retryAt };
  return { step: "fetch_beacon", round: beacon.round };
}

function fillStep(facts: DrawFacts): DrawStep {
  const { count, filled } = facts;
  if (count === undefined || filled >= count) return { step: "done" };
  if (!facts.lineReady) return { step: "wait", for: "line", untilMs: facts.now + POLL_MS };
  if (filled >= facts.calling + FILL_AHEAD) return { step: "rest" };
  return { step: "fill", start: filled, count: Math.min(FILL_BATCH, count - filled) };
}

/** While the room is up: leaves to add beside a tick, so that closing finds few of them missing. */
export function leavesDue(facts: { nextIndex: number; leaves: number }): {
  from: number;
  count: number;
} {
  const { leaves, nextIndex } = facts;
  return { from: leaves, count: Math.max(0, Math.min(LEAVES_PER_STEP_MAX, nextIndex - leaves)) };
}

/** With a beacon the opening can be moved only while nobody could know the round's value. */
export const OPENING_FROZEN_MS = 60_000;

export function openingMayMove(room: {
  now: number;
  opensAt: number;
  beacon: "none" | "drand";
}): boolean {
  return room.beacon === "none" || room.now < room.opensAt - OPENING_FROZEN_MS;
}

/** The beacon's part of a room's record when its opening is set, or somebody opens by hand. */
export function announceRound(
  chain: BeaconChain,
  opensAt: number,
): { round: number; dueAt: number } {
  const round = drawRound(chain, opensAt);
  return { round, dueAt: roundTimeMs(chain, round) };
}
