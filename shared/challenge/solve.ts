/**
 * Solves a proof of work of the waiting room in a browser (ALTCHA's second form, PBKDF2/SHA-256,
 * counters from 0), with the browser's own cryptography and nothing else. The page calls it once,
 * before it joins, and sends the payload as `challenge`.
 */

/** As the gate sends it with 403 `challenge_required`. */
export type PowChallenge = {
  parameters: {
    algorithm: string;
    nonce: string;
    salt: string;
    cost: number;
    keyLength: number;
    keyPrefix: string;
    expiresAt?: number;
    [more: string]: unknown;
  };
  signature?: string;
};

const COUNTER_BYTES = 4;
/** Far beyond any difficulty that the gate sets: a bad challenge ends, it does not spin. */
const COUNTER_MAX = 100_000;
/** So that a page stays alive, and can be told how far it is. */
const BREATHE_EVERY = 25;

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @returns the payload for `challenge`; `undefined` when aborted or not solvable. */
export async function solveChallenge(
  challenge: PowChallenge,
  options: { signal?: AbortSignal; onProgress?: (tried: number) => void } = {},
): Promise<string | undefined> {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
  const prefix = keyPrefix.toLowerCase();
  const salted = fromHex(salt);
  const head = fromHex(nonce);
  const password = new Uint8Array(head.length + COUNTER_BYTES);
  password.set(head);
  const counterView = new DataView(password.buffer, head.length);
  for (let counter = 0; counter <= COUNTER_MAX; counter += 1) {
    if (options.signal?.aborted === true) return undefined;
    counterView.setUint32(0, counter);
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const bits = await crypto.subtle.deriveBits(
      { name: "PBKDF2", hash: "SHA-256", salt: salted, iterations: cost },
      key,
      keyLength * 8,
    );
    const derivedKey = toHex(new Uint8Array(bits));
    if (derivedKey.startsWith(prefix))
      return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    if (counter % BREATHE_EVERY === 0) options.onProgress?.(counter);
  }
  return undefined;
}
