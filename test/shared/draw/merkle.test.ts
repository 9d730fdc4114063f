import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHUNK_LEAVES, chunkRoot, hashesOf, pathFromChunks } from "../../../shared/draw/chunks.ts";
import { toHex } from "../../../shared/draw/hex.ts";
import {
  appendLeaves,
  EMPTY_FRONTIER,
  EMPTY_PLACE,
  type Frontier,
  type Hash,
  inclusionPath,
  leafHash,
  nodeHash,
  placeHash,
  rootOf,
  rootOfPath,
} from "../../../shared/draw/merkle.ts";
import { concatBytes, sha256 } from "../../../shared/draw/sha256.ts";

const leavesOf = (size: number, from = 0): Hash[] =>
  Array.from({ length: size }, (_, at) => leafHash(from + at, placeHash(`plc_${from + at}`)));

/** RFC 9162 §2.1.1, as it is written there. */
function plainRoot(leaves: Hash[]): Hash {
  const [only] = leaves;
  if (!only) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(plainRoot(leaves.slice(0, split)), plainRoot(leaves.slice(split)));
}

describe("the tree that grows", () => {
  test("has the root of RFC 9162 after every single leaf", () => {
    const leaves = leavesOf(130);
    let frontier = EMPTY_FRONTIER;
    expect(rootOf(frontier)).toEqual(plainRoot([]));
    for (const [at, leaf] of leaves.entries()) {
      frontier = appendLeaves(frontier, [leaf]);
      expect(frontier.size).toBe(at + 1);
      expect(rootOf(frontier), `${at + 1} leaves`).toEqual(plainRoot(leaves.slice(0, at + 1)));
    }
  });

  test("does not care how the leaves came in batches, and leaves an older frontier alone", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 12 }), (batches) => {
        let frontier: Frontier = EMPTY_FRONTIER;
        for (const batch of batches) {
          const before = JSON.stringify(frontier.peaks.map(toHex));
          const next = appendLeaves(frontier, leavesOf(batch, frontier.size));
          expect(JSON.stringify(frontier.peaks.map(toHex))).toBe(before);
          frontier = next;
        }
        const total = batches.reduce((sum, batch) => sum + batch, 0);
        expect(frontier.size).toBe(total);
        expect(rootOf(frontier)).toEqual(plainRoot(leavesOf(total)));
      }),
    );
  });

  test("needs 21 hashes at most for two million people", () => {
    const frontier = appendLeaves(EMPTY_FRONTIER, leavesOf(5_000));
    expect(frontier.peaks).toHaveLength(5);
    expect(frontier.peaks.length).toBeLessThanOrEqual(Math.log2(2_000_000) + 1);
  });

  test("tells an index that nobody holds from one that somebody holds, and places by index", () => {
    const place = placeHash("plc_a");
    expect(leafHash(7, EMPTY_PLACE)).not.toEqual(leafHash(7, place));
    expect(leafHash(7, place)).not.toEqual(leafHash(8, place));
    expect(leafHash(7, place)).not.toEqual(nodeHash(place, place));
  });
});

describe("a proof", () => {
  test("leads to the root from every index of every small pool, and no other leaf does", () => {
    for (let size = 1; size <= 70; size++) {
      const leaves = leavesOf(size);
      const root = plainRoot(leaves);
      for (const [index, leaf] of leaves.entries()) {
        const path = inclusionPath(size, index, (from, to) => plainRoot(leaves.slice(from, to)));
        expect(rootOfPath(size, index, leaf, path)).toEqual(root);
        expect(rootOfPath(size, index, leafHash(index, EMPTY_PLACE), path)).not.toEqual(root);
        if (size === 1) continue;
        expect(rootOfPath(size, (index + 1) % size, leaf, path)).not.toEqual(root);
        expect(rootOfPath(size, index, leaf, path.slice(1))).not.toEqual(root);
        expect(rootOfPath(size, index, leaf, [...path, leaf])).not.toEqual(root);
      }
    }
  });

  test("is for an index of the pool", () => {
    expect(() => inclusionPath(3, 3, () => EMPTY_PLACE)).toThrow("an index of the pool");
    expect(rootOfPath(3, 3, EMPTY_PLACE, [])).toBeUndefined();
    expect(rootOfPath(3, -1, EMPTY_PLACE, [])).toBeUndefined();
  });

  test("comes out of a pool kept in chunks, whatever the last chunk holds", () => {
    for (const size of [1, 1_000, 1_024, 1_025, 2_048, 2_049, 4_096, 5_123]) {
      const leaves = leavesOf(size);
      const chunks = Array.from({ length: Math.ceil(size / CHUNK_LEAVES) }, (_, at) =>
        concatBytes(...leaves.slice(at * CHUNK_LEAVES, (at + 1) * CHUNK_LEAVES)),
      );
      const full = chunks.filter((chunk) => hashesOf(chunk).length === CHUNK_LEAVES);
      const read: number[] = [];
      const reader = {
        leaves(chunk: number) {
          read.push(chunk);
          return chunks[chunk] ?? new Uint8Array(0);
        },
        roots: () => concatBytes(...full.map(chunkRoot)),
      };
      const root = rootOf(appendLeaves(EMPTY_FRONTIER, leaves));
      for (const index of new Set([0, size >> 1, size - 1])) {
        read.length = 0;
        const path = pathFromChunks(size, index, reader);
        expect(
          rootOfPath(size, index, leaves[index] ?? EMPTY_PLACE, path),
          `${index} of ${size}`,
        ).toEqual(root);
        // Its own chunk and the ragged last one; everything between is known by its root.
        expect(new Set(read).size).toBeLessThanOrEqual(2);
      }
    }
  });
});
