import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tokenHash } from "../../shared/token/dpop.ts";
import { makeProof, makeSessionKey } from "../../tools/crowd/session-key.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, type TestFan } from "./stand.ts";

let stand: Stand;
let fan: TestFan;
let url: string;

beforeAll(async () => {
  stand = await startStand();
  await stand.room("refuse");
  fan = await joinAs(stand, "refuse");
  url = `${stand.gate.origin}/api/queue/refuse/turn`;
});
afterAll(() => stand.stop());

const turn = (headers: Record<string, string>) => request("POST", url, { headers });

/** A proof made by hand: what is given replaces what would be right. */
async function proof(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  return await new SignJWT({
    jti: crypto.randomUUID(),
    htm: "POST",
    htu: url,
    iat: Math.floor(Date.now() / 1_000),
    ath: await tokenHash(fan.token),
    ...claims,
  })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: fan.key.publicJwk, ...header })
    .sign(fan.key.privateKey);
}

test("a turn without any credential is told that a place is needed, in problem form", async () => {
  const answer = await turn({ "x-request-id": "test-request-1" });
  expect(answer.status).toBe(401);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("x-request-id")).toBe("test-request-1");
  expect(answer.headers.get("www-authenticate")).toContain("Place");
  expect(answer.body).toMatchObject({
    code: "place_required",
    status: 401,
    requestId: "test-request-1",
  });
});

test("a right proof passes, and its jti counts once", async () => {
  const dpop = await proof({});
  const headers = { authorization: `Place ${fan.token}`, dpop };
  expect((await turn(headers)).status).toBe(200);
  const again = await turn(headers);
  expect(again.status).toBe(401);
  expect(again.body).toMatchObject({ code: "place_invalid" });
});

test("a proof for another request, token, key or time is refused", async () => {
  const other = makeSessionKey();
  const full = await exportJWK((await generateKeyPair("ES256", { extractable: true })).privateKey);
  const wrong = [
    await proof({ htm: "GET" }),
    await proof({ htu: `${stand.gate.origin}/api/queue/refuse/place` }),
    await proof({ htu: "https://elsewhere.example/api/queue/refuse/turn" }),
    await proof({ ath: await tokenHash("another token") }),
    await proof({ iat: Math.floor(Date.now() / 1_000) - 120 }),
    await proof({ iat: Math.floor(Date.now() / 1_000) + 120 }),
    await proof({ jti: undefined }),
    await proof({}, { typ: "JWT" }),
    await proof({}, { jwk: { ...fan.key.publicJwk, d: full.d } }),
    makeProof(other, { method: "POST", url, token: fan.token }),
    `${await proof({})}, ${await proof({})}`,
    "nonsense",
    "",
  ];
  for (const dpop of wrong) {
    const answer = await turn({ authorization: `Place ${fan.token}`, dpop });
    expect([answer.status, answer.body["code"]], dpop).toEqual([401, "place_invalid"]);
    expect(answer.headers.get("www-authenticate")).toContain("DPoP");
  }
});

test("a phone whose clock is ten minutes off goes on with the nonce that it was given", async () => {
  for (const skew of [-600, 600]) {
    const iat = Math.floor(Date.now() / 1_000) + skew;
    const first = await turn({ authorization: `Place ${fan.token}`, dpop: await proof({ iat }) });
    expect(first.status).toBe(401);
    expect(first.headers.get("www-authenticate")).toContain("use_dpop_nonce");
    const nonce = first.headers.get("dpop-nonce");
    const second = await turn({
      authorization: `Place ${fan.token}`,
      dpop: await proof({ iat, nonce }),
    });
    expect(second.status).toBe(200);
    const forged = await proof({ iat, nonce: `${nonce?.slice(0, -2)}xx` });
    expect((await turn({ authorization: `Place ${fan.token}`, dpop: forged })).status).toBe(401);
  }
});

test("query and fragment of the htu do not matter, as the standard says", async () => {
  const dpop = await proof({ htu: `${url}?a=1#b` });
  expect((await turn({ authorization: `Place ${fan.token}`, dpop })).status).toBe(200);
});

test("tokens that are tampered with, of another kind or another event are refused", async () => {
  await stand.room("refuse-other");
  const elsewhere = await joinAs(stand, "refuse-other");
  const [head, payload, signature] = fan.token.split(".");
  const none = `${Buffer.from('{"alg":"none","typ":"place+jwt"}').toString("base64url")}.${payload}.`;
  const tokens = [
    elsewhere.token,
    none,
    `${head}.${payload}.${signature?.slice(0, -4)}AAAA`,
    `${head}.${Buffer.from(
      Buffer.from(payload ?? "", "base64url")
        .toString()
        .replace('"gen":1', '"gen":9'),
    ).toString("base64url")}.${signature}`,
    await stand.organizer(),
    "x".repeat(5_000),
  ];
  for (const token of tokens) {
    const dpop = makeProof(fan.key, { method: "POST", url, token });
    const answer = await turn({ authorization: `Place ${token}`, dpop });
    expect([answer.status, answer.body["code"]]).toEqual([401, "place_invalid"]);
  }
});

test("a bound room needs a key, a public one, and knows every field it is sent", async () => {
  const places = `${stand.gate.origin}/api/queue/refuse/places`;
  const key = makeSessionKey().publicJwk;
  const d = makeSessionKey().publicJwk.x;
  const cases: [unknown, number, string][] = [
    [{}, 422, "key_required"],
    [{ key: { ...key, d } }, 422, "invalid_request"],
    [{ key, extra: 1 }, 422, "invalid_request"],
    [{ key: "x" }, 422, "invalid_request"],
    [[], 422, "invalid_request"],
  ];
  for (const [body, status, code] of cases) {
    const answer = await request("POST", places, { body });
    expect([answer.status, answer.body["code"]]).toEqual([status, code]);
  }
  const raw = async (body: string, type: string) => {
    const answer = await fetch(places, { method: "POST", body, headers: { "content-type": type } });
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  expect(await raw("{", "application/json")).toEqual([400, "malformed_json"]);
  expect(await raw("a=1", "application/x-www-form-urlencoded")).toEqual([
    415,
    "unsupported_media_type",
  ]);
  expect(await raw(`{"locale":"${"x".repeat(20_000)}"}`, "application/json")).toEqual([
    413,
    "body_too_large",
  ]);
});

test("an event that nobody made is unknown, however it is spelled, and so are other paths", async () => {
  const { origin } = stand.gate;
  const paths = [
    "/api/queue/nobody/status",
    "/api/queue/REFUSE/status",
    "/api/queue/refuse%2Fx/status",
    "/api/queue/refuse%00/status",
    "/api/queue/-refuse/status",
    `/api/queue/${"a".repeat(70)}/status`,
  ];
  for (const path of paths) {
    const answer = await request("GET", origin + path);
    expect([answer.status, answer.body["code"]], path).toEqual([404, "unknown_event"]);
  }
  for (const path of [
    "/API/queue/refuse/status",
    "/api/queue/refuse/status/",
    "/api/queue//refuse/status",
    "/api/queue/refuse/Status",
    "/api/nothing",
    "/v1/nothing",
  ]) {
    const answer = await request("GET", origin + path);
    expect([answer.status, answer.body["code"]], path).toEqual([404, "not_found"]);
  }
  const dots = await request("GET", `${origin}/api/queue/x/../refuse/status`);
  expect(dots.status).toBe(200);
  const method = await request("PUT", `${origin}/api/queue/refuse/status`, { body: {} });
  expect([method.status, method.body["code"]]).toEqual([405, "method_not_allowed"]);
  expect(method.headers.get("allow")).toContain("GET");
});

test("a foreign page cannot use the cookie, and reads nothing", async () => {
  const foreign = await request("POST", url, {
    headers: { cookie: fan.cookie, origin: "https://evil.example" },
  });
  expect([foreign.status, foreign.body["code"]]).toEqual([403, "foreign_origin"]);
  expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
  const crossSite = await request("POST", url, {
    headers: { cookie: fan.cookie, "sec-fetch-site": "cross-site" },
  });
  expect(crossSite.status).toBe(403);
  const own = await request("POST", url, {
    headers: {
      cookie: fan.cookie,
      origin: stand.gate.origin,
      dpop: makeProof(fan.key, { method: "POST", url, token: fan.token }),
    },
  });
  expect(own.status).toBe(200);
  expect(own.headers.get("access-control-allow-origin")).toBe(stand.gate.origin);
});
