/** Seeded chances (mulberry32): the same seed gives the same life of the world. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  hits(share: number): boolean {
    return this.next() < share;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low));
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.between(0, list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  }
}
