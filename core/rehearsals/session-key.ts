// A fan's own key and its DPoP proofs (RFC 9449), made fast enough for thousands of fans a second.
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";

export interface SessionKey {
  readonly publicJwk: { kty: string; crv: string; x: string; y: string };
  readonly privateKey: KeyObject;
}

export function makeSessionKey(): SessionKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  if (x === undefined || y === undefined) throw new Error("a P-256 key has two coordinates");
  return { publicJwk: { kty: "EC", crv: "P-256", x, y }, privateKey };
}

export function makeProof(
  key: SessionKey,
  request: {
    readonly method: string;
    readonly url: string;
    readonly token: string;
    /** By the fan's own clock, which may be wrong; ms. */
    readonly now?: number;
  },
  nonce?: string,
): string {
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: key.publicJwk };
  const claims = {
    jti: randomUUID(),
    htm: request.method,
    htu: request.url,
    iat: Math.floor((request.now ?? Date.now()) / 1000),
    ath: createHash("sha256").update(request.token).digest("base64url"),
    ...(nonce === undefined ? {} : { nonce }),
  };
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(input), {
    key: key.privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `${input}.${signature.toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
