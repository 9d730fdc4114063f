import { textToBase64url, toBase64url } from "./base64url.ts";
import { serverNow } from "./clock.ts";
import { load, remove, saveFirst } from "./store.ts";

/**
 * The key that binds a place and an admission to this browser, and the DPoP proofs made with it
 * (RFC 9449). It cannot be exported, not even by this page. Each event has a key of its own: leaving
 * one line for good must not touch the places in others.
 */
export type BrowserKey = { pair: CryptoKeyPair; jwk: JsonWebKey };

const keyName = (event: string) => `key:${event}`;

export async function ensureKey(event: string): Promise<BrowserKey> {
  const kept = await load<BrowserKey>(keyName(event));
  if (kept) return kept;
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, [
    "sign",
    "verify",
  ]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return saveFirst<BrowserKey>(keyName(event), { pair, jwk: { kty, crv, x, y } as JsonWebKey });
}

export const existingKey = (event: string): Promise<BrowserKey | undefined> =>
  load<BrowserKey>(keyName(event));

/** The next place of this browser in this line will be a new one. */
export const forgetKey = (event: string): Promise<void> => remove(keyName(event));

/** The last nonce of each server: it makes up for a wrong clock of this phone. */
const nonces = new Map<string, string>();

export function learnNonce(url: URL, headers: Headers): boolean {
  const nonce = headers.get("dpop-nonce");
  if (nonce === null || nonces.get(url.origin) === nonce) return false;
  nonces.set(url.origin, nonce);
  return true;
}

export async function makeProof(
  key: BrowserKey,
  request: { method: string; url: URL; token: string },
): Promise<string> {
  const { method, url, token } = request;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const nonce = nonces.get(url.origin);
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: key.jwk };
  const payload = {
    jti: toBase64url(crypto.getRandomValues(new Uint8Array(16))),
    htm: method,
    htu: url.origin + url.pathname,
    iat: Math.floor(serverNow() / 1000),
    ath: toBase64url(new Uint8Array(hash)),
    ...(nonce === undefined ? {} : { nonce }),
  };
  const input = `${textToBase64url(JSON.stringify(header))}.${textToBase64url(JSON.stringify(payload))}`;
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" },
    key.pair.privateKey,
    new TextEncoder().encode(input),
  );
  return `${input}.${toBase64url(new Uint8Array(signature))}`;
}
