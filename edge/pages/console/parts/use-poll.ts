import { useEffect } from "preact/hooks";

/**
 * Calls `look` again and again, the next time only after the last one has answered, and never while
 * nobody sees the page. `look` is told how often it has been called.
 */
export function usePoll(
  look: (turn: number) => Promise<void>,
  everyMs: number,
  again: readonly unknown[],
): void {
  useEffect(() => {
    let stopped = false;
    let turn = 0;
    let timer: ReturnType<typeof setTimeout>;
    const loop = async () => {
      const started = performance.now();
      if (!document.hidden || turn === 0) await look(turn);
      turn += 1;
      const passed = performance.now() - started;
      if (!stopped) timer = setTimeout(loop, Math.max(50, everyMs - passed));
    };
    void loop();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, again);
}
