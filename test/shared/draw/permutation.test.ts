import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../shared/draw/hex.ts";
import { numbersToIndexes } from "../../../shared/draw/numbers.ts";
import { POOL_MAX, permutation, ROUNDS } from "../../../shared/draw/permutation.ts";
import { sha256 } from "../../../shared/draw/sha256.ts";

/** The keys are fixed, so the statistics below come out the same on every run. */
const keyOf = (label: string) => sha256(utf8(`sira test key ${label}`));

describe("the permutation", () => {
  test("is a bijection with its inverse, for every N up to 5,000", () => {
    for (let size = 1; size <= 5_000; size++) {
      const pi = permutation(keyOf(`n${size}`), size);
      const seen = new Uint8Array(size);
      for (let index = 0; index < size; index++) {
        const position = pi.positionOf(index);
        // Outside 0…N−1 this sets nothing, and the count below falls short.
        seen[position] = 1;
        // Every index of the small pools, every 17th of the larger ones.
        if ((size <= 500 || index % 17 === 0) && pi.indexAt(position) !== index) {
          expect.fail(`N=${size}: ${index} does not come back`);
        }
      }
      if (seen.includes(0)) expect.fail(`N=${size}: nobody got position ${seen.indexOf(0)}`);
    }
  });

  test("is a bijection at the sizes around powers of two, and at two million", () => {
    for (const size of [65_535, 65_536, 65_537, 1_048_577, 2_000_000]) {
      const pi = permutation(keyOf(`n${size}`), size);
      const seen = new Uint8Array(size);
      for (let index = 0; index < size; index++) seen[pi.positionOf(index)] = 1;
      expect(seen.indexOf(0), `N=${size}`).toBe(-1);
    }
  });

  test("comes back from every index of pools up to ten million, and up to the bound", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.oneof(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: POOL_MAX })),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
          minLength: 20,
          maxLength: 20,
        }),
        (key, size, samples) => {
          const pi = permutation(key, size);
          const indexes = new Set(samples.map((sample) => Math.floor(sample * size)));
          const positions = new Set<number>();
          for (const index of indexes) {
            const position = pi.positionOf(index);
            expect(position).toBeGreaterThanOrEqual(0);
            expect(position).toBeLessThan(size);
            expect(pi.indexAt(position)).toBe(index);
            positions.add(position);
          }
          expect(positions.size).toBe(indexes.size);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("refuses what is no index, no size and no key", () => {
    const pi = permutation(keyOf("refusals"), 10);
    for (const index of [-1, 10, 0.5, Number.NaN]) {
      expect(() => pi.positionOf(index)).toThrow("an index is 0 to N-1");
      expect(() => pi.indexAt(index)).toThrow("an index is 0 to N-1");
    }
    for (const size of [0, -1, 1.5, POOL_MAX + 1]) {
      expect(() => permutation(keyOf("refusals"), size)).toThrow("N is 1 to 2^30");
    }
    expect(() => permutation(new Uint8Array(31), 10)).toThrow("32 bytes");
  });

  test("fills in batches that follow each other and end at N", () => {
    const key = keyOf("batches");
    const all = [...numbersToIndexes(key, 2_500, 1, 5_000)];
    const batches = [1, 1_001, 2_001, 3_001].flatMap((from) => [
      ...numbersToIndexes(key, 2_500, from, 1_000),
    ]);
    expect(all).toHaveLength(2_500);
    expect(batches).toEqual(all);
    expect([...all].sort((one, other) => one - other)).toEqual(
      Array.from({ length: 2_500 }).map((_, at) => at),
    );
  });
});

describe("nobody is favoured", () => {
  const KEYS = 10_000;

  /** How many standard deviations a chi-square lies above its mean (Wilson and Hilferty). */
  const excess = (counts: readonly number[]): number => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const expected = total / counts.length;
    const square = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    const freedom = counts.length - 1;
    const spread = 2 / (9 * freedom);
    return (Math.cbrt(square / freedom) - (1 - spread)) / Math.sqrt(spread);
  };

  /** One in 30,000 fair tables would be further out; these few hundred are fixed, and are not. */
  const SIGMA_MAX = 4;

  /** The positions of all indexes, once for each key. */
  function* drawsOf(size: number): Generator<number[]> {
    for (let at = 0; at < KEYS; at++) {
      const pi = permutation(keyOf(`even ${size} ${at}`), size);
      yield Array.from({ length: size }, (_, index) => pi.positionOf(index));
    }
  }
  const count = <Cell>(cells: Map<Cell, number>, cell: Cell) =>
    cells.set(cell, (cells.get(cell) ?? 0) + 1);

  test("every order of three people is as likely", () => {
    const orders = new Map<string, number>();
    for (const positions of drawsOf(3)) count(orders, positions.join());
    expect(orders.size).toBe(6);
    expect(excess([...orders.values()])).toBeLessThan(SIGMA_MAX);
  });

  test("of ten people each is as likely at every position, and any two at every pair of them", () => {
    const singles = Array.from({ length: 10 }, () => new Map<number, number>());
    const watched: [number, number][] = [
      [0, 1],
      [2, 9],
      [4, 5],
    ];
    const pairs = watched.map(() => new Map<string, number>());
    for (const positions of drawsOf(10)) {
      for (const [index, cells] of singles.entries()) count(cells, positions[index] ?? -1);
      for (const [at, [one, other]] of watched.entries()) {
        const cells = pairs[at];
        if (cells) count(cells, `${positions[one]} ${positions[other]}`);
      }
    }
    for (const cells of singles) {
      expect(cells.size).toBe(10);
      expect(excess([...cells.values()])).toBeLessThan(SIGMA_MAX);
    }
    for (const cells of pairs) {
      expect(cells.size).toBe(90);
      expect(excess([...cells.values()])).toBeLessThan(SIGMA_MAX);
    }
  });

  test("of fifty people each is as likely at every position", () => {
    const singles = Array.from({ length: 50 }, () => new Map<number, number>());
    for (const positions of drawsOf(50)) {
      for (const [index, cells] of singles.entries()) count(cells, positions[index] ?? -1);
    }
    for (const cells of singles) {
      expect(cells.size).toBe(50);
      expect(excess([...cells.values()])).toBeLessThan(SIGMA_MAX);
    }
  });

  test("in a pool of 2,000,000 the first, a middle and the last are as likely in every twentieth, and apart from each other", () => {
    const size = 2_000_000;
    const watched = [0, 1, 1_234_567, size - 1];
    const tables = watched.map(() => new Array<number>(20).fill(0));
    const joint = new Array<number>(25).fill(0);
    for (let at = 0; at < 4_000; at++) {
      const pi = permutation(keyOf(`large ${at}`), size);
      const shares = watched.map((index) => pi.positionOf(index) / size);
      for (const [which, table] of tables.entries()) {
        const cell = Math.floor((shares[which] ?? 0) * 20);
        table[cell] = (table[cell] ?? 0) + 1;
      }
      const cell = 5 * Math.floor((shares[0] ?? 0) * 5) + Math.floor((shares[1] ?? 0) * 5);
      joint[cell] = (joint[cell] ?? 0) + 1;
    }
    for (const table of tables) expect(excess(table)).toBeLessThan(SIGMA_MAX);
    expect(excess(joint)).toBeLessThan(SIGMA_MAX);
  });

  test("the test itself would notice one position that is a quarter too likely", () => {
    const fair = new Array<number>(10).fill(KEYS / 10);
    const bent = fair.map((people, at) => (at === 0 ? people * 1.25 : people));
    expect(excess(fair)).toBeLessThan(0);
    expect(excess(bent)).toBeGreaterThan(SIGMA_MAX);
  });

  test("sixteen rounds leave pairs within one in a billion of even, from eight bits on", () => {
    for (let width = 8; width <= 30; width++) {
      const distance = pairDistance(width >> 1, width - (width >> 1), ROUNDS);
      expect(distance, `${width} bits`).toBeLessThan(1e-9);
    }
    expect(pairDistance(1, 2, ROUNDS)).toBeGreaterThan(1 / 400);
  });
});

/**
 * Total variation between the positions of two values after some rounds and two different positions
 * drawn evenly, with ideal round functions. Only whether the halves of the two differ matters:
 * a round redraws the one half where the other differs, and leaves its difference where it does not.
 * What was never redrawn is counted as wholly uneven, so this is an upper bound.
 */
function pairDistance(highBits: number, lowBits: number, rounds: number): number {
  const [highs, lows] = [2 ** highBits, 2 ** lowBits];
  const even = {
    onlyHigh: (highs - 1) / (highs * lows - 1),
    onlyLow: (lows - 1) / (highs * lows - 1),
  };
  const starts = [
    { onlyHigh: 1, onlyLow: 0 },
    { onlyHigh: 0, onlyLow: 1 },
    { onlyHigh: 0, onlyLow: 0 },
  ];
  const distances = starts.map((start) => {
    let { onlyHigh, onlyLow } = start;
    for (let round = 0; round < rounds; round++) {
      if (round % 2 === 0) onlyLow = (1 - onlyHigh) / highs;
      else onlyHigh = (1 - onlyLow) / lows;
    }
    const both = Math.abs(1 - onlyHigh - onlyLow - (1 - even.onlyHigh - even.onlyLow));
    return (Math.abs(onlyHigh - even.onlyHigh) + Math.abs(onlyLow - even.onlyLow) + both) / 2;
  });
  const undrawn = Math.max(1 / highs, 1 / lows) ** (rounds / 2);
  return Math.max(...distances) + undrawn;
}
