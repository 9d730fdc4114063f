import { assert } from "../result.ts";
import { hmacSha256 } from "./sha256.ts";

/**
 * The keyed permutation π of 0…N−1 (README, "The permutation"): an alternating Feistel network over
 * the smallest power of two that holds N (256 at least), walked until it lands below N. The bytes
 * are frozen by test vectors; whoever changes them changes every draw.
 */

export const ROUNDS = 16;
/**
 * Below eight bits sixteen rounds mix too little: over 3 bits two people's positions would be one
 * part in 400 from even (total variation), from 8 bits on it is less than one in a billion.
 */
const WIDTH_BITS_MIN = 8;
/** Keeps every value a small non-negative integer of JavaScript's bit operators. */
export const POOL_MAX = 2 ** 30;

export type Permutation = {
  readonly size: number;
  /** π: index → position, both 0…N−1. */
  positionOf(index: number): number;
  /** π⁻¹: position → index. */
  indexAt(position: number): number;
};

/** `key` is the 32 bytes of `drawKey`; `size` is N, 1…2^30. */
export function permutation(key: Uint8Array, size: number): Permutation {
  assert(key.length === 32, "the key of a draw has 32 bytes");
  assert(Number.isInteger(size) && size >= 1 && size <= POOL_MAX, "N is 1 to 2^30");
  const width = Math.max(WIDTH_BITS_MIN, 32 - Math.clz32(size - 1));
  const lowBits = width - (width >> 1);
  const lowMask = 2 ** lowBits - 1;
  const highMask = 2 ** (width - lowBits) - 1;
  const mix = roundFunctions(key, lowBits);

  const step = (value: number, round: number): number =>
    round % 2 === 0
      ? value ^ ((mix(round, value & lowMask) & highMask) << lowBits)
      : value ^ (mix(round, value >> lowBits) & lowMask);
  const check = (value: number): void =>
    assert(Number.isInteger(value) && value >= 0 && value < size, "an index is 0 to N-1");

  return {
    size,
    positionOf(index) {
      check(index);
      let value = index;
      do {
        for (let round = 0; round < ROUNDS; round++) value = step(value, round);
      } while (value >= size);
      return value;
    },
    indexAt(position) {
      check(position);
      let value = position;
      do {
        for (let round = ROUNDS - 1; round >= 0; round--) value = step(value, round);
      } while (value >= size);
      return value;
    },
  };
}

/**
 * F(round, half) = the first four bytes of HMAC(key, round ‖ half as u32). A half has few values
 * (2^11 for two million people), so results are kept: a fill or a full check soon only looks up.
 */
function roundFunctions(
  key: Uint8Array,
  halfBits: number,
): (round: number, half: number) => number {
  const hmac = hmacSha256(key);
  const message = new Uint8Array(5);
  const view = new DataView(message.buffer);
  const known = new Uint32Array(ROUNDS << halfBits);
  const has = new Uint8Array(ROUNDS << halfBits);
  return (round, half) => {
    const at = (round << halfBits) | half;
    if (has[at] === 0) {
      message[0] = round;
      view.setUint32(1, half);
      known[at] = hmac.word(message);
      has[at] = 1;
    }
    return known[at] as number;
  };
}
