import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { z } from "zod";
import { assert } from "../result.ts";
import type { KeyUse } from "./claims.ts";

/**
 * A key set as a deployment configures it. `next` is published and not yet used, `active` signs,
 * `retired` only verifies, until the last token it signed has ended.
 */
const keyEntrySchema = z.strictObject({
  kid: z.string().min(1).max(64),
  use: z.enum(["place", "admission", "service", "organizer", "pass", "ticket", "order"]),
  state: z.enum(["next", "active", "retired"]),
  /** ISO 8601; since when the key is retired. */
  retiredAt: z.iso.datetime().optional(),
  jwk: z.object({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    d: z.string(),
  }),
});

export const keySetSchema = z.array(keyEntrySchema).min(1).max(64);
export type KeyEntry = z.infer<typeof keyEntrySchema>;

/** The one algorithm. Keys are pinned to it; a token's own header never chooses. */
export const TOKEN_ALG = "ES256";

export type VerifyKey = { kid: string; use: KeyUse; key: CryptoKey };

export type KeySet = {
  /** The active key of a use; a deployment without one fails when it parses, not when it sells. */
  signing(use: KeyUse): { kid: string; key: CryptoKey };
  /** `undefined` for an unknown `kid`, or one of another use. */
  verifying(kid: string, use: KeyUse): CryptoKey | undefined;
  /** Public JWKs for `/.well-known/jwks.json`. */
  readonly jwks: { keys: PublishedKey[] };
};

export type PublishedKey = {
  kty: string;
  crv: string;
  x: string;
  y: string;
  kid: string;
  alg: typeof TOKEN_ALG;
  use: "sig";
  /** Which tokens of ours this key may sign. */
  "sira:use": KeyUse;
};

async function importEc(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, TOKEN_ALG);
  assert(!(key instanceof Uint8Array), "an EC key is not a secret");
  return key;
}

const publicHalf = ({ kty, crv, x, y }: KeyEntry["jwk"]) => ({ kty, crv, x, y });

/** @throws when a use in `uses` has no active key, or two. */
export async function importKeySet(
  entries: readonly KeyEntry[],
  uses: readonly KeyUse[],
): Promise<KeySet> {
  const publics = new Map<string, VerifyKey>();
  const active = new Map<KeyUse, { kid: string; key: CryptoKey }>();
  for (const entry of entries) {
    assert(!publics.has(entry.kid), `the key id ${entry.kid} is given once`);
    publics.set(entry.kid, {
      kid: entry.kid,
      use: entry.use,
      key: await importEc(publicHalf(entry.jwk)),
    });
    if (entry.state !== "active") continue;
    assert(!active.has(entry.use), `there is one active ${entry.use} key`);
    active.set(entry.use, { kid: entry.kid, key: await importEc(entry.jwk) });
  }
  for (const use of uses) assert(active.has(use), `there is an active ${use} key`);
  return {
    signing(use) {
      const key = active.get(use);
      assert(key, `there is an active ${use} key`);
      return key;
    },
    verifying(kid, use) {
      const found = publics.get(kid);
      return found?.use === use ? found.key : undefined;
    },
    jwks: {
      keys: entries.map((entry) => ({
        ...publicHalf(entry.jwk),
        kid: entry.kid,
        alg: TOKEN_ALG,
        use: "sig",
        "sira:use": entry.use,
      })),
    },
  };
}

/** A fresh private key, named after its use and day so that a person can tell keys apart. */
export async function generateKey(
  use: KeyUse,
  state: KeyEntry["state"],
  now: Date,
): Promise<KeyEntry> {
  const { privateKey } = await generateKeyPair(TOKEN_ALG, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const suffix = crypto.randomUUID().slice(0, 8);
  return keyEntrySchema.parse({
    kid: `${use}-${now.toISOString().slice(0, 10)}-${suffix}`,
    use,
    state,
    jwk: { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y, d: jwk.d },
  });
}
