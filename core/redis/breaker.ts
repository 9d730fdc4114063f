/**
 * A breaker over one Redis side, pure: after a few failures in a row nothing asks for a while, then
 * one command probes. Without it every request would pay the time-out of a dead Redis.
 */
export type Breaker = {
  /** Whether a command may go now; taking the probe counts as asking. */
  allows(nowMs: number): boolean;
  succeeded(): void;
  failed(nowMs: number): void;
  isOpen(nowMs: number): boolean;
};

export const BREAKER_FAILURES_MAX = 5;
export const BREAKER_OPEN_MS = 1_000;

export function createBreaker(): Breaker {
  let failures = 0;
  let closedAgainAt = 0;
  const isOpen = (nowMs: number) => failures >= BREAKER_FAILURES_MAX && nowMs < closedAgainAt;
  return {
    allows(nowMs) {
      if (failures < BREAKER_FAILURES_MAX) return true;
      if (nowMs < closedAgainAt) return false;
      // The prober: others wait for its answer, or for the next turn.
      closedAgainAt = nowMs + BREAKER_OPEN_MS;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed(nowMs) {
      failures += 1;
      if (failures >= BREAKER_FAILURES_MAX) closedAgainAt = nowMs + BREAKER_OPEN_MS;
    },
    isOpen,
  };
}
