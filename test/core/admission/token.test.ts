import { createHmac, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, importKeySet } from "../../../shared/token/keys.ts";
import { signToken } from "../../../shared/token/sign.ts";
import { makeSessionKey } from "../../../tools/crowd/session-key.ts";
import { forgeProof, type House, openHouse, proofClaims } from "../house.ts";
import { makeEvent } from "../sold.ts";
import { BODY, expectRefused, knockAt, METHOD, PATH } from "./knock.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
  await makeEvent(house, "alpha");
});
afterAll(() => house.close());

const knock = (headers: Record<string, string>) => knockAt(house, headers);

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a good admission", () => {
  test("bound to a key, with a proof of that key, is let in", async () => {
    const fan = await house.shopper("alpha");
    const reply = await fan.call(METHOD, PATH, { body: BODY });
    expect(reply.status).toBe(200);
  });

  test("of a room without binding is let in as Bearer", async () => {
    const token = await house.admission({ aud: "core/alpha" });
    expect((await knock({ authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test("the query is no part of what the proof speaks of", async () => {
    const fan = await house.shopper("alpha");
    const reply = await fan.call("PUT", `${PATH}?unused=1`, { body: BODY });
    expect(reply.status).toBe(200);
  });

  test("every answer carries a nonce, refusals too", async () => {
    expect((await house.request("GET", "/healthz")).headers.get("dpop-nonce")).toMatch(/^.{32}$/);
    expect((await knock({})).headers.get("dpop-nonce")).toMatch(/^.{32}$/);
  });

  test("a phone with a wrong clock is asked to use our nonce, and then let in", async () => {
    const fan = await house.shopper("alpha");
    const hourAgo = Date.now() - 3_600_000;
    const claims = () => proofClaims(METHOD, PATH, fan.token, hourAgo);
    const refused = await knock({
      authorization: `DPoP ${fan.token}`,
      dpop: forgeProof(fan.key, claims()),
    });
    expectRefused(refused);
    expect(refused.headers.get("www-authenticate")).toContain('error="use_dpop_nonce"');
    const nonce = refused.headers.get("dpop-nonce");
    const reply = await knock({
      authorization: `DPoP ${fan.token}`,
      dpop: forgeProof(fan.key, { ...claims(), nonce }),
    });
    expect(reply.status).toBe(200);
  });
});

describe("no admission", () => {
  test("is told that one is needed", async () => {
    expectRefused(await knock({}), "admission_required");
  });

  test.each([
    ["another scheme", "Basic dTpw"],
    ["no token after the scheme", "DPoP"],
    ["two tokens", "Bearer aaa.bbb.ccc, Bearer aaa.bbb.ccc"],
    ["a token beyond all bounds", `Bearer ${"a".repeat(5_000)}`],
    ["text that is no token", "Bearer abc"],
    ["a token with bytes that no token has", "Bearer a.b.c;d"],
  ])("%s is refused", async (_what, authorization) => {
    expectRefused(await knock({ authorization }));
  });
});

describe("a hostile token", () => {
  const hostile: [string, (token: string) => Promise<string> | string][] = [
    [
      "alg none",
      (token) => `${encode({ alg: "none", typ: "admission+jwt" })}.${token.split(".")[1]}.`,
    ],
    [
      "alg none with the key's id",
      (token) => {
        const [header = "", payload] = token.split(".");
        const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
        return `${encode({ alg: "none", typ: "admission+jwt", kid })}.${payload}.`;
      },
    ],
    [
      "HS256 with our public key as its secret",
      (token) => {
        const [header = "", payload] = token.split(".");
        const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
        const secret = JSON.stringify(house.gate.keys.jwks.keys.find((key) => key.kid === kid));
        const input = `${encode({ alg: "HS256", typ: "admission+jwt", kid })}.${payload}`;
        return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
      },
    ],
    [
      "a claim changed under the old signature",
      (token) => {
        const [header, payload = "", signature] = token.split(".");
        const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
        return `${header}.${encode({ ...claims, sub: "plc_somebody-else" })}.${signature}`;
      },
    ],
    ["a signature with one bit turned", (token) => flipLast(token)],
    ["no signature", (token) => token.split(".").slice(0, 2).join(".")],
    [
      "a key of the sender's own, in the header",
      (token) => {
        const key = makeSessionKey();
        const input = `${encode({ alg: "ES256", typ: "admission+jwt", kid: "mine", jwk: key.publicJwk })}.${token.split(".")[1]}`;
        return `${input}.${sign("sha256", Buffer.from(input), { key: key.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
      },
    ],
    [
      "another deployment's key under our key's id",
      async (token) => {
        const [header = "", payload = ""] = token.split(".");
        const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
        const entry = { ...(await generateKey("admission", "active", new Date())), kid };
        const keys = await importKeySet([entry], ["admission"]);
        return signToken(
          keys,
          "admission",
          JSON.parse(Buffer.from(payload, "base64url").toString()),
        );
      },
    ],
    ["an unknown key id", (token) => swapHeader(token, { kid: "admission-2020-01-01-00000000" })],
    ["no key id", (token) => swapHeader(token, { kid: undefined })],
    ["another type", (token) => swapHeader(token, { typ: "JWT" })],
    ["a critical extension", (token) => swapHeader(token, { crit: ["exp"] })],
  ];

  test.each(hostile)("%s", async (_what, spoil) => {
    const token = await spoil(await house.admission({ aud: "core/alpha" }));
    expectRefused(await knock({ authorization: `Bearer ${token}` }));
  });

  const s = (offsetS: number) => Math.floor(Date.now() / 1000) + offsetS;
  const claims: [string, Parameters<House["admission"]>[0]][] = [
    ["for another event", { aud: "core/beta" }],
    ["for the room instead of the core", { aud: "room/alpha" }],
    ["for an event of the same beginning", { aud: "core/alpha2" }],
    ["of another issuer", { aud: "core/alpha", iss: "http://127.0.0.1:1" }],
    ["that has ended", { aud: "core/alpha", iat: s(-700), nbf: s(-700), exp: s(-1) }],
    ["that has not begun", { aud: "core/alpha", nbf: s(60) }],
    ["without an end", { aud: "core/alpha", exp: undefined }],
    ["without a place", { aud: "core/alpha", sub: undefined }],
    ["without an id", { aud: "core/alpha", jti: undefined }],
    ["without a generation", { aud: "core/alpha", gen: undefined }],
  ];
  test.each(claims)("%s", async (_what, changes) => {
    const token = await house.admission(changes);
    expectRefused(await knock({ authorization: `Bearer ${token}` }));
  });

  test("a place token of the same gate is no admission", async () => {
    const now = s(0);
    const token = await signToken(house.gate.keys, "place", {
      iss: house.gate.origin,
      aud: "core/alpha",
      sub: "plc_1",
      epoch: 1,
      gen: 0,
      at: Date.now(),
      iat: now,
      exp: now + 600,
    });
    expectRefused(await knock({ authorization: `Bearer ${token}` }));
  });

  test("a place token dressed as an admission is refused by its key's use", async () => {
    const placeKey = house.keys.gateKeys.find(({ use }) => use === "place");
    if (!placeKey) throw new Error("the gate has a place key");
    const keys = await importKeySet([{ ...placeKey, use: "admission" }], ["admission"]);
    const genuine = await house.admission({ aud: "core/alpha" });
    const payload = JSON.parse(Buffer.from(genuine.split(".")[1] ?? "", "base64url").toString());
    const token = await signToken(keys, "admission", payload);
    expectRefused(await knock({ authorization: `Bearer ${token}` }));
  });
});

function flipLast(token: string): string {
  const at = token.length - 10;
  return token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
}

/** The payload under another header, signed by nobody who could. */
function swapHeader(token: string, changes: Record<string, unknown>): string {
  const [header = "", payload, signature] = token.split(".");
  const parsed = JSON.parse(Buffer.from(header, "base64url").toString());
  return `${encode({ ...parsed, ...changes })}.${payload}.${signature}`;
}
