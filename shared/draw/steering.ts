import { roundTimeMs } from "./beacon.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Whether whoever ran the room could have steered the draw, in so many words. The sentences are part
 * of the format: every verifier works the statement out for itself and compares it.
 */
export const STATEMENTS = {
  beacon:
    "Not steerable by the organizer: the seed was committed to before anybody joined, the pool was published before the beacon's round, and the beacon could not be known before that.",
  none: "Steerable by the organizer: this draw used no public beacon. Whoever ran the room knew the seed while people joined, and could work out the result of closing the pool at any moment.",
  without:
    "Steerable by the organizer: the public beacon was announced but not used. An operator went on without it, knowing the result of going on.",
  late: "Steerable by the organizer: the pool was published only after the beacon's round was public, so the result of changing the pool could be known.",
  announcedLate:
    "Steerable by the organizer: the beacon's round was announced only when it was public, so it could be chosen by its result.",
  redrawn:
    "Steerable by the organizer: an earlier draw of this event was abandoned when its result could be known, so a result could be thrown away.",
} as const;

export type Steering = { steerable: boolean; statement: string };

/** Judges by the times in the document; each of them was public when it says (README, "Trust"). */
export function steeringOf(evidence: Pick<Evidence, "beacon" | "pool" | "abandoned">): Steering {
  const reason = reasonOf(evidence);
  return { steerable: reason !== "beacon", statement: STATEMENTS[reason] };
}

function reasonOf({
  beacon,
  pool,
  abandoned,
}: Pick<Evidence, "beacon" | "pool" | "abandoned">): keyof typeof STATEMENTS {
  if (beacon.kind === "none") return "none";
  if (beacon.without) return "without";
  const publicAt = roundTimeMs(beacon.chain, beacon.round);
  if (Date.parse(beacon.announcedAt) >= publicAt) return "announcedLate";
  if (pool && Date.parse(pool.publishedAt) >= publicAt) return "late";
  if (abandoned.some((epoch) => epoch.state !== "committed")) return "redrawn";
  return "beacon";
}
