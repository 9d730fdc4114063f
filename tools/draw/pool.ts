// A pool of any size, for tests and measurements: writes what a room has when so many people have
// joined (the line's `pool` and its `meta`, the Room's record and the chunks of its tree), and nothing
// of what an opening makes. The gate must be stopped meanwhile, since the Room's file has one writer.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Redis } from "ioredis";
import { lineKey } from "../../edge/line/keys.ts";
import type { RoomState } from "../../edge/room/state.ts";
import { CHUNK_LEAVES, chunkRoot } from "../../shared/draw/chunks.ts";
import { toHex } from "../../shared/draw/hex.ts";
import { appendLeaves, EMPTY_FRONTIER, leafHash, placeHash } from "../../shared/draw/merkle.ts";
import { concatBytes } from "../../shared/draw/sha256.ts";

const PLACES_PER_COMMAND = 5_000;
const COMMANDS_PER_PIPELINE = 20;

export interface PoolSpec {
  readonly event: string;
  readonly epoch: number;
  readonly count: number;
  readonly doors: number;
}

/** Who holds an index in a pool made here; as long as a real place id, and as well spread. */
export function placeAt(index: number, doors: number): string {
  const door = (index % doors).toString(16).padStart(2, "0");
  return `plc_${door}_${index.toString(36).padStart(22, "-")}`;
}

/** Everybody into the line's pool; the next index is N. */
export async function writePool(redisUrl: string, spec: PoolSpec): Promise<void> {
  const redis = new Redis(redisUrl);
  const key = (name: "POOL" | "META"): string =>
    lineKey({ prefix: "", event: spec.event }, spec.epoch, name);
  try {
    let from = 0;
    while (from < spec.count) {
      const pipeline = redis.pipeline();
      for (let command = 0; command < COMMANDS_PER_PIPELINE && from < spec.count; command++) {
        const size = Math.min(PLACES_PER_COMMAND, spec.count - from);
        const start = from;
        const members = Array.from({ length: size }, (_, at) => [
          start + at,
          placeAt(start + at, spec.doors),
        ]);
        pipeline.zadd(key("POOL"), ...members.flat());
        from += size;
      }
      await pipeline.exec();
    }
    await redis.hset(key("META"), "next_index", spec.count, "reserved_index", spec.count);
  } finally {
    redis.disconnect();
  }
}

/** The Room's record of the same pool. @param objectsDir where the gate keeps its objects. */
export function writeRoom(objectsDir: string, spec: PoolSpec): void {
  const found = findRoom(objectsDir, spec.event);
  if (found === undefined) throw new Error(`there is no room ${spec.event} in ${objectsDir}`);
  const { database, state } = found;
  const put = database.prepare(
    "insert or replace into chunks (chunk, leaves, root) values (?, ?, ?)",
  );
  database.exec("begin");
  let whole = EMPTY_FRONTIER;
  let rest = EMPTY_FRONTIER;
  for (let from = 0; from < spec.count; from += CHUNK_LEAVES) {
    const size = Math.min(CHUNK_LEAVES, spec.count - from);
    const places = Array.from({ length: size }, (_, at) =>
      placeHash(placeAt(from + at, spec.doors)),
    );
    const leaves = places.map((place, at) => leafHash(from + at, place));
    const root = size === CHUNK_LEAVES ? chunkRoot(concatBytes(...leaves)) : null;
    put.run(from / CHUNK_LEAVES, concatBytes(...places), root);
    // Full chunks are subtrees of equal size, so their roots make a frontier like leaves do.
    if (root) whole = appendLeaves(whole, [root]);
    else rest = appendLeaves(rest, leaves);
  }
  state.draw.leaves = spec.count;
  state.draw.peaks = [...whole.peaks, ...rest.peaks].map(toHex);
  const { reserved } = state;
  state.reserved = { ...reserved, index: Math.max(reserved.index, spec.count) };
  if (state.counts) state.counts = { ...state.counts, pool: spec.count, nextIndex: spec.count };
  database.prepare("update record set value = ?").run(JSON.stringify(state));
  database.exec("commit");
  database.close();
}

function findRoom(
  objectsDir: string,
  event: string,
): { database: DatabaseSync; state: RoomState } | undefined {
  const dir = join(objectsDir, "sira-Room");
  for (const file of readdirSync(dir).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))) {
    const database = new DatabaseSync(join(dir, file));
    const row = database.prepare("select value from record").get();
    const state = JSON.parse(String(row?.["value"])) as RoomState;
    if (state.event === event) return { database, state };
    database.close();
  }
  return undefined;
}
