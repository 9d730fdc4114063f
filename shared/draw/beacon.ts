import { bls12_381 } from "@noble/curves/bls12-381.js";
import { err, ok, type Result } from "../result.ts";
import { fromHex, toHex, utf8 } from "./hex.ts";
import { u32 } from "./key.ts";
import { concatBytes, sha256 } from "./sha256.ts";

/**
 * drand, scheme `bls-unchained-g1-rfc9380` (the `quicknet` chain): each round is a BLS signature
 * over the round's number, so it cannot be known before its time and has one value only. We check
 * the signature against a key that was fixed beforehand and never ask for "the latest" round.
 */
export const BEACON_SCHEME = "bls-unchained-g1-rfc9380";
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

export type BeaconChain = {
  /** SHA-256 over all that follows: see `chainHashOf`. */
  hash: string;
  /** 96 bytes, a compressed point of G2. */
  publicKey: string;
  periodSeconds: number;
  /** When round 1 was due, seconds since 1970. */
  genesisSeconds: number;
  groupHash: string;
  beaconId: string;
};

/** The League of Entropy's main chain for this scheme, as its relays publish it under `/info`. */
export const QUICKNET: BeaconChain = {
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  periodSeconds: 3,
  genesisSeconds: 1_692_803_367,
  groupHash: "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
  beaconId: "quicknet",
};

/** The round of a draw is the first that is due this long after the opening, or later. */
const DRAW_ROUND_DELAY_MS = 15_000;

/** drand's own chain hash: period u32 ‖ genesis i64 ‖ public key ‖ group hash ‖ beacon id. */
export function chainHashOf(chain: Omit<BeaconChain, "hash">): string {
  return toHex(
    sha256(
      concatBytes(
        u32(chain.periodSeconds),
        u64(chain.genesisSeconds),
        fromHex(chain.publicKey),
        fromHex(chain.groupHash),
        utf8(chain.beaconId),
      ),
    ),
  );
}

/** When a round is due, ms since 1970. */
export const roundTimeMs = (chain: BeaconChain, round: number): number =>
  1_000 * (chain.genesisSeconds + (round - 1) * chain.periodSeconds);

/** R of a draw: fixed, and shown, as soon as the opening time is. */
export function drawRound(chain: BeaconChain, opensAtMs: number): number {
  const seconds = (opensAtMs + DRAW_ROUND_DELAY_MS) / 1_000 - chain.genesisSeconds;
  return Math.max(1, Math.ceil(seconds / chain.periodSeconds) + 1);
}

/** Where a drand relay answers for exactly this round. */
export const beaconUrl = (relay: string, chain: BeaconChain, round: number): string =>
  `${relay.replace(/\/+$/, "")}/${chain.hash}/public/${round}`;

/** The 32 bytes that go into the key. */
export const randomnessOf = (signature: string): Uint8Array<ArrayBuffer> =>
  sha256(fromHex(signature));

/** True only for the one signature of this round, in its canonical bytes. */
export function isBeaconSignature(chain: BeaconChain, round: number, signature: string): boolean {
  if (!/^[0-9a-f]{96}$/.test(signature)) return false;
  const { Signature, hash, verify } = bls12_381.shortSignatures;
  try {
    const point = Signature.fromHex(signature);
    // Another spelling of the same point would hash to another randomness.
    if (Signature.toHex(point) !== signature) return false;
    return verify(point, hash(sha256(u64(round)), utf8(DOMAIN)), fromHex(chain.publicKey));
  } catch {
    // Bytes that are no point of the curve, or of the wrong subgroup.
    return false;
  }
}

export type BeaconFault = "not_a_beacon" | "wrong_round" | "bad_signature";

/** Judges what a relay answered. A relay is never believed: only the signature counts. */
export function readBeacon(
  chain: BeaconChain,
  round: number,
  body: unknown,
): Result<{ signature: string; randomness: string }, BeaconFault> {
  if (typeof body !== "object" || body === null) return err("not_a_beacon");
  if (!("round" in body && "signature" in body)) return err("not_a_beacon");
  if (typeof body.signature !== "string") return err("not_a_beacon");
  if (body.round !== round) return err("wrong_round");
  const signature = body.signature.toLowerCase();
  if (!isBeaconSignature(chain, round, signature)) return err("bad_signature");
  return ok({ signature, randomness: toHex(randomnessOf(signature)) });
}

function u64(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
