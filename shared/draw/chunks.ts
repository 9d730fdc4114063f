import { assert } from "../result.ts";
import {
  appendLeaves,
  EMPTY_FRONTIER,
  type Hash,
  inclusionPath,
  nodeHash,
  rootOf,
  splitOf,
} from "./merkle.ts";

/**
 * How the leaf hashes of a large pool are kept, so that a proof is cheap: 1,024 to a chunk (32 kB,
 * one row of the Room's SQLite), and the root of each full chunk beside them. A proof in a pool of
 * 2,000,000 then reads one chunk and 62 kB of roots, and costs about 3,000 hashes.
 */
export const CHUNK_LEAVES = 1_024;
const HASH_BYTES = 32;

export type PoolReader = {
  /** The leaf hashes of one chunk, one after the other; the last chunk may be short. */
  leaves(chunk: number): Uint8Array;
  /** The roots of all full chunks, one after the other. */
  roots(): Uint8Array;
};

/** Cuts bytes into hashes. */
export function hashesOf(bytes: Uint8Array): Hash[] {
  assert(bytes.length % HASH_BYTES === 0, "a chunk is a row of whole hashes");
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(HASH_BYTES * at, HASH_BYTES * (at + 1)),
  );
}

/** What is stored for a chunk once it is full. */
export const chunkRoot = (leaves: Uint8Array): Hash =>
  rootOf(appendLeaves(EMPTY_FRONTIER, hashesOf(leaves)));

/** The siblings from the leaf up, for a pool of `size` that lies in chunks. */
export function pathFromChunks(size: number, index: number, reader: PoolReader): Hash[] {
  const roots = hashesOf(reader.roots());
  const rangeRoot = (from: number, to: number): Hash => {
    const chunk = Math.floor(from / CHUNK_LEAVES);
    const offset = from - chunk * CHUNK_LEAVES;
    const count = to - from;
    const full = offset === 0 && count === CHUNK_LEAVES ? roots[chunk] : undefined;
    if (full) return full;
    if (offset + count <= CHUNK_LEAVES) {
      const leaves = reader.leaves(chunk);
      return chunkRoot(leaves.subarray(HASH_BYTES * offset, HASH_BYTES * (offset + count)));
    }
    // Longer than a chunk: the split of RFC 9162 falls on a border between chunks.
    const middle = from + splitOf(count);
    return nodeHash(rangeRoot(from, middle), rangeRoot(middle, to));
  };
  return inclusionPath(size, index, rangeRoot);
}
