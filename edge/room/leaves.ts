import { appendLeaves, EMPTY_PLACE, leafHash, placeHash, rootOf } from "../../shared/draw/merkle.ts";
import { CHUNK_LEAVES, chunkRoot } from "../../shared/draw/chunks.ts";
import { fromHex, toHex } from "../../shared/draw/hex.ts";
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
  const leaves = Array.from({ length: due.count }, (_, at) => {
    const place = held.get(due.from + at);
    return leafHash(due.from + at, place === undefined ? EMPTY_PLACE : placeHash(place));
  });
  const frontier = appendLeaves({ size: draw.leaves, peaks: draw.peaks.map(fromHex) }, leaves);
  room.ledger.together(() => {
    writeChunks(room.ledger.sql, due.from, leaves);
    draw.leaves = frontier.size;
    draw.peaks = frontier.peaks.map(toHex);
    room.save();
  });
  return true;
}

export function treeRoot(peaks: readonly string[], size: number): string {
  return toHex(rootOf({ size, peaks: peaks.map(fromHex) }));
}

function writeChunks(sql: SqlStorage, from: number, leaves: readonly Uint8Array[]): void {
  let at = 0;
  while (at < leaves.length) {
    const chunk = Math.floor((from + at) / CHUNK_LEAVES);
    const room = CHUNK_LEAVES - ((from + at) % CHUNK_LEAVES);
    const next = leaves.slice(at, at + room);
    const whole = concatBytes(readLeaves(sql, chunk), ...next);
    const full = whole.length === CHUNK_LEAVES * 32;
    sql.exec(
      "insert or replace into chunks (chunk, leaves, root) values (?, ?, ?)",
      chunk,
      whole,
      full ? chunkRoot(whole) : null,
    );
    at += next.length;
  }
}

export function readLeaves(sql: SqlStorage, chunk: number): Uint8Array {
  const [row] = sql
    .exec<{ leaves: ArrayBuffer }>("select leaves from chunks where chunk = ?", chunk)
    .toArray();
  return row ? new Uint8Array(row.leaves) : new Uint8Array(0);
}

export function readRoots(sql: SqlStorage): Uint8Array {
  const rows = sql
    .exec<{ root: ArrayBuffer }>("select root from chunks where root is not null order by chunk")
    .toArray();
  return concatBytes(...rows.map(({ root }) => new Uint8Array(root)));
}
