// Simulated time: one queue of events, one clock, and everything that reads a clock or sets a timer in
// this process goes by them. Real time only passes while a script runs in Redis, or a key is used.
import { AsyncLocalStorage } from "node:async_hooks";
import { RealWork } from "./real-work.ts";

/** Who runs: its clock is off by so much, and after its death nothing of it is heard any more. */
export type Life = { readonly name: string; readonly skewMs: number; dead: boolean };

type Event = { readonly at: number; readonly order: number; readonly run: () => unknown };

const START_MS = 1_800_000_000_000;

export class Time {
  now = START_MS;
  #order = 0;
  #heap: Event[] = [];
  readonly lives = new AsyncLocalStorage<Life>();
  readonly #realWork = new RealWork();

  /** Everything begins anew, also the chances: nothing of an earlier life comes into this one. */
  begin(seed: number): void {
    this.now = START_MS;
    this.#heap = [];
    this.#realWork.begin(seed);
  }

  at(at: number, run: () => unknown): void {
    this.#order += 1;
    const heap = this.#heap;
    heap.push({ at: Math.max(at, this.now), order: this.#order, run });
    let child = heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfEarlier(child, parent)) return;
      child = parent;
    }
  }

  after(ms: number, run: () => unknown): void {
    this.at(this.now + ms, run);
  }

  /** The time in `ms`, as somebody who waits for it sees it. */
  pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Carries out the next event, and what follows from it without waiting. @returns false when none is left. */
  async step(): Promise<boolean> {
    await this.#realWork.done();
    const next = this.#pop();
    if (!next) return false;
    this.now = Math.max(this.now, next.at);
    await next.run();
    await this.#realWork.done();
    return true;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    heap[0] = last;
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= heap.length) return first;
      const child = left + 1 < heap.length && this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, parent)) return first;
      parent = child;
    }
  }

  #isEarlier(a: number, b: number): boolean {
    const [x, y] = [this.#heap[a], this.#heap[b]];
    if (!x || !y) return false;
    return x.at < y.at || (x.at === y.at && x.order < y.order);
  }

  #swapIfEarlier(a: number, b: number): boolean {
    if (!this.#isEarlier(a, b)) return false;
    const [x, y] = [this.#heap[a], this.#heap[b]];
    if (x && y) [this.#heap[a], this.#heap[b]] = [y, x];
    return true;
  }

  /** From now on `Date.now` and the timers of this process are this clock's. */
  rule(): void {
    this.#realWork.rule();
    const RealDate = Date;
    RealDate.now = () => this.now + (this.lives.getStore()?.skewMs ?? 0);
    let timers = 0;
    const stopped = new Set<number>();
    const set = (work: () => void, ms = 0): number => {
      timers += 1;
      const id = timers;
      const life = this.lives.getStore();
      this.after(ms, () => {
        if (stopped.delete(id) || life?.dead) return;
        if (life) this.lives.run(life, work);
        else work();
      });
      return id;
    };
    const wait = (ms: number) => this.pass(ms);
    Object.assign(globalThis, {
      setTimeout: set,
      clearTimeout: (id: number) => void stopped.add(id),
      scheduler: { wait },
    });
  }
}
