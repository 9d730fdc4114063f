import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { CODE_DIGITS } from "../../shared/contract/accounts.ts";

/**
 * One-time codes. A code follows from the address and a random nonce under CORE_SECRET, so the mail
 * job can write it without anybody having stored it: the database holds its hash, the queue its nonce.
 */

const mac = (secret: Uint8Array, ...parts: string[]): Buffer =>
  createHmac("sha256", secret).update(parts.join("\n")).digest();

export const newCodeNonce = (): string => randomBytes(16).toString("base64url");

export function codeOf(secret: Uint8Array, folded: string, nonce: string): string {
  const number = mac(secret, "sign-in code", folded, nonce).readBigUInt64BE();
  return String(number % 10n ** BigInt(CODE_DIGITS)).padStart(CODE_DIGITS, "0");
}

/** Hex. Bound to the address: the same digits are worth nothing elsewhere. */
export const codeHash = (secret: Uint8Array, folded: string, code: string): string =>
  mac(secret, "sign-in check", folded, code).toString("hex");

/** How a limit names an address: its key must not be an address. */
export const limitKey = (secret: Uint8Array, folded: string): string =>
  mac(secret, "limit", folded).toString("base64url").slice(0, 22);

export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
