import { rmSync } from "node:fs";
import { join } from "node:path";
import { decodeProtectedHeader, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importKeySet } from "../../shared/token/keys.ts";
import { makeProof } from "../../tools/crowd/session-key.ts";
import { startGate } from "../../tools/gate/start-gate.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { createProcesses } from "../../tools/services/processes.ts";
import { STATE_DIR } from "../../tools/services/root.ts";
import { makeKeys, rotateKeys } from "../../tools/stack/keys.ts";
import { createOpenEvent } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { joinAs, type Stand, startStand } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

test("a rotation in the middle of a sale refuses nobody: places and admissions of the old key count on", async () => {
  const keys = await makeKeys(new Date());
  const now = new Date();
  const prepared = await rotateKeys(keys.gateKeys, now, 86_400_000);
  const rotated = await rotateKeys(prepared, now, 86_400_000);
  const processes = createProcesses(join(STATE_DIR, `test-${process.pid}-rotation`));
  const port = await findFreePort();
  // The same objects under the same address, deployed again with the next set of keys.
  const deploy = (set: typeof prepared) =>
    startGate({
      processes,
      port,
      env: {
        CORE_ORIGIN: stand.core.origin,
        REDIS_URL: stand.gate.redisUrl,
        REDIS_PREFIX: "rotation:",
        ISSUERS: stand.issuers,
        ROOM_SECRET: keys.roomSecret,
        GATE_KEYS: JSON.stringify(set),
      },
    });
  const signing = (set: typeof prepared, use: string) =>
    set.find((entry) => entry.use === use && entry.state === "active")?.kid ?? "";
  const published = async (origin: string) => {
    const url = `${origin}/.well-known/jwks.json`;
    const { body } = await request<{ keys: { kid: string }[] }>("GET", url);
    return body.keys.map(({ kid }) => kid);
  };
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  try {
    const before = await deploy(prepared);
    const at = stand.at(before.origin);
    await at.room("rotated");
    const inside = await joinAs(at, "rotated");
    const { admission } = await inside.admit();
    const waiting = await joinAs(at, "rotated");
    // The new key is published before it signs.
    for (const use of ["place", "admission", "service"])
      expect(await published(before.origin)).toContain(signing(rotated, use));
    await before.stop();
    const after = await deploy(rotated);
    for (const use of ["place", "admission", "service"])
      expect(await published(after.origin)).toContain(signing(prepared, use));
    expect(kidOf(waiting.token)).toBe(signing(prepared, "place"));
    const entered = await waiting.admit();
    expect(kidOf(entered.admission.token)).toBe(signing(rotated, "admission"));
    const still = await inside.admit();
    expect(still.admission.expiresAt).toBe(admission.expiresAt);
    expect(kidOf((await joinAs(at, "rotated")).token)).toBe(signing(rotated, "place"));
  } finally {
    await processes.stopAll();
    rmSync(processes.dir, { recursive: true, force: true });
  }
});

test("no token of another issuer, use, audience, type, event or role opens a call of the gate", async () => {
  await stand.room("hostile");
  const seconds = Math.floor(Date.now() / 1_000);
  const strangers = await importKeySet((await makeKeys(new Date())).coreKeys, ["organizer"]);
  const { key, kid } = stand.core.keys.signing("organizer");
  const good = {
    iss: stand.core.origin,
    aud: "sira",
    sub: "somebody",
    iat: seconds,
    exp: seconds + 60,
    role: "owner",
    events: ["*"],
  };
  const sign = (claims: object, header: object = {}, by = key) =>
    new SignJWT({ ...good, ...claims })
      .setProtectedHeader({ alg: "ES256", typ: "organizer+jwt", kid, ...header })
      .sign(by);
  const figures = (token: string) =>
    request("GET", `${stand.gate.origin}/api/rooms/hostile/figures`, {
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await figures(await sign({}))).status).toBe(200);
  const [head = "", payload = "", signature = ""] = (await sign({})).split(".");
  const none = Buffer.from('{"alg":"none","typ":"organizer+jwt"}').toString("base64url");
  const corpus: [string, string][] = [
    [
      "an ID token of another app",
      await sign({ iss: "https://accounts.google.com", aud: "x" }, { typ: "JWT" }),
    ],
    ["an ID token that names us", await sign({ nonce: "n" }, { typ: "JWT" })],
    ["another type", await sign({}, { typ: "service+jwt" })],
    ["no type", await sign({}, { typ: undefined })],
    ["another audience", await sign({ aud: "gate" })],
    ["many audiences", await sign({ aud: ["core", "gate"] })],
    ["another issuer", await sign({ iss: "https://elsewhere.example" })],
    ["an issuer with a slash more", await sign({ iss: `${stand.core.origin}/` })],
    ["a stranger's key", await sign({}, {}, strangers.signing("organizer").key)],
    ["an ended token", await sign({ exp: seconds - 1 })],
    ["a token without an end", await sign({ exp: undefined })],
    ["a token of tomorrow", await sign({ iat: seconds + 86_400, nbf: seconds + 86_400 })],
    ["another key's id", await sign({}, { kid: stand.core.keys.signing("service").kid })],
    ["no algorithm", `${none}.${payload}.`],
    ["a cut signature", `${head}.${payload}.${signature.slice(0, -4)}`],
    [
      "a changed payload",
      `${head}.${Buffer.from(JSON.stringify({ ...good, role: "admin" })).toString("base64url")}.${signature}`,
    ],
    ["a pass", await stand.sign("pass", { aud: "sira", sub: "x" })],
    ["a service token", await stand.service("slots capacity exchange")],
    ["far too long", `${head}.${"A".repeat(20_000)}.${signature}`],
  ];
  for (const [name, token] of corpus) {
    const answer = await figures(token);
    expect([answer.status, answer.body["code"]], name).toEqual([401, "credential_invalid"]);
  }
  const forbidden: [string, string][] = [
    ["another event", await sign({ events: ["another"] })],
    ["no event", await sign({ events: [] })],
    ["no list", await sign({ events: "*" })],
    ["another role", await sign({ role: "admin" })],
  ];
  for (const [name, token] of forbidden)
    expect([403, 401], name).toContain((await figures(token)).status);
});

test("a phone whose clock is ten minutes off, either way, joins, waits, enters and holds", async () => {
  const sira: Sira = await startSira();
  try {
    const { event } = await createOpenEvent(sira);
    for (const [at, skewMs] of [-600_000, 600_000].entries()) {
      const fan = await joinQueue(sira, event);
      await fan.admit();
      const admission = (await fan.turn()).body;
      if (admission.state !== "admitted") throw new Error("not admitted");
      const call = async (nonce?: string) => {
        const url = `${sira.core}/v1/events/${event}/holds`;
        const { token } = admission.admission;
        return await request("POST", url, {
          body: { seats: [`A-1-${at + 1}`] },
          headers: {
            authorization: `DPoP ${token}`,
            dpop: makeProof(
              fan.key,
              { method: "POST", url, token, now: Date.now() + skewMs },
              nonce,
            ),
            "idempotency-key": crypto.randomUUID(),
          },
        });
      };
      const first = await call();
      expect(first.status).toBe(401);
      const held = await call(first.headers.get("dpop-nonce") ?? "");
      expect(held.status, held.text).toBe(201);
      const url = `${sira.edge}/api/queue/${event}/turn`;
      const turn = async (nonce?: string) =>
        await request("POST", url, {
          headers: {
            authorization: `Place ${fan.joined.token}`,
            dpop: makeProof(
              fan.key,
              { method: "POST", url, token: fan.joined.token, now: Date.now() + skewMs },
              nonce,
            ),
          },
        });
      const wrong = await turn();
      expect(wrong.status).toBe(401);
      expect((await turn(wrong.headers.get("dpop-nonce") ?? "")).status).toBe(200);
    }
  } finally {
    await sira.stop();
  }
});
