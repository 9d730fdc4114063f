/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104), synchronous and small. WebCrypto is asynchronous, which
 * costs a promise for every one of the thousands of hashes of a fill, and `node:crypto` does not
 * exist in a browser. One implementation in Worker, Node and page is also one way less to disagree.
 * HMAC keeps its states after the two key blocks, so a short message costs two compressions:
 * 0.6 µs, where `createHmac` with a KeyObject took 2.5 µs and WebCrypto 47 µs on the same machine.
 * It only ever sees values that are public or about to be published: nothing here is promised to
 * take constant time.
 */

const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

const INITIAL = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

const BLOCK_BYTES = 64;

/** The message schedule; words 0 to 15 are the block. Shared, since nothing here awaits. */
const w = new Int32Array(64);

/** Works the block that lies in `w` into the state. */
function compress(state: Int32Array): void {
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15] as number;
    const y = w[t - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[t] as number) + (w[t] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/** Absorbs `bytes` and the padding; `before` is how many bytes the state has absorbed already. */
function finish(state: Int32Array, bytes: Uint8Array, before: number): void {
  const length = bytes.length;
  const padded = ((length + 8) >>> 6) * BLOCK_BYTES + BLOCK_BYTES;
  for (let start = 0; start < padded; start += BLOCK_BYTES) {
    w.fill(0, 0, 16);
    const end = Math.min(length, start + BLOCK_BYTES);
    for (let at = start; at < end; at++) {
      const word = (at - start) >>> 2;
      w[word] = (w[word] as number) | ((bytes[at] as number) << (24 - 8 * (at & 3)));
    }
    if (length >= start && length < start + BLOCK_BYTES) {
      const word = (length - start) >>> 2;
      w[word] = (w[word] as number) | (0x80 << (24 - 8 * (length & 3)));
    }
    if (start + BLOCK_BYTES === padded) {
      // The length in bits; beyond 2^32 bits it needs the upper word too.
      w[14] = Math.floor((before + length) / 0x2000_0000);
      w[15] = (before + length) << 3;
    }
    compress(state);
  }
}

function toBytes(state: Int32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < 8; at++) view.setInt32(4 * at, state[at] as number);
  return bytes;
}

/** SHA-256 of the parts, one after the other. */
export function sha256(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const state = INITIAL.slice();
  finish(state, parts.length === 1 && parts[0] ? parts[0] : concatBytes(...parts), 0);
  return toBytes(state);
}

export function concatBytes(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export type Hmac = {
  digest(message: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The first four bytes of the digest, big-endian, as an unsigned number. */
  word(message: Uint8Array): number;
};

/** HMAC-SHA-256 under one key of at most 64 bytes. */
export function hmacSha256(key: Uint8Array): Hmac {
  const keyed = (pad: number): Int32Array => {
    const block = new Uint8Array(BLOCK_BYTES).fill(pad);
    for (let at = 0; at < key.length; at++) block[at] = pad ^ (key[at] as number);
    const state = INITIAL.slice();
    for (let at = 0; at < 16; at++) w[at] = new DataView(block.buffer).getInt32(4 * at);
    compress(state);
    return state;
  };
  const [innerKey, outerKey] = [keyed(0x36), keyed(0x5c)];
  const inner = new Int32Array(8);
  const outer = new Int32Array(8);
  const run = (message: Uint8Array): void => {
    inner.set(innerKey);
    finish(inner, message, BLOCK_BYTES);
    w.set(inner);
    w.fill(0, 8, 16);
    w[8] = 0x80 << 24;
    w[15] = 8 * (BLOCK_BYTES + 32);
    outer.set(outerKey);
    compress(outer);
  };
  return {
    digest(message) {
      run(message);
      return toBytes(outer);
    },
    word(message) {
      run(message);
      return (outer[0] as number) >>> 0;
    },
  };
}
