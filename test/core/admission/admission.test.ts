import { createHmac, randomUUID, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, importKeySet } from "../../../shared/token/keys.ts";
import { signToken } from "../../../shared/token/sign.ts";
import { makeSessionKey } from "../../../tools/crowd/session-key.ts";
import { forgeProof, type House, openHouse, proofClaims, type Reply } from "../house.ts";

/** A call that needs an admission and nothing else. */
const PATH = "/v1/events/alpha/presence";
const METHOD = "PUT";
const BODY = { section: "A" };

let house: House;
let other: House;

beforeAll(async () => {
  house = await openHouse();
  other = await openHouse({ beside: house });
});
afterAll(async () => {
  await other.close();
  await house.close();
});

const knock = (headers: Record<string, string>, at: House = house): Promise<Reply> =>
  at.request(METHOD, PATH, { headers, body: BODY });

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function expectRefused(reply: Reply, code = "admission_invalid"): void {
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ code, status: 401 });
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  expect(reply.headers.get("www-authenticate")).toMatch(/^DPoP algs="ES256".*, Bearer/);
  // One vague sentence: what exactly was wrong is for the log alone.
  expect(reply.body["detail"]).toBeUndefined();
}

describe("a good admission", () => {
  test("bound to a key, with a proof of that key, is let in", async () => {
    const fan = await house.shopper("alpha");
    const reply = await fan.call(METHOD, PATH, { body: BODY });
    expect(reply.status).toBe(204);
  });

  test("of a room without binding is let in as Bearer", async () => {
    const token = await house.admission({ aud: "core/alpha" });
    expect((await knock({ authorization: `Bearer ${token}` })).status).toBe(204);
  });

  test("the query is no part of what the proof speaks of", async () => {
    const fan = await house.shopper("alpha");
    const reply = await fan.call("PUT", `${PATH}?unused=1`, { body: BODY });
    expect(reply.status).toBe(204);
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
    expect(reply.status).toBe(204);
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
    expect((await knock(headers)).status).toBe(204);
    expectRefused(await knock(headers));
  });

  test("shown twice at the same moment", async () => {
    const fan = await house.shopper("alpha");
    const headers = fan.headers(METHOD, PATH);
    const replies = await Promise.all([knock(headers), knock(headers, other), knock(headers)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 401, 401]);
  });

  test("at all processes together, and at each one also while Redis is away", async () => {
    const fan = await house.shopper("alpha");
    const headers = fan.headers(METHOD, PATH);
    expect((await knock(headers)).status).toBe(204);
    expectRefused(await knock(headers, other));
    const cutOff = await openHouse({
      beside: house,
      env: { REDIS_LOCKS_URL: "redis://127.0.0.1:9", REDIS_CACHE_URL: "redis://127.0.0.1:9" },
    });
    try {
      const more = fan.headers(METHOD, PATH);
      expect((await knock(more, cutOff)).status).toBe(204);
      expectRefused(await knock(more, cutOff));
    } finally {
      await cutOff.close();
    }
  });

  test("another key may use the same id", async () => {
    const [one, two] = [await house.shopper("alpha"), await house.shopper("alpha")];
    const jti = randomUUID();
    for (const fan of [one, two]) {
      const dpop = forgeProof(fan.key, { ...proofClaims(METHOD, PATH, fan.token), jti });
      expect((await knock({ authorization: `DPoP ${fan.token}`, dpop })).status).toBe(204);
    }
  });
});

describe("the gate ends admissions", () => {
  const close = (headers: Record<string, string>, call = {}) =>
    house.request("POST", "/v1/admissions/alpha/plc_1/close", { headers, ...call });

  test("with its service token, once or many times, with a body or without", async () => {
    const authorization = `Bearer ${await house.serviceToken()}`;
    expect((await close({ authorization })).status).toBe(204);
    expect((await close({ authorization }, { body: { gen: 3, reason: "left" } })).status).toBe(204);
    const rows = await house.deps.db.read<{ gen: number; closed: boolean }>(
      "select gen, closed_at is not null as closed from admissions where place = 'plc_1'",
    );
    expect(rows).toEqual([{ gen: 3, closed: true }]);
  });

  test.each([
    ["of another scope", { scope: "slots capacity" }],
    ["of another event", { events: ["beta"] }],
    ["for somebody else", { aud: "gate" }],
    ["of another issuer", { iss: "http://core.test" }],
    ["that has ended", { exp: Math.floor(Date.now() / 1000) - 1 }],
  ])("not with a token %s", async (_what, changes) => {
    const reply = await close({ authorization: `Bearer ${await house.serviceToken(changes)}` });
    expect([reply.status, reply.body["code"]]).toEqual([401, "credential_invalid"]);
  });

  test("not with an admission, nor without a token", async () => {
    const token = await house.admission({ aud: "core/alpha" });
    expect((await close({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await close({})).status).toBe(401);
  });

  test("a reset of the room raises the event's not-before, and nothing lowers it", async () => {
    await house.deps.db.write(
      `insert into events (event_id, name, venue, starts_at, sale_opens_at, time_zone, currency,
         per_order_max, per_account_max)
       values ('alpha', 'n', 'v', now(), now(), 'UTC', 'EUR', 4, 4) on conflict do nothing`,
    );
    const authorization = `Bearer ${await house.serviceToken()}`;
    const raise = (notBefore: string, event = "alpha") =>
      house.request("POST", `/v1/admissions/${event}/not-before`, {
        headers: { authorization },
        body: { notBefore },
      });
    expect((await raise("2026-05-01T10:00:00Z")).status).toBe(204);
    expect((await raise("2026-04-01T10:00:00Z")).status).toBe(204);
    expect((await raise("2026-05-01T10:00:00Z", "nowhere")).body["code"]).toBe("unknown_event");
    const rows = await house.deps.db.read<{ at: string }>(
      "select iso_time(admissions_not_before) as at from events where event_id = 'alpha'",
    );
    expect(rows).toEqual([{ at: "2026-05-01T10:00:00.000Z" }]);
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
