import { base64url } from "jose";
import { DPOP_NONCE_MS } from "../limits.ts";

/**
 * DPoP nonces without memory: the time we gave it and a MAC over that time. Any of our processes
 * that shares the secret recognises it.
 */
export type Nonces = {
  /** @param now ms since 1970. */
  issue(now: number): Promise<string>;
  isFresh(nonce: string, now: number): Promise<boolean>;
};

const TIME_BYTES = 8;
const MAC_BYTES = 16;
const NONCE_CHARS = 32;

/** @param secret at least 32 bytes, used for nothing else or under a label of its own. */
export async function nonces(secret: Uint8Array<ArrayBuffer>): Promise<Nonces> {
  const key = await crypto.subtle.importKey(
    "raw",
    secret,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const sealed = async (time: Uint8Array<ArrayBuffer>) => {
    const label = new TextEncoder().encode("sira:dpop-nonce:");
    const message = new Uint8Array(label.length + time.length);
    message.set(label);
    message.set(time, label.length);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
    const out = new Uint8Array(TIME_BYTES + MAC_BYTES);
    out.set(time);
    out.set(mac.subarray(0, MAC_BYTES), TIME_BYTES);
    return base64url.encode(out);
  };
  const timeBytes = (ms: number) => {
    const time = new Uint8Array(TIME_BYTES);
    new DataView(time.buffer).setBigUint64(0, BigInt(ms));
    return time;
  };
  return {
    issue: (now) => sealed(timeBytes(now)),
    async isFresh(nonce, now) {
      if (nonce.length !== NONCE_CHARS) return false;
      let bytes: Uint8Array;
      try {
        bytes = base64url.decode(nonce);
      } catch {
        return false;
      }
      const given = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
      if (!(given <= now && now - given <= DPOP_NONCE_MS)) return false;
      return constantTimeEqual(nonce, await sealed(timeBytes(given)));
    },
  };
}

/** Equal-length strings compared without telling by time where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
