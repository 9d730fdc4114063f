import { z } from "zod";
import { eventIdSchema, instantSchema, reasonSchema } from "../contract/common.ts";
import { BEACON_SCHEME } from "./beacon.ts";
import { POOL_MAX } from "./permutation.ts";
import { steeringOf } from "./steering.ts";

/**
 * The evidence of a draw: everything somebody needs to do it again, and what happened in so many
 * words. It is public. It never holds a place id, and no seed before the draw.
 */
export const EVIDENCE_FORMAT = "sira-draw-1";
/** More resets than this in one event are beyond anything a page could explain. */
export const ABANDONED_MAX = 1_000;

const hex = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `${bytes} bytes in lower-case hex`);
/** Epochs of an event count from 1; every reset makes the next one. */
const epochSchema = z
  .int()
  .min(1)
  .max(2 ** 32 - 1);
const actSchema = z.strictObject({
  at: instantSchema,
  /** Who, as the audit log names them. */
  by: z.string().min(1).max(200),
  reason: reasonSchema,
});

const poolSchema = z.strictObject({
  /** N */
  count: z.int().min(0).max(POOL_MAX),
  root: hex(32),
  closedAt: instantSchema,
  /** From when on `status` showed N and root. */
  publishedAt: instantSchema,
});

const beaconSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({
    kind: z.literal("drand"),
    scheme: z.literal(BEACON_SCHEME),
    chain: z.strictObject({
      hash: hex(32),
      publicKey: hex(96),
      periodSeconds: z.int().min(1).max(86_400),
      genesisSeconds: z
        .int()
        .min(0)
        .max(2 ** 40),
      groupHash: hex(32),
      beaconId: z.string().min(1).max(64),
    }),
    round: z
      .int()
      .min(1)
      .max(2 ** 40),
    /** From when on `status` showed the round. */
    announcedAt: instantSchema,
    signature: hex(48).optional(),
    /** The audited action `draw_without_beacon`; then there is no signature. */
    without: actSchema.optional(),
  }),
]);

const stateSchema = z.enum(["committed", "pool_closed", "drawn"]);

/** An earlier epoch of the event: reset before or after its draw. */
const abandonedSchema = z.strictObject({
  epoch: epochSchema,
  commitment: hex(32),
  /** How far it had come. */
  state: stateSchema,
  pool: poolSchema.optional(),
  seed: hex(32).optional(),
  ...actSchema.shape,
});

export const proofSchema = z.strictObject({
  index: z
    .int()
    .min(0)
    .max(POOL_MAX - 1),
  /** SHA-256 of the place id, or zeros where nobody holds the index. */
  placeHash: hex(32),
  /** Siblings from the leaf up. */
  path: z.array(hex(32)).max(30),
});

export const evidenceSchema = z.strictObject({
  format: z.literal(EVIDENCE_FORMAT),
  event: eventIdSchema,
  epoch: epochSchema,
  state: stateSchema,
  /** The opening as it took place; set anew when somebody opened by hand. */
  opensAt: instantSchema,
  commitment: hex(32),
  committedAt: instantSchema,
  pool: poolSchema.optional(),
  beacon: beaconSchema,
  seed: hex(32).optional(),
  drawnAt: instantSchema.optional(),
  /** Both once drawn; a verifier works them out for itself and compares. */
  steerable: z.boolean().optional(),
  statement: z.string().max(2_000).optional(),
  abandoned: z.array(abandonedSchema).max(ABANDONED_MAX),
  /** For the `?index=` that was asked for. */
  proof: proofSchema.optional(),
});

export type Evidence = z.infer<typeof evidenceSchema>;
export type Proof = z.infer<typeof proofSchema>;
export type AbandonedEpoch = z.infer<typeof abandonedSchema>;
export type DrawState = z.infer<typeof stateSchema>;
export type DrawAct = z.infer<typeof actSchema>;
export type EvidenceBeacon = z.infer<typeof beaconSchema>;

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
