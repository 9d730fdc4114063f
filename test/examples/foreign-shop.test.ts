import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createShop } from "../../examples/foreign-shop/shop.ts";
import { CORE_AUDIENCE } from "../../shared/token/claims.ts";
import { generateKey, importKeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { makeProof } from "../../tools/crowd/session-key.ts";
import { joinAs, type Stand, startStand } from "../edge/stand.ts";
import { request } from "../support/fan.ts";
import { waitFor } from "../support/wait-for.ts";

// The example behind a real gate: whoever comes by the queue may book once, nobody else may.
const EVENT = "sandbox";
let stand: Stand;
let server: Server;
let shop: string;

beforeAll(async () => {
  const keys = await importKeySet(
    [await generateKey("service", "active", new Date())],
    ["service"],
  );
  server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  shop = `http://127.0.0.1:${address.port}`;
  const jwksUrl = `${shop}/.well-known/jwks.json`;
  stand = await startStand({
    moreIssuers: [{ iss: shop, jwksUrl, use: "service", aud: "gate", events: [EVENT] }],
  });
  const options = { gate: stand.gate.origin, origin: shop, event: EVENT, keys, stock: 5 };
  server.on("request", await createShop(options));
  await stand.room(EVENT, { returnOrigins: [shop], continueTo: `${shop}/enter` });
});
afterAll(async () => {
  await stand?.stop();
  server?.closeAllConnections();
  server?.close();
});

/** Waits in the line until the gate sends the browser to the shop. */
async function sentToShop(): Promise<{ link: string; place: string }> {
  const fan = await joinAs(stand, EVENT);
  const turn = await fan.admit();
  return { link: turn.continueTo, place: fan.joined.place.id };
}

async function enter(): Promise<{ cookie: string; place: string }> {
  const { link, place } = await sentToShop();
  const entered = await request("GET", link);
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/book"]);
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(cookie).toMatch(/^shop-session=.{32}$/);
  return { cookie, place };
}

async function book(cookie: string, quantity: string): Promise<number> {
  const response = await fetch(`${shop}/book`, {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams({ quantity }),
  });
  await response.arrayBuffer();
  return response.status;
}

test("a visitor sent by the queue books once, and the slot is free at once", async () => {
  const { cookie } = await enter();
  const page = await request("GET", `${shop}/book`, { headers: { cookie } });
  expect(page.text).toContain("It is your turn");
  expect(await book(cookie, "five")).toBe(422);
  expect(await book(cookie, "2")).toBe(200);
  // Booked is booked: the admission is spent.
  expect(await book(cookie, "1")).toBe(401);
  await waitFor(async () => {
    const figures = await stand.call<{ inside: number; finished: number }>(
      "GET",
      `/api/rooms/${EVENT}/figures`,
    );
    return figures.body.finished === 1 && figures.body.inside === 0;
  });
});

test("a code counts once, and an invented one never", async () => {
  const { link } = await sentToShop();
  expect((await request("GET", link)).status).toBe(303);
  expect((await request("GET", link)).status).toBe(403);
  expect(
    (await request("GET", `${shop}/enter?sira_code=cod_00_AAAAAAAAAAAAAAAAAAAAAA`)).status,
  ).toBe(403);
  expect((await request("GET", `${shop}/enter`)).status).toBe(403);
});

test("without an admission the shop sends its visitor to the queue and books nothing", async () => {
  const page = await request("GET", `${shop}/book`);
  expect([page.status, page.headers.get("location")]).toEqual([
    303,
    `${stand.gate.origin}/e/${EVENT}`,
  ]);
  expect(await book("shop-session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "1")).toBe(401);
});

test("an admission bound to a key books by the API with a proof of that key alone", async () => {
  const fan = await joinAs(stand, EVENT);
  const { admission } = await fan.admit();
  const url = `${shop}/api/book`;
  const dpop = makeProof(fan.key, { method: "POST", url, token: admission.token });
  const call = (headers: Record<string, string>) =>
    request("POST", url, { body: { quantity: 1 }, headers });
  const authorization = `DPoP ${admission.token}`;
  expect((await call({ authorization })).status).toBe(401);
  expect((await call({ authorization, dpop })).body).toEqual({ booked: 1 });
  expect((await call({ authorization, dpop })).body["code"]).toBe("admission_invalid");
});

test("the gate may end an admission early, and nobody else may say so", async () => {
  const { cookie, place } = await enter();
  const close = (authorization: string) =>
    request("POST", `${shop}/v1/admissions/${EVENT}/${place}/close`, {
      body: {},
      headers: { authorization },
    });
  expect((await close("")).status).toBe(401);
  expect((await close(`Bearer ${await stand.service("admissions")}`)).status).toBe(401);
  const gateKeys = await importKeySet(stand.gate.keys.gateKeys, ["service"]);
  const now = Math.floor(Date.now() / 1_000);
  const token = await signToken(gateKeys, "service", {
    ...{ iss: stand.gate.origin, aud: CORE_AUDIENCE, sub: "gate", scope: "admissions" },
    ...{ events: [EVENT], iat: now, exp: now + 60 },
  });
  expect((await close(`Bearer ${token}`)).status).toBe(204);
  expect(await book(cookie, "1")).toBe(401);
});
