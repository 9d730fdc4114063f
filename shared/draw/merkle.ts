import { assert } from "../result.ts";
import { utf8 } from "./hex.ts";
import { u32 } from "./key.ts";
import { concatBytes, sha256 } from "./sha256.ts";

/**
 * The Merkle tree over the pool, in the shape of RFC 9162 §2.1. Leaves are added while people join
 * and only the frontier is kept: one root for each full subtree, at most 30 of them.
 */
export type Hash = Uint8Array;

/** Stands for the place at an index that nobody holds. */
export const EMPTY_PLACE: Hash = new Uint8Array(32);

/** The place id itself stays private: it is a fan's name in every other call. */
export const placeHash = (place: string): Hash => sha256(utf8(place));

/** SHA-256(0x00 ‖ index as u32 ‖ hash of the place) */
export const leafHash = (index: number, place: Hash): Hash =>
  sha256(concatBytes(Uint8Array.of(0), u32(index), place));

/** SHA-256(0x01 ‖ left ‖ right) */
export const nodeHash = (left: Hash, right: Hash): Hash =>
  sha256(concatBytes(Uint8Array.of(1), left, right));

export type Frontier = {
  /** How many leaves are in. */
  readonly size: number;
  /** Roots of the full subtrees, the largest first: one for each bit that is set in `size`. */
  readonly peaks: readonly Hash[];
};

export const EMPTY_FRONTIER: Frontier = { size: 0, peaks: [] };

/** The frontier after these leaf hashes; the given one is left as it is. */
export function appendLeaves(frontier: Frontier, leaves: Iterable<Hash>): Frontier {
  const peaks = [...frontier.peaks];
  let size = frontier.size;
  for (const leaf of leaves) {
    let peak = leaf;
    for (let bits = size; bits % 2 === 1; bits = (bits - 1) / 2) {
      const left = peaks.pop();
      assert(left, "a frontier has a peak for each bit of its size");
      peak = nodeHash(left, peak);
    }
    peaks.push(peak);
    size++;
  }
  return { size, peaks };
}

/** The root of the tree; of no leaves at all it is SHA-256 of nothing. */
export function rootOf(frontier: Frontier): Hash {
  if (frontier.size === 0) return sha256(new Uint8Array(0));
  return frontier.peaks.reduceRight((right, left) => nodeHash(left, right));
}

/**
 * What is published: SHA-256(0x02 ‖ N as u32 ‖ root). A path from a leaf leads to the same root for
 * many an N, and N decides the draw, so the published hash fixes both.
 */
export const poolRoot = (size: number, root: Hash): Hash =>
  sha256(concatBytes(Uint8Array.of(2), u32(size), root));

/** The root over leaves `from`…`to`−1, as far as somebody keeps them. */
export type RangeRoot = (from: number, to: number) => Hash;

/** RFC 9162 §2.1.3.1, the sibling next to the leaf first. */
export function inclusionPath(size: number, index: number, rangeRoot: RangeRoot): Hash[] {
  assert(index >= 0 && index < size, "a proof is for an index of the pool");
  const path: Hash[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      path.push(rangeRoot(middle, to));
      to = middle;
    } else {
      path.push(rangeRoot(from, middle));
      from = middle;
    }
  }
  return path.reverse();
}

/** RFC 9162 §2.1.3.2: the root that this path leads to, or nothing when its length is wrong. */
export function rootOfPath(
  size: number,
  index: number,
  leaf: Hash,
  path: Hash[],
): Hash | undefined {
  if (index < 0 || index >= size) return undefined;
  let [at, last, root] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      root = nodeHash(sibling, root);
      while (at % 2 === 0 && at !== 0) {
        at = at / 2;
        last = Math.floor(last / 2);
      }
    } else {
      root = nodeHash(root, sibling);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? root : undefined;
}

/** The largest power of two below n. */
export const splitOf = (n: number): number => 2 ** (31 - Math.clz32(n - 1));
