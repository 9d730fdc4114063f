import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { assert } from "../../shared/result.ts";

/**
 * A webhook's secret signs, so it must be had again and cannot be a hash. It is kept sealed
 * (AES-256-GCM) with a key made from CORE_SECRET: a copy of the database alone signs nothing.
 */

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 24;

const keyOf = (coreSecret: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", coreSecret, "", "sira webhook secrets", KEY_BYTES));

/** In the form that Standard Webhooks libraries take. */
export const newWebhookSecret = (): string =>
  `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/** `id` is bound in, so that one endpoint's sealed secret is worthless in another's row. */
export function sealSecret(coreSecret: Uint8Array, id: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(coreSecret), nonce).setAAD(Buffer.from(id));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("hex");
}

export function openSecret(coreSecret: Uint8Array, id: string, sealedHex: string): string {
  const sealed = Buffer.from(sealedHex, "hex");
  assert(sealed.length > NONCE_BYTES + TAG_BYTES, "a sealed secret is whole");
  const decipher = createDecipheriv(
    ALGORITHM,
    keyOf(coreSecret),
    sealed.subarray(0, NONCE_BYTES),
  ).setAAD(Buffer.from(id));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return (
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") +
    decipher.final("utf8")
  );
}
