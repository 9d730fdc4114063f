// Every request that a booking API must admit or refuse, made for one gate, one API and one event.
// `npm run mint -- --corpus` makes them fresh for an API that runs; shared/admission/vectors.json is
// one set of them, frozen, for verifiers in other languages.
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { makeSessionKey, type SessionKey } from "../crowd/session-key.ts";
import { forgeHmac, forgeJws, forgeUnsigned, tamper } from "./forge.ts";

export interface CorpusGround {
  /** The gate's origin: `iss`. */
  readonly gate: string;
  /** The booking API's origin. */
  readonly origin: string;
  readonly event: string;
  readonly method: string;
  readonly path: string;
  /** ms since 1970. */
  readonly now: number;
  readonly admissionKey: SigningKey;
  readonly placeKey: SigningKey;
}

export interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

export interface CorpusRequest {
  readonly name: string;
  readonly expect: "admit" | "refuse";
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Claims = Readonly<Record<string, unknown>>;

const SESSION_S = 540;
const PLACE = "plc_00_test-vector-of-an-admission";

/** To be judged in this order with one memory: the last repeats a proof of an earlier one. */
export function makeCorpus(ground: CorpusGround): CorpusRequest[] {
  const fan = makeSessionKey();
  const tokens = makeTokens(ground, fan);
  return [
    ...good(ground, fan, tokens),
    ...badTokens(ground, fan, tokens),
    ...badProofs(ground, fan, tokens),
  ];
}

type Tokens = ReturnType<typeof makeTokens>;

function makeTokens(ground: CorpusGround, fan: SessionKey) {
  const header = { alg: "ES256", typ: "admission+jwt", kid: ground.admissionKey.kid };
  const iat = Math.floor(ground.now / 1_000);
  const unboundClaims: Claims = {
    iss: ground.gate,
    aud: `core/${ground.event}`,
    sub: PLACE,
    epoch: 1,
    gen: 0,
    jti: "adm_test-vector",
    iat,
    nbf: iat,
    exp: iat + SESSION_S,
  };
  const claims: Claims = { ...unboundClaims, cnf: { jkt: thumbprint(fan) } };
  const { key } = ground.admissionKey;
  return {
    header,
    claims,
    unboundClaims,
    bound: forgeJws(header, claims, key),
    unbound: forgeJws(header, unboundClaims, key),
  };
}

function good(ground: CorpusGround, fan: SessionKey, tokens: Tokens): CorpusRequest[] {
  const admit = (name: string, headers: Record<string, string>, path = ground.path) =>
    ({ name, expect: "admit", method: ground.method, path, headers }) as const;
  const proof = () => ({ dpop: prove(ground, fan, tokens.bound) });
  return [
    admit("bound to a key, with a proof of it", {
      authorization: `DPoP ${tokens.bound}`,
      ...proof(),
    }),
    admit("not bound, as Bearer", { authorization: `Bearer ${tokens.unbound}` }),
    admit("the scheme in small letters", { authorization: `dpop ${tokens.bound}`, ...proof() }),
    admit(
      "with a query, which is no part of the proof",
      { authorization: `DPoP ${tokens.bound}`, ...proof() },
      `${ground.path}?page=2`,
    ),
  ];
}

function badTokens(ground: CorpusGround, fan: SessionKey, tokens: Tokens): CorpusRequest[] {
  const { header, claims, unboundClaims } = tokens;
  const { key } = ground.admissionKey;
  const stranger = makeSessionKey();
  const now = Math.floor(ground.now / 1_000);
  const signed = (headerChange: Claims, claimsChange: Claims, signer = key) =>
    forgeJws({ ...header, ...headerChange }, { ...claims, ...claimsChange }, signer);
  const withProof = (name: string, token: string): CorpusRequest =>
    refuse(ground, name, {
      authorization: `DPoP ${token}`,
      dpop: prove(ground, fan, token),
    });
  const { typ: _typ, ...untyped } = header;
  const { kid: _kid, ...nameless } = header;
  return [
    refuse(ground, "no Authorization", {}),
    refuse(ground, "Authorization of another scheme", { authorization: "Basic YTpi" }),
    refuse(ground, "not a token", { authorization: "Bearer abc" }),
    refuse(ground, "two tokens in one header", {
      authorization: `Bearer ${tokens.unbound}, Bearer ${tokens.unbound}`,
    }),
    refuse(ground, "a token of 10,000 characters", {
      authorization: `Bearer ${"a".repeat(10_000)}`,
    }),
    withProof("alg none", forgeUnsigned(header, claims)),
    withProof("the public key as an HMAC secret", forgeHmac(header, claims, key)),
    withProof(
      "signed by a key nobody published",
      signed({ kid: "unknown" }, {}, stranger.privateKey),
    ),
    withProof("a stranger's signature under our kid", signed({}, {}, stranger.privateKey)),
    withProof(
      "a stranger's key brought along as jwk",
      signed({ jwk: stranger.publicJwk }, {}, stranger.privateKey),
    ),
    withProof(
      "a stranger's key set named by jku",
      signed({ jku: "https://keys.example/jwks.json" }, {}, stranger.privateKey),
    ),
    withProof("no kid", forgeJws(nameless, claims, key)),
    withProof("no typ", forgeJws(untyped, claims, key)),
    withProof("typ JWT", signed({ typ: "JWT" }, {})),
    withProof("a critical header nobody knows", signed({ crit: ["x"], x: 1 }, {})),
    withProof("a place token", placeToken(ground, fan)),
    withProof(
      "an admission signed with the key for places",
      signed({ kid: ground.placeKey.kid }, {}, ground.placeKey.key),
    ),
    withProof("of another event", signed({}, { aud: `core/${ground.event}-2` })),
    withProof("of several audiences", signed({}, { aud: [`core/${ground.event}`, "core/other"] })),
    withProof("of another gate", signed({}, { iss: "https://gate.invalid" })),
    withProof("expired", signed({}, { iat: now - 1_200, nbf: now - 1_200, exp: now - 60 })),
    withProof("not valid yet", signed({}, { nbf: now + 300 })),
    withProof("without an end", signed({}, { exp: undefined })),
    withProof("without a subject", signed({}, { sub: undefined })),
    withProof("without an id", signed({}, { jti: undefined })),
    withProof("changed after it was signed", tamper(tokens.bound, { sub: "plc_00_somebody-else" })),
    withProof("its signature cut off", `${tokens.bound.split(".").slice(0, 2).join(".")}.`),
    refuse(ground, "bound, shown as Bearer", { authorization: `Bearer ${tokens.bound}` }),
    refuse(ground, "not bound, shown as DPoP", {
      authorization: `DPoP ${tokens.unbound}`,
      dpop: prove(ground, fan, tokens.unbound),
    }),
    refuse(ground, "unbound and expired", {
      authorization: `Bearer ${forgeJws(header, { ...unboundClaims, iat: now - 1_200, nbf: now - 1_200, exp: now - 60 }, key)}`,
    }),
  ];
}

function badProofs(ground: CorpusGround, fan: SessionKey, tokens: Tokens): CorpusRequest[] {
  const stranger = makeSessionKey();
  const shown = (name: string, dpop: string | undefined): CorpusRequest =>
    refuse(ground, name, {
      authorization: `DPoP ${tokens.bound}`,
      ...(dpop === undefined ? {} : { dpop }),
    });
  const proof = (change: Claims, headerChange: Claims = {}, signer = fan) =>
    prove(ground, signer, tokens.bound, change, headerChange);
  const now = Math.floor(ground.now / 1_000);
  const once = proof({});
  const privateJwk = { ...fan.publicJwk, d: "AAAA" };
  return [
    shown("no proof", undefined),
    shown("an empty proof", ""),
    shown("two proofs", `${proof({})}, ${proof({})}`),
    shown("a proof for another method", proof({ htm: "DELETE" })),
    shown("a proof for another path", proof({ htu: `${ground.origin}/elsewhere` })),
    shown("a proof for another origin", proof({ htu: `https://other.example${ground.path}` })),
    shown("a proof for another token", proof({ ath: hash("another") })),
    shown("a proof without ath", proof({ ath: undefined })),
    shown("a proof without jti", proof({ jti: undefined })),
    shown("a proof without htu", proof({ htu: undefined })),
    shown("a proof ten minutes old", proof({ iat: now - 600 })),
    shown("a proof ten minutes early", proof({ iat: now + 600 })),
    shown("a proof by another key", proof({}, { jwk: stranger.publicJwk }, stranger)),
    shown(
      "a proof that names our key and is signed by another",
      proof({}, {}, { ...stranger, publicJwk: fan.publicJwk }),
    ),
    shown("a proof with the private key in it", proof({}, { jwk: privateJwk })),
    shown("a proof of the wrong typ", proof({}, { typ: "JWT" })),
    shown(
      "a proof by HMAC",
      forgeHmac({ typ: "dpop+jwt", jwk: fan.publicJwk }, {}, fan.privateKey),
    ),
    shown("a proof without signature", forgeUnsigned({ typ: "dpop+jwt", jwk: fan.publicJwk }, {})),
    { ...shown("a proof shown for the first time", once), expect: "admit" },
    shown("the same proof once more", once),
  ];
}

function refuse(
  ground: CorpusGround,
  name: string,
  headers: Readonly<Record<string, string>>,
): CorpusRequest {
  return { name, expect: "refuse", method: ground.method, path: ground.path, headers };
}

let proofs = 0;

function prove(
  ground: CorpusGround,
  fan: SessionKey,
  token: string,
  change: Claims = {},
  headerChange: Claims = {},
): string {
  proofs += 1;
  return forgeJws(
    { typ: "dpop+jwt", alg: "ES256", jwk: fan.publicJwk, ...headerChange },
    {
      jti: `proof-${proofs}-${ground.now}`,
      htm: ground.method,
      htu: ground.origin + ground.path,
      iat: Math.floor(ground.now / 1_000),
      ath: hash(token),
      ...change,
    },
    fan.privateKey,
  );
}

function placeToken(ground: CorpusGround, fan: SessionKey): string {
  const iat = Math.floor(ground.now / 1_000);
  return forgeJws(
    { alg: "ES256", typ: "place+jwt", kid: ground.placeKey.kid },
    {
      iss: ground.gate,
      aud: `room/${ground.event}`,
      sub: PLACE,
      epoch: 1,
      gen: 0,
      num: 1,
      at: ground.now,
      iat,
      exp: iat + 86_400,
      cnf: { jkt: thumbprint(fan) },
    },
    ground.placeKey.key,
  );
}

/** RFC 7638 §3: the members in alphabetical order. */
function thumbprint({ publicJwk: { crv, kty, x, y } }: SessionKey): string {
  return hash(JSON.stringify({ crv, kty, x, y }));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** The key set that a gate with these keys publishes. */
export function publicKeys(ground: Pick<CorpusGround, "admissionKey" | "placeKey">): object {
  const published = ({ kid, key }: SigningKey, use: string) => ({
    ...createPublicKey(key).export({ format: "jwk" }),
    kid,
    alg: "ES256",
    use: "sig",
    "sira:use": use,
  });
  return {
    keys: [published(ground.admissionKey, "admission"), published(ground.placeKey, "place")],
  };
}
