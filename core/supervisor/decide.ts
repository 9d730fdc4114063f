/** Pure: what to do about a worker that ended. */

/** A worker that keeps ending is started ever more rarely, and never given up. */
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 15_000;
/** Ends older than this say nothing about the next start. */
const WINDOW_MS = 120_000;

export type Ended = { code: number | null; everListened: boolean; stopping: boolean };

/**
 * `give_up`: no worker has ever come up, so the next would fail the same way (a bad setting); its
 * own message is already printed.
 */
export function afterEnd(
  ended: Ended,
  recentEnds: readonly number[],
  now: number,
): { do: "start"; afterMs: number } | { do: "give_up" } | { do: "nothing" } {
  if (ended.stopping) return { do: "nothing" };
  if (!ended.everListened) return { do: "give_up" };
  const recent = recentEnds.filter((at) => at > now - WINDOW_MS).length;
  return {
    do: "start",
    afterMs: Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** Math.max(0, recent - 1)),
  };
}
