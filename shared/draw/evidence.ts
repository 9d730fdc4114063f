import * as z from "zod/mini";
import { EVENT_ID_PATTERN } from "../ids.ts";
import { REASON_CHARS_MAX } from "../limits.ts";
import { BEACON_SCHEME } from "./beacon.ts";
import { POOL_MAX } from "./permutation.ts";
import { steeringOf } from "./steering.ts";

/**
 * The evidence of a draw: everything somebody needs to do it again, and what happened in so many
 * words. It is public. It never holds a place id, and no seed before the draw. (`zod/mini`, since
 * the page that verifies on a phone loads this too: 9 kB where all of zod takes 78.)
 */
const EVIDENCE_FORMAT = "sira-draw-1";
/** More resets than this in one event are beyond anything a page could explain. */
const ABANDONED_MAX = 1_000;

const hex = (bytes: number) =>
  z
    .string()
    .check(
      z.regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `must be ${bytes} bytes in lower-case hex`),
    );
const whole = (from: number, to: number) => z.int().check(z.minimum(from), z.maximum(to));
const text = (chars: number) => z.string().check(z.minLength(1), z.maxLength(chars));
const instant = z.iso.datetime({ offset: true });
/** Epochs of an event count from 1; every reset makes the next one. */
const epochSchema = whole(1, 2 ** 32 - 1);

const act = {
  at: instant,
  /** Who, as the audit log names them. */
  by: text(200),
  reason: text(REASON_CHARS_MAX),
};
const actSchema = z.strictObject(act);

const poolSchema = z.strictObject({
  /** N */
  count: whole(0, POOL_MAX),
  /** `poolRoot` of the Merkle tree: it fixes N as well. */
  root: hex(32),
  closedAt: instant,
  /** From when on `status` showed N and root. */
  publishedAt: instant,
});

export const beaconChainSchema = z.strictObject({
  hash: hex(32),
  publicKey: hex(96),
  periodSeconds: whole(1, 86_400),
  genesisSeconds: whole(0, 2 ** 40),
  groupHash: hex(32),
  beaconId: text(64),
});

const beaconSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({
    kind: z.literal("drand"),
    scheme: z.literal(BEACON_SCHEME),
    chain: beaconChainSchema,
    round: whole(1, 2 ** 40),
    /** From when on `status` showed the round. */
    announcedAt: instant,
    signature: z.optional(hex(48)),
    /** The audited action `draw_without_beacon`; then there is no signature. */
    without: z.optional(actSchema),
  }),
]);

const stateSchema = z.enum(["committed", "pool_closed", "drawn"]);

/** An earlier epoch of the event: reset before or after its draw. */
const abandonedSchema = z.strictObject({
  epoch: epochSchema,
  commitment: hex(32),
  /** How far it had come. */
  state: stateSchema,
  pool: z.optional(poolSchema),
  seed: z.optional(hex(32)),
  ...act,
});

const proofSchema = z.strictObject({
  index: whole(0, POOL_MAX - 1),
  /** SHA-256 of the place id, or zeros where nobody holds the index. */
  placeHash: hex(32),
  /** Siblings from the leaf up. */
  path: z.array(hex(32)).check(z.maxLength(30)),
});

export const evidenceSchema = z.strictObject({
  format: z.literal(EVIDENCE_FORMAT),
  event: z.string().check(z.regex(EVENT_ID_PATTERN)),
  epoch: epochSchema,
  state: stateSchema,
  /** The opening as it took place; set anew when somebody opened by hand. */
  opensAt: instant,
  commitment: hex(32),
  committedAt: instant,
  pool: z.optional(poolSchema),
  beacon: beaconSchema,
  seed: z.optional(hex(32)),
  drawnAt: z.optional(instant),
  /** Both once drawn; a verifier works them out for itself and compares. */
  steerable: z.optional(z.boolean()),
  statement: z.optional(text(2_000)),
  abandoned: z.array(abandonedSchema).check(z.maxLength(ABANDONED_MAX)),
  /** For the `?index=` that was asked for. */
  proof: z.optional(proofSchema),
});

export type Evidence = z.infer<typeof evidenceSchema>;
export type Proof = z.infer<typeof proofSchema>;
export type DrawState = z.infer<typeof stateSchema>;

/** What the Room's record says of an epoch; state, statement and secrecy of the seed follow from it. */
export type EvidenceRecord = Omit<
  Evidence,
  "format" | "state" | "steerable" | "statement" | "seed" | "proof"
> & {
  seed: string;
  proof?: Proof | undefined;
};

/** Builds the public document. The seed leaves the record only when the draw has been made. */
export function buildEvidence(record: EvidenceRecord): Evidence {
  const { seed, proof, ...known } = record;
  const state = known.drawnAt ? "drawn" : known.pool ? "pool_closed" : "committed";
  const evidence: Evidence = {
    format: EVIDENCE_FORMAT,
    ...known,
    state,
    ...(state === "drawn" ? { seed } : {}),
    ...(proof ? { proof } : {}),
  };
  return state === "drawn" ? { ...evidence, ...steeringOf(evidence) } : evidence;
}
