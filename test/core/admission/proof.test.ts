import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSessionKey } from "../../../tools/crowd/session-key.ts";
import { forgeProof, type House, openHouse, proofClaims } from "../house.ts";
import { makeEvent } from "../sold.ts";
import { expectRefused, knockAt, METHOD, PATH } from "./knock.ts";

let house: House;
let other: House;
beforeAll(async () => {
  house = await openHouse();
  await makeEvent(house, "alpha");
  other = await openHouse({ beside: house });
});
afterAll(async () => {
  await other.close();
  await house.close();
});

const knock = (headers: Record<string, string>, at: House = house) => knockAt(at, headers);

describe("the proof of a bound admission", () => {
  const broken: [string, Record<string, unknown>][] = [
    ["another method", { htm: "POST" }],
    ["another path", { htu: "http://core.test/v1/events/alpha/holds" }],
    ["another origin", { htu: `http://elsewhere.test${PATH}` }],
    ["a path in another case", { htu: `http://core.test${PATH.toUpperCase()}` }],
    ["no address", { htu: "" }],
    ["another token", { ath: "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU" }],
    ["no token at all", { ath: undefined }],
    ["an old time", { iat: Math.floor(Date.now() / 1000) - 61 - 5 }],
    ["a time to come", { iat: Math.floor(Date.now() / 1000) + 61 + 5 }],
    ["an old time and an invented nonce", { iat: 1, nonce: "A".repeat(32) }],
    ["no time", { iat: undefined }],
    ["no id", { jti: undefined }],
    ["an endless id", { jti: "x".repeat(500) }],
  ];
  test.each(broken)("%s", async (_what, changes) => {
    const fan = await house.shopper("alpha");
    const dpop = forgeProof(fan.key, { ...proofClaims(METHOD, PATH, fan.token), ...changes });
    expectRefused(await knock({ authorization: `DPoP ${fan.token}`, dpop }));
  });

  test("is missing", async () => {
    const fan = await house.shopper("alpha");
    expectRefused(await knock({ authorization: `DPoP ${fan.token}` }));
  });

  test("is there twice", async () => {
    const fan = await house.shopper("alpha");
    const one = () => fan.headers(METHOD, PATH)["dpop"];
    expectRefused(await knock({ authorization: `DPoP ${fan.token}`, dpop: `${one()}, ${one()}` }));
  });

  test("is made with another key", async () => {
    const fan = await house.shopper("alpha");
    const dpop = forgeProof(makeSessionKey(), proofClaims(METHOD, PATH, fan.token));
    expectRefused(await knock({ authorization: `DPoP ${fan.token}`, dpop }));
  });

  test("names the right key and is signed with another", async () => {
    const fan = await house.shopper("alpha");
    const dpop = forgeProof(makeSessionKey(), proofClaims(METHOD, PATH, fan.token), {
      jwk: fan.key.publicJwk,
    });
    expectRefused(await knock({ authorization: `DPoP ${fan.token}`, dpop }));
  });

  test("carries the private key", async () => {
    const fan = await house.shopper("alpha");
    const jwk = fan.key.privateKey.export({ format: "jwk" });
    const dpop = forgeProof(fan.key, proofClaims(METHOD, PATH, fan.token), { jwk });
    expectRefused(await knock({ authorization: `DPoP ${fan.token}`, dpop }));
  });

  test("is of another type", async () => {
    const fan = await house.shopper("alpha");
    const dpop = forgeProof(fan.key, proofClaims(METHOD, PATH, fan.token), { typ: "JWT" });
    expectRefused(await knock({ authorization: `DPoP ${fan.token}`, dpop }));
  });

  test("a bound admission as Bearer is refused, with a proof and without", async () => {
    const fan = await house.shopper("alpha");
    const { dpop = "" } = fan.headers(METHOD, PATH);
    expectRefused(await knock({ authorization: `Bearer ${fan.token}` }));
    expectRefused(await knock({ authorization: `Bearer ${fan.token}`, dpop }));
  });

  test("an unbound admission as DPoP is refused", async () => {
    const token = await house.admission({ aud: "core/alpha" });
    const dpop = forgeProof(makeSessionKey(), proofClaims(METHOD, PATH, token));
    expectRefused(await knock({ authorization: `DPoP ${token}`, dpop }));
  });
});

describe("a proof counts once", () => {
  test("at one process", async () => {
    const fan = await house.shopper("alpha");
    const headers = fan.headers(METHOD, PATH);
    expect((await knock(headers)).status).toBe(200);
    expectRefused(await knock(headers));
  });

  test("shown twice at the same moment", async () => {
    const fan = await house.shopper("alpha");
    const headers = fan.headers(METHOD, PATH);
    const replies = await Promise.all([knock(headers), knock(headers, other), knock(headers)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test("at all processes together", async () => {
    const headers = (await house.shopper("alpha")).headers(METHOD, PATH);
    expect((await knock(headers)).status).toBe(200);
    expectRefused(await knock(headers, other));
  });

  test("at all processes together also while Redis is away", async () => {
    const nowhere = "redis://127.0.0.1:9";
    const env = { REDIS_LOCKS_URL: nowhere, REDIS_CACHE_URL: nowhere };
    const [one, another] = [
      await openHouse({ beside: house, env }),
      await openHouse({ beside: house, env }),
    ];
    try {
      const headers = (await house.shopper("alpha")).headers(METHOD, PATH);
      expect((await knock(headers, one)).status).toBe(200);
      expectRefused(await knock(headers, one));
      expectRefused(await knock(headers, another));
    } finally {
      await Promise.all([one.close(), another.close()]);
    }
  });

  test("another key may use the same id", async () => {
    const [one, two] = [await house.shopper("alpha"), await house.shopper("alpha")];
    const jti = randomUUID();
    for (const fan of [one, two]) {
      const dpop = forgeProof(fan.key, { ...proofClaims(METHOD, PATH, fan.token), jti });
      expect((await knock({ authorization: `DPoP ${fan.token}`, dpop })).status).toBe(200);
    }
  });
});
