import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AddressJoins, JOINS_PER_ADDRESS_MAX } from "../../edge/guard/suspicion.ts";
import { clientGroup } from "../../edge/http/client-address.ts";
import { type PowChallenge, solveChallenge } from "../../shared/challenge/solve.ts";
import { makeProof, makeSessionKey, type SessionKey } from "../../tools/crowd/session-key.ts";
import { request } from "../support/fan.ts";
import { type Stand, startStand } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
  await stand.room("stadium");
});
afterAll(() => stand?.stop());

const join = (
  key: SessionKey,
  headers: Record<string, string>,
  more: Record<string, unknown> = {},
) =>
  request<{ code?: string; challenge?: PowChallenge; token?: string }>(
    "POST",
    `${stand.gate.origin}/api/queue/stadium/places`,
    { body: { key: key.publicJwk, ...more }, headers },
  );

const BATCH = 100;

test("one address may bring a stadium; beyond that the next place costs a proof of work, never a refusal", async () => {
  // One customer's IPv6 addresses are one; what a client writes into X-Forwarded-For is not looked at.
  const from = (host: number) => ({
    "cf-connecting-ip": `2001:db8:1:2::${host.toString(16)}`,
    "x-forwarded-for": `203.0.113.${host % 250}`,
  });
  const first = await join(makeSessionKey(), from(0));
  expect(first.status).toBe(201);
  expect(first.headers.get("ratelimit-policy")).toBe(`"address";q=${JOINS_PER_ADDRESS_MAX};w=60`);
  expect(first.headers.get("ratelimit")).toBe(`"address";r=${JOINS_PER_ADDRESS_MAX - 1};t=60`);
  for (let at = 1; at < JOINS_PER_ADDRESS_MAX; at += BATCH) {
    const count = Math.min(BATCH, JOINS_PER_ADDRESS_MAX - at);
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => join(makeSessionKey(), from(at + index))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  }
  const key = makeSessionKey();
  const asked = await join(key, from(1));
  expect([asked.status, asked.body.code]).toEqual([403, "challenge_required"]);
  expect(asked.headers.get("ratelimit")).toBe('"address";r=0;t=60');
  const offered = asked.body.challenge;
  if (offered === undefined) throw new Error("a challenge was offered");
  const wrong = await join(key, from(1), { challenge: "bm90IGl0" });
  expect([wrong.status, wrong.body.code]).toEqual([403, "challenge_failed"]);
  const solved = await join(key, from(1), { challenge: await solveChallenge(offered) });
  expect(solved.status).toBe(201);

  // Whoever has a place keeps it without being asked; other addresses do not feel it.
  const again = await join(key, { ...from(1), authorization: `Place ${solved.body.token}` });
  expect(again.status).toBe(200);
  expect((await join(makeSessionKey(), { "cf-connecting-ip": "2001:db8:1:3::1" })).status).toBe(
    201,
  );
  expect((await join(makeSessionKey(), { "x-forwarded-for": "2001:db8:1:2::1" })).status).toBe(201);
});

test("bytes that are no point of the curve are refused by name", async () => {
  const { publicJwk } = makeSessionKey();
  const url = `${stand.gate.origin}/api/queue/stadium/places`;
  const refused = await request("POST", url, { body: { key: { ...publicJwk, y: publicJwk.x } } });
  expect([refused.status, refused.body["code"]]).toEqual([422, "invalid_request"]);
  expect(refused.body["errors"]).toMatchObject([{ field: "key" }]);
});

test("a loop of turns is told to wait, with the RateLimit fields, and comes in when it has waited", async () => {
  const key = makeSessionKey();
  const { body } = await join(key, {});
  const url = `${stand.gate.origin}/api/queue/stadium/place`;
  const look = () => {
    const token = body.token ?? "";
    const dpop = makeProof(key, { method: "GET", url, token });
    return request("GET", url, { headers: { authorization: `Place ${token}`, dpop } });
  };
  const answers = await Promise.all(Array.from({ length: 80 }, look));
  const limited = answers.find(({ status }) => status === 429);
  expect(limited?.body["code"]).toBe("rate_limited");
  expect(limited?.headers.get("ratelimit-policy")).toBe('"place";q=40;w=8');
  expect(limited?.headers.get("ratelimit")).toMatch(/^"place";r=0;t=\d+$/);
});

describe("the count of an address", () => {
  test("is of a minute, and forgets the addresses that came longest ago when there are too many", () => {
    const joins = new AddressJoins();
    for (let at = 0; at < JOINS_PER_ADDRESS_MAX; at += 1) joins.count("a", 0);
    expect(joins.count("a", 59_999)).toBeGreaterThan(1);
    expect(joins.count("a", 60_001)).toBeLessThan(1);
    for (let at = 0; at < 20_000; at += 1) joins.count(`other ${at}`, 60_001);
    expect(joins.count("a", 60_001)).toBe(1 / JOINS_PER_ADDRESS_MAX);
  });
});

describe("the address that a request counts for", () => {
  const proxies = ["127.0.0.1", "10.0.0.0/8"];
  test.each([
    ["Cloudflare's word", undefined, "203.0.113.9", "203.0.113.9"],
    ["one customer's /64", undefined, "2001:db8:a:b:c:d:e:f", "2001:db8:a:b::/64"],
    ["a trusted proxy's word", "10.1.2.3:4711", "203.0.113.9", "203.0.113.9"],
    [
      "nobody's, where a proxy names none: its own is everybody's",
      "10.1.2.3:4711",
      undefined,
      undefined,
    ],
    ["the connection, whatever a stranger claims", "198.51.100.7:1", "203.0.113.9", "198.51.100.7"],
    ["the connection over IPv6", "[2001:db8:7:7:1::1]:1", "203.0.113.9", "2001:db8:7:7::/64"],
    ["nobody's, where nobody vouches", undefined, undefined, undefined],
  ])("is %s", (_, clientIp, claimed, group) => {
    const headers = new Headers({ "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.1" });
    if (claimed !== undefined) headers.set("cf-connecting-ip", claimed);
    const request = new Request("https://gate.example", { headers });
    if (clientIp !== undefined) Object.defineProperty(request, "cf", { value: { clientIp } });
    expect(clientGroup(request, proxies)).toBe(group);
  });
});
