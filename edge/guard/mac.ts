import { base64url } from "jose";

/** What the room secret signs: place ids, cookies and challenges, each under a label of its own. */

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/** @param secret 32 bytes or more. */
export const importMac = (secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", secret, ALGORITHM, false, ["sign"]);

/** HMAC-SHA-256 under the room secret, cut to 128 bits, base64url. `label` separates the uses. */
export async function macOf(key: CryptoKey, label: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`sira:${label}:${text}`);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
  return base64url.encode(mac.subarray(0, 16));
}
