import { assert } from "../result.ts";
import { type DrawInput, drawKey } from "./key.ts";
import { type Permutation, permutation } from "./permutation.ts";

/**
 * Index in the pool ↔ number in the line. This is all a fan's page needs at the opening (1.4 kB
 * compressed), and takes it 16 HMACs or a few times that; nothing here asks anybody anything.
 */
export type Draw = {
  readonly count: number;
  /** number = π(index) + 1 */
  numberOf(index: number): number;
  indexOf(number: number): number;
  /**
   * The indexes of `batch` numbers from `from` on, cut at N: how the line is filled from its front.
   * Keep the Draw between batches, it remembers its round functions.
   */
  indexesOf(from: number, batch: number): Uint32Array;
};

/** Needs at least one index: with an empty pool there is nothing to draw. */
export function drawOf(input: DrawInput): Draw {
  return drawFrom(permutation(drawKey(input), input.count));
}

function drawFrom(pi: Permutation): Draw {
  return {
    count: pi.size,
    numberOf: (index) => pi.positionOf(index) + 1,
    indexOf: (number) => pi.indexAt(number - 1),
    indexesOf(from, batch) {
      assert(Number.isInteger(from) && from >= 1, "numbers start at 1");
      const length = Math.max(0, Math.min(batch, pi.size - from + 1));
      return Uint32Array.from({ length }, (_, at) => pi.indexAt(from - 1 + at));
    },
  };
}

/** One batch for whoever holds only the key (10 ms for the first 1,000 of 2,000,000). */
export function numbersToIndexes(
  key: Uint8Array,
  count: number,
  from: number,
  batch: number,
): Uint32Array {
  return drawFrom(permutation(key, count)).indexesOf(from, batch);
}
