import type { Phase } from "../../../shared/contract/queue.ts";
import type { RoomActionName } from "../../../shared/contract/rooms.ts";

/** What the console offers and foretells. Pure; the gate decides all of it again. */

const POSSIBLE: Readonly<Record<Phase, readonly RoomActionName[]>> = {
  upcoming: ["open", "close"],
  drawing: ["draw_without_beacon", "close"],
  open: ["pause", "sold_out", "stop", "close", "admit"],
  paused: ["resume", "stop", "sold_out", "close", "admit"],
  sold_out: ["reopen", "close"],
  closed: ["reset"],
};

export const actionsFor = (phase: Phase): readonly RoomActionName[] => POSSIBLE[phase];

/** Acts that end something for people get a second look. */
export const isGrave = (action: RoomActionName): boolean =>
  action === "stop" || action === "close" || action === "reset" || action === "sold_out";

/** ms until the last one now waiting is in, if everybody comes; undefined when nobody waits. */
export const msUntilLast = (waiting: number, ratePerMinute: number): number | undefined =>
  waiting === 0 ? undefined : (waiting / Math.max(1, ratePerMinute)) * 60_000;
