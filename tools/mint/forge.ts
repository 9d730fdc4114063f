// Tokens and proofs as anybody could write them, good and hostile: what a verifier is tried with.
import { createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";

/** Signs whatever is given, and asks no questions. */
export function forgeJws(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
  key: KeyObject,
): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" });
  return `${input}.${signature.toString("base64url")}`;
}

/** `alg: none`, which RFC 8725 §3.2 tells everybody to refuse. */
export function forgeUnsigned(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): string {
  return `${encode({ ...header, alg: "none" })}.${encode(claims)}.`;
}

/** The public key taken for an HMAC secret: algorithm confusion (RFC 8725 §2.1). */
export function forgeHmac(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
  key: KeyObject,
): string {
  const pem = createPublicKey(key).export({ type: "spki", format: "pem" });
  const input = `${encode({ ...header, alg: "HS256" })}.${encode(claims)}`;
  return `${input}.${createHmac("sha256", pem).update(input).digest("base64url")}`;
}

/** The claims of a token replaced, its signature kept. */
export function tamper(token: string, change: Readonly<Record<string, unknown>>): string {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const claims: object = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  return `${header}.${encode({ ...claims, ...change })}.${signature}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
