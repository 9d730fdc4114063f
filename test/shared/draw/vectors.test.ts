import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  chainHashOf,
  isBeaconSignature,
  QUICKNET,
  randomnessOf,
  roundTimeMs,
} from "../../../shared/draw/beacon.ts";
import { fromHex, toHex } from "../../../shared/draw/hex.ts";
import { commitmentTo, drawKey } from "../../../shared/draw/key.ts";
import {
  appendLeaves,
  EMPTY_FRONTIER,
  EMPTY_PLACE,
  leafHash,
  placeHash,
  poolRoot,
  rootOf,
  rootOfPath,
} from "../../../shared/draw/merkle.ts";
import { drawOf, numbersToIndexes } from "../../../shared/draw/numbers.ts";
import { VECTORS_FILE, vectors } from "./vectors.ts";

test("the vectors are the frozen ones: a change here is another draw, and needs another format", () => {
  expect(createHash("sha256").update(readFileSync(VECTORS_FILE)).digest("hex")).toBe(
    "10b607601989b23677e3e91e9dd78288b5e4dca30d85d87a251dc8f772581d1f",
  );
  expect(vectors.draws.map(({ count }) => count)).toEqual(
    expect.arrayContaining([1, 2, 3, 10, 1_000, 2_000_000]),
  );
});

describe.each(vectors.draws)("the draw of $count", (vector) => {
  const input = {
    seed: fromHex(vector.seed),
    beacon: fromHex(vector.beacon),
    event: vector.event,
    epoch: vector.epoch,
    count: vector.count,
  };

  test("has the commitment, the key and the numbers that are written down", () => {
    expect(toHex(commitmentTo(input.seed))).toBe(vector.commitment);
    expect(toHex(drawKey(input))).toBe(vector.key);
    const draw = drawOf(input);
    expect(vector.indexes.map(draw.numberOf)).toEqual(vector.numbers);
    expect(vector.numbers.map(draw.indexOf)).toEqual(vector.indexes);
    expect([...draw.indexesOf(1, 10)]).toEqual(vector.front);
    expect([...numbersToIndexes(fromHex(vector.key), vector.count, 1, 10)]).toEqual(vector.front);
  });

  test("comes out the same to the last index", () => {
    const draw = drawOf(input);
    const bytes = Buffer.alloc(4 * vector.count);
    for (let index = 0; index < vector.count; index++) {
      bytes.writeUInt32BE(draw.numberOf(index), 4 * index);
    }
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(vector.sha256OfNumbers);
  });
});

describe.each(vectors.trees)("the tree of $size", ({ size, skipped, root, proofs }) => {
  const hashAt = (index: number) =>
    skipped.includes(index) ? EMPTY_PLACE : placeHash(`plc_00_vector-${index}`);

  test("has the root that is written down, and its proofs lead there", () => {
    const leaves = Array.from({ length: size }, (_, index) => leafHash(index, hashAt(index)));
    expect(toHex(poolRoot(size, rootOf(appendLeaves(EMPTY_FRONTIER, leaves))))).toBe(root);
    for (const { index, placeHash: place, path } of proofs) {
      expect(place).toBe(toHex(hashAt(index)));
      const reached = rootOfPath(size, index, leafHash(index, fromHex(place)), path.map(fromHex));
      expect(reached && toHex(poolRoot(size, reached))).toBe(root);
    }
  });
});

describe("the beacon", () => {
  test("is quicknet, whose hash binds its key and times", () => {
    expect(vectors.chain).toEqual(QUICKNET);
    expect(chainHashOf(QUICKNET)).toBe(QUICKNET.hash);
  });

  test.each(vectors.beacons)("signed round $round, at its time", (beacon) => {
    expect(isBeaconSignature(QUICKNET, beacon.round, beacon.signature)).toBe(true);
    expect(isBeaconSignature(QUICKNET, beacon.round + 1, beacon.signature)).toBe(false);
    expect(toHex(randomnessOf(beacon.signature))).toBe(beacon.randomness);
    expect(new Date(roundTimeMs(QUICKNET, beacon.round)).toISOString()).toBe(beacon.due);
  });
});
