import { createChallenge, HmacAlgorithm, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { z } from "zod";
import { TOKEN_CHARS_MAX } from "../../shared/limits.ts";
import { err, ok, type Result } from "../../shared/result.ts";

/**
 * Proof of work before a place is given (ALTCHA). A challenge is signed, says for which event, epoch
 * and place it is, and ends after minutes; nothing is stored when it is made. Its price is in making
 * many: one costs a phone about half a second, and us a third of a millisecond.
 *
 * How a join uses it, in a room with `challenge: pow`:
 * - who shows a receipt is never asked: a check cannot cost a place;
 * - without a solution: 403 `challenge_required` with `{challenge: {kind: "pow", ...}}`;
 * - with one that does not hold: 403 `challenge_failed` with a fresh one, so that it can be tried
 *   again at once;
 * - a place by key or by pass is known before the join and stands in the challenge; one by cookie
 *   is made from a nonce: take a fresh nonce, put its place into the challenge, and the nonce into
 *   `seed`, and at the join take the nonce from the verdict;
 * - the verdict's `id` need not be remembered: a solution is good for the one place it names.
 */

/** Long enough to read a page first, short enough that solutions cannot be saved up. */
export const CHALLENGE_MS = 300_000;
/** Native PBKDF2: 0.1 ms on a laptop, 1 ms and a little on a cheap phone. */
const COST = 1_000;
const STEPS_MIN = 200;
const STEPS_MAX = 400;
/** A crowd makes it harder, up to about four seconds on that phone. */
const HARDER_MAX = 8;
const KEY_BYTES = 32;
const PREFIX_BYTES = 16;

export type Difficulty = { cost: number; stepsMin: number; stepsMax: number };

/**
 * Pure. @param load new places asked for from one address, over what a shared one may; at 1 and below
 * it stays easy, since honest people come in crowds too.
 */
export function difficultyOf(load: number): Difficulty {
  const harder = Math.min(HARDER_MAX, Math.max(1, Number.isFinite(load) ? load : HARDER_MAX));
  return {
    cost: COST,
    stepsMin: Math.round(STEPS_MIN * harder),
    stepsMax: Math.round(STEPS_MAX * harder),
  };
}

export type ChallengeFor = {
  event: string;
  epoch: number;
  place: string;
  /** From which a cookie's place is made again, for fans without a key. */
  seed?: string;
};

export type PowOffer = {
  kind: "pow";
  parameters: { [name: string]: unknown };
  signature: string;
};

/** Two keys from one secret: one signs the question, one the answer. */
const secretsOf = (secret: string) => ({
  hmacSignatureSecret: `sira challenge ${secret}`,
  hmacKeySignatureSecret: `sira solution ${secret}`,
});

const randomBetween = (min: number, max: number): number => {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return min + (value % (max - min + 1));
};

export async function makeChallenge(
  secret: string,
  about: ChallengeFor,
  more: { now: number; difficulty: Difficulty },
): Promise<PowOffer> {
  const { cost, stepsMin, stepsMax } = more.difficulty;
  const { parameters, signature } = await createChallenge({
    algorithm: "PBKDF2/SHA-256",
    hmacAlgorithm: HmacAlgorithm.SHA_256,
    deriveKey,
    cost,
    keyLength: KEY_BYTES,
    keyPrefixLength: PREFIX_BYTES,
    // The number of steps is chosen, not left to chance: nobody waits ten times as long as others.
    counter: randomBetween(stepsMin, stepsMax),
    expiresAt: Math.floor((more.now + CHALLENGE_MS) / 1_000),
    data: {
      event: about.event,
      epoch: about.epoch,
      place: about.place,
      seed: about.seed ?? null,
    },
    ...secretsOf(secret),
  });
  return { kind: "pow", parameters: { ...parameters }, signature: signature ?? "" };
}

const payloadSchema = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal("PBKDF2/SHA-256"),
      nonce: z.string().regex(/^[0-9a-f]{8,128}$/),
      salt: z.string().regex(/^[0-9a-f]{8,128}$/),
      cost: z.int().min(1).max(COST),
      keyLength: z.literal(KEY_BYTES),
      keyPrefix: z.string().regex(/^[0-9a-f]{2,64}$/),
      keySignature: z.string().max(128),
      expiresAt: z.int(),
      data: z.object({
        event: z.string(),
        epoch: z.number(),
        place: z.string(),
        seed: z.string().nullable(),
      }),
    }),
    signature: z.string().max(128),
  }),
  solution: z.object({
    counter: z.int().min(0).max(0xff_ff_ff_ff),
    derivedKey: z.string().regex(/^[0-9a-f]{64}$/),
  }),
});

export type Solved = { id: string; expiresAt: number; place: string; seed: string | undefined };
export type ChallengeFault = "malformed" | "expired" | "not_ours" | "not_solved" | "other_event";

/**
 * Cheap for a flood of nonsense: form, end and signature come before anything is computed, and a
 * right answer is told by its signature alone.
 */
export async function judgeSolution(
  secret: string,
  payload: string,
  expected: { event: string; epoch: number; now: number },
): Promise<Result<Solved, ChallengeFault>> {
  const parsed = payloadSchema.safeParse(decode(payload));
  if (!parsed.success) return err("malformed");
  const { challenge, solution } = parsed.data;
  const { nonce, expiresAt, data } = challenge.parameters;
  if (expiresAt * 1_000 < expected.now) return err("expired");
  const verdict = await verifySolution({ challenge, solution, deriveKey, ...secretsOf(secret) });
  if (verdict.expired) return err("expired");
  if (verdict.invalidSignature !== false) return err("not_ours");
  if (!verdict.verified) return err("not_solved");
  if (data.event !== expected.event || data.epoch !== expected.epoch) return err("other_event");
  return ok({
    id: nonce,
    expiresAt: expiresAt * 1_000,
    place: data.place,
    seed: data.seed ?? undefined,
  });
}

function decode(payload: string): unknown {
  if (payload.length > TOKEN_CHARS_MAX) return undefined;
  try {
    return JSON.parse(atob(payload));
  } catch {
    return undefined;
  }
}
