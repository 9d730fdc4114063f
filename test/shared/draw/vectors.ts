import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The frozen test vectors of shared/draw/README.md. */
const hex = z.string().regex(/^[0-9a-f]*$/);
const vectorsSchema = z.strictObject({
  format: z.literal("sira-draw-1"),
  draws: z.array(
    z.strictObject({
      seed: hex,
      commitment: hex,
      beacon: hex,
      event: z.string(),
      epoch: z.int(),
      count: z.int(),
      key: hex,
      indexes: z.array(z.int()),
      numbers: z.array(z.int()),
      front: z.array(z.int()),
      sha256OfNumbers: hex,
    }),
  ),
  placeIds: z.string(),
  trees: z.array(
    z.strictObject({
      size: z.int(),
      skipped: z.array(z.int()),
      root: hex,
      proofs: z.array(z.strictObject({ index: z.int(), placeHash: hex, path: z.array(hex) })),
    }),
  ),
  chain: z.strictObject({
    hash: hex,
    publicKey: hex,
    periodSeconds: z.int(),
    genesisSeconds: z.int(),
    groupHash: hex,
    beaconId: z.string(),
  }),
  beacons: z.array(
    z.strictObject({ round: z.int(), due: z.string(), signature: hex, randomness: hex }),
  ),
});

export const VECTORS_FILE = fileURLToPath(new URL("vectors.json", import.meta.url));

export const vectors = vectorsSchema.parse(JSON.parse(readFileSync(VECTORS_FILE, "utf8")));
