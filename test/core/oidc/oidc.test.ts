// Sign-in by an OpenID provider, against one on this machine.
import { createHash, randomBytes } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grantOf } from "../../../core/oidc/grants.ts";
import { type OidcIssuer, startOidcIssuer } from "../../support/oidc.ts";
import { type House, openHouse, type Reply } from "../house.ts";

const CLIENT = "sira-console";
const AT = "/v1/organizer/oidc";
let issuer: OidcIssuer;
let house: House;
beforeAll(async () => {
  issuer = await startOidcIssuer(CLIENT);
  const provider = {
    id: "work",
    name: "Work account",
    issuer: issuer.origin,
    clientId: CLIENT,
    grants: [
      { claim: "groups", value: "box-office", role: "operator", events: ["one", "two"] },
      { claim: "email", value: "boss@example.com", role: "owner", events: ["*"] },
    ],
  };
  house = await openHouse({ env: { OIDC_PROVIDERS: JSON.stringify([provider]) } });
});
afterAll(async () => {
  issuer.close();
  await house.close();
});

const random = () => randomBytes(32).toString("base64url");

/** What a browser does: start, sign in there, come back with a code. */
async function signIn(changes: Record<string, string> = {}): Promise<Reply> {
  const asked = { state: random(), nonce: random() };
  const codeVerifier = random();
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const start = await house.request("POST", `${AT}/work/start`, {
    body: { ...asked, codeChallenge },
  });
  expect(start.status).toBe(200);
  const there = await fetch(String(start.body["url"]), { redirect: "manual" });
  const back = new URL(there.headers.get("location") ?? "");
  expect(back.searchParams.get("state")).toBe(asked.state);
  const code = back.searchParams.get("code") ?? "";
  const iss = back.searchParams.get("iss") ?? "";
  return house.request("POST", `${AT}/work/sessions`, {
    body: { code, iss, codeVerifier, nonce: asked.nonce, ...changes },
  });
}

describe("an OpenID provider", () => {
  test("is named to whoever is to sign in, without its configuration", async () => {
    const { body } = await house.request("GET", AT);
    expect(body).toEqual({ providers: [{ id: "work", name: "Work account" }] });
  });

  test("vouches for people, who get the role that the deployment grants them", async () => {
    issuer.next({ sub: "u1", groups: ["staff", "box-office"] });
    const reply = await signIn();
    expect(reply.status).toBe(200);
    expect(decodeJwt(String(reply.body["token"]))).toMatchObject({
      sub: "oidc:work:u1",
      role: "operator",
      events: ["one", "two"],
      aud: "sira",
    });
    const keys = await house.request("GET", "/v1/organizer/keys", {
      headers: { authorization: `Bearer ${reply.body["token"]}` },
    });
    expect(keys.status).toBe(403);
  });

  test("may vouch for somebody whom nobody granted anything", async () => {
    issuer.next({ sub: "u2", groups: ["staff"], email: "boss@example.com" });
    expect((await signIn()).body["code"]).toBe("forbidden");
    issuer.next({ sub: "u2", email: "Boss@example.com", email_verified: true });
    expect((await signIn()).status).toBe(200);
  });

  test("is not believed when code, verifier, nonce or issuer are another's", async () => {
    issuer.next({ sub: "u1", groups: ["box-office"] });
    for (const changes of [
      { code: "made-up" },
      { codeVerifier: random() },
      { nonce: random() },
      { iss: "https://evil.example" },
    ])
      expect((await signIn(changes)).body["code"], JSON.stringify(changes)).toBe(
        "credential_invalid",
      );
    issuer.lie({ iss: "https://evil.example" });
    expect((await signIn()).body["code"]).toBe("credential_invalid");
  });

  test("that is not configured is not there", async () => {
    const body = { state: random(), nonce: random(), codeChallenge: random() };
    expect((await house.request("POST", `${AT}/other/start`, { body })).status).toBe(404);
  });
});

describe("grants", () => {
  const grants = [
    { claim: "groups", value: "a", role: "viewer" as const, events: ["one"] },
    { claim: "groups", value: "b", role: "operator" as const, events: ["two"] },
    { claim: "groups", value: "c", role: "operator" as const, events: ["one"] },
  ];
  test("give the highest role, for the events of that role alone", () => {
    expect(grantOf({ grants }, { groups: ["a", "b", "c"] })).toEqual({
      role: "operator",
      events: ["one", "two"],
    });
    expect(grantOf({ grants }, { groups: "a" })).toEqual({ role: "viewer", events: ["one"] });
    expect(grantOf({ grants }, { groups: ["d"] })).toBeUndefined();
  });
});
