import { CHUNK_LEAVES, chunkRoot, hashesOf } from "../../shared/draw/chunks.ts";
import { fromHex, toHex } from "../../shared/draw/hex.ts";
import {
  appendLeaves,
  EMPTY_PLACE,
  leafHash,
  placeHash,
  poolRoot,
  rootOf,
} from "../../shared/draw/merkle.ts";
import { concatBytes } from "../../shared/draw/sha256.ts";
import type { RoomCore } from "./core.ts";

/**
 * The Merkle tree over the pool, kept up while people join: leaf hashes in chunks of the Room's SQLite
 * and the tree's frontier in its record. A leaf once added stays, whoever leaves; an index that nobody
 * holds any more when it is added is an empty leaf.
 */
export async function addLeaves(
  room: RoomCore,
  due: { from: number; count: number },
): Promise<boolean> {
  const { state } = room;
  const { draw } = state;
  if (due.from !== draw.leaves || due.count === 0) return false;
  const page = await room.line.pool(
    { epoch: state.epoch, restore: state.restore },
    { from: due.from, count: due.count },
  );
  if (page.state !== "pool" || due.from !== draw.leaves) return false;
  const held = new Map(page.places.map(({ index, place }) => [index, place]));
  const hashes = Array.from({ length: due.count }, (_, at) => {
    const place = held.get(due.from + at);
    return place === undefined ? EMPTY_PLACE : placeHash(place);
  });
  const leaves = hashes.map((hash, at) => leafHash(due.from + at, hash));
  const frontier = appendLeaves({ size: draw.leaves, peaks: draw.peaks.map(fromHex) }, leaves);
  room.ledger.together(() => {
    writeChunks(room.ledger.sql, due.from, hashes);
    draw.leaves = frontier.size;
    draw.peaks = frontier.peaks.map(toHex);
    room.save();
  });
  return true;
}

export function treeRoot(peaks: readonly string[], size: number): string {
  return toHex(poolRoot(size, rootOf({ size, peaks: peaks.map(fromHex) })));
}

/** Chunks hold the hashes of places: a leaf follows from one and its index, and a proof shows both. */
function writeChunks(sql: SqlStorage, from: number, hashes: readonly Uint8Array[]): void {
  let at = 0;
  while (at < hashes.length) {
    const chunk = Math.floor((from + at) / CHUNK_LEAVES);
    const room = CHUNK_LEAVES - ((from + at) % CHUNK_LEAVES);
    const next = hashes.slice(at, at + room);
    const whole = concatBytes(readPlaces(sql, chunk), ...next);
    const full = whole.length === CHUNK_LEAVES * HASH_BYTES;
    sql.exec(
      "insert or replace into chunks (chunk, leaves, root) values (?, ?, ?)",
      chunk,
      whole,
      full ? chunkRoot(leavesOf(chunk, whole)) : null,
    );
    at += next.length;
  }
}

function readPlaces(sql: SqlStorage, chunk: number): Uint8Array {
  const [row] = sql
    .exec<{ leaves: ArrayBuffer }>("select leaves from chunks where chunk = ?", chunk)
    .toArray();
  return row ? new Uint8Array(row.leaves) : new Uint8Array(0);
}

const leavesOf = (chunk: number, places: Uint8Array): Uint8Array =>
  concatBytes(...hashesOf(places).map((place, at) => leafHash(chunk * CHUNK_LEAVES + at, place)));

export const readLeaves = (sql: SqlStorage, chunk: number): Uint8Array =>
  leavesOf(chunk, readPlaces(sql, chunk));

/** The hash of the place at an index; zeros where nobody held it. */
export const readPlaceHash = (sql: SqlStorage, index: number): Uint8Array =>
  hashesOf(readPlaces(sql, Math.floor(index / CHUNK_LEAVES)))[index % CHUNK_LEAVES] ?? EMPTY_PLACE;

export function readRoots(sql: SqlStorage): Uint8Array {
  const rows = sql
    .exec<{ root: ArrayBuffer }>("select root from chunks where root is not null order by chunk")
    .toArray();
  return concatBytes(...rows.map(({ root }) => new Uint8Array(root)));
}

const HASH_BYTES = 32;
