import type { RehearsalReport } from "../../shared/contract/sales.ts";

/** What a crowd met. Bounded: however large the crowd, the report stays small. */

const WRONG_MAX = 20;

export type Count = "joined" | "admitted" | "absent" | "bought" | "refused";

export type Tally = {
  count(what: Count): void;
  waited(ms: number): void;
  /** An answer that should not have been. */
  wrong(what: string): void;
  report(): RehearsalReport;
};

export function createTally(): Tally {
  const counts: Record<Count, number> = {
    joined: 0,
    admitted: 0,
    absent: 0,
    bought: 0,
    refused: 0,
  };
  const waits: number[] = [];
  const wrong = new Map<string, number>();
  return {
    count(what) {
      counts[what] += 1;
    },
    waited(ms) {
      waits.push(ms);
    },
    wrong(what) {
      if (wrong.size < WRONG_MAX || wrong.has(what)) wrong.set(what, (wrong.get(what) ?? 0) + 1);
    },
    report() {
      const sorted = waits.toSorted((a, b) => a - b);
      const at = (share: number) =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
      return {
        ...counts,
        waitMs: { p50: at(0.5), p95: at(0.95), max: at(1) },
        wrong: [...wrong].map(([what, times]) => (times === 1 ? what : `${what} (${times})`)),
      };
    },
  };
}
