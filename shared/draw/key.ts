import { assert } from "../result.ts";
import { utf8 } from "./hex.ts";
import { concatBytes, sha256 } from "./sha256.ts";

/** What a draw is made of. Everything but the seed is known before; the seed is committed to. */
export type DrawInput = {
  /** 32 secret bytes, made for the epoch before its first join. */
  seed: Uint8Array;
  /** The beacon's 32 random bytes, or `NO_BEACON`. */
  beacon: Uint8Array;
  event: string;
  epoch: number;
  /** N: how many indexes the closed pool has. */
  count: number;
};

const SEED_BYTES = 32;
/** Stands for the beacon where there is none, so that every input keeps its width. */
export const NO_BEACON: Uint8Array = new Uint8Array(32);

/** SHA-256 of the seed's 32 bytes. Published before the first join. */
export const commitmentTo = (seed: Uint8Array): Uint8Array<ArrayBuffer> => sha256(seed);

/**
 * key = SHA-256(S ‖ beacon ‖ event ‖ epoch ‖ N): 32 and 32 bytes, the event's name behind its length
 * in one byte, then both numbers as u32 big-endian. Fixed widths, so no two inputs run together.
 */
export function drawKey(input: DrawInput): Uint8Array<ArrayBuffer> {
  const { seed, beacon, epoch, count } = input;
  const event = utf8(input.event);
  assert(seed.length === SEED_BYTES, "a seed has 32 bytes");
  assert(beacon.length === NO_BEACON.length, "a beacon has 32 bytes");
  assert(event.length >= 1 && event.length <= 255, "an event's name has 1 to 255 bytes");
  return sha256(
    concatBytes(seed, beacon, Uint8Array.of(event.length), event, u32(epoch), u32(count)),
  );
}

/** Unsigned, big-endian, four bytes. */
export function u32(value: number): Uint8Array<ArrayBuffer> {
  assert(Number.isInteger(value) && value >= 0 && value < 2 ** 32, "a u32 is 0 to 2^32-1");
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
