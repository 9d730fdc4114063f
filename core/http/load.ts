/** How busy this process is, for the capacity report: requests in flight and their recent speed. */
export type Load = {
  count: number;
  /** Of the recent requests that are ours alone (no streams, no waiting for a payment provider). */
  p95Ms(): number;
  note(ms: number): void;
  noteError(): void;
  /** Answers of 500 and above within the last while. */
  errors(): { errors: number; withinS: number };
};

const KEPT = 1_024;
/** What was slow longer ago says nothing about now: the gate's pace must recover with the core. */
const RECENT_MS = 5_000;
const ERRORS_WITHIN_S = 300;
const ERRORS_MAX = 10_000;

export function createLoad(): Load {
  const recent = new Float64Array(KEPT);
  const notedAt = new Float64Array(KEPT);
  let noted = 0;
  let failedAt: number[] = [];
  const recentErrors = () => {
    const since = performance.now() - ERRORS_WITHIN_S * 1_000;
    return failedAt.filter((at) => at > since);
  };
  return {
    count: 0,
    p95Ms() {
      const since = performance.now() - RECENT_MS;
      const some = recent
        .slice(0, Math.min(noted, KEPT))
        .filter((_, at) => (notedAt[at] ?? 0) > since)
        .sort();
      return Math.round((some[Math.floor(some.length * 0.95)] ?? 0) * 100) / 100;
    },
    note(ms) {
      recent[noted % KEPT] = ms;
      notedAt[noted % KEPT] = performance.now();
      noted += 1;
    },
    noteError() {
      if (failedAt.length >= ERRORS_MAX) failedAt = recentErrors().slice(1);
      failedAt.push(performance.now());
    },
    errors: () => ({ errors: recentErrors().length, withinS: ERRORS_WITHIN_S }),
  };
}
