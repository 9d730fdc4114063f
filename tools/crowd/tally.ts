// Counts what a crowd met: how often, how fast, and every answer that should not have been.

const WRONG_KINDS_MAX = 50;

export interface CallSummary {
  readonly call: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

export class Tally {
  readonly #latencies = new Map<string, number[]>();
  readonly #wrong = new Map<string, number>();
  readonly #events = new Map<string, number>();

  record(call: string, ms: number): void {
    const known = this.#latencies.get(call);
    if (known === undefined) this.#latencies.set(call, [ms]);
    else known.push(ms);
  }

  count(event: string): void {
    this.#events.set(event, this.counted(event) + 1);
  }

  counted(event: string): number {
    return this.#events.get(event) ?? 0;
  }

  wrong(what: string): void {
    const isFull = this.#wrong.size >= WRONG_KINDS_MAX && !this.#wrong.has(what);
    const kind = isFull ? "other" : what;
    this.#wrong.set(kind, (this.#wrong.get(kind) ?? 0) + 1);
  }

  calls(): CallSummary[] {
    return [...this.#latencies].map(([call, values]) => {
      const sorted = Float64Array.from(values).sort();
      const at = (share: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return { call, count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
    });
  }

  wrongs(): [what: string, times: number][] {
    return [...this.#wrong].sort(([, a], [, b]) => b - a);
  }
}
