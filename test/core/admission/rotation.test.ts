import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importKeySet, type KeyEntry, type KeySet } from "../../../shared/token/keys.ts";
import { signToken } from "../../../shared/token/sign.ts";
import { makeKeys, rotateKeys } from "../../../tools/stack/keys.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type House, openHouse } from "../house.ts";
import { makeEvent } from "../sold.ts";
import { knockAt } from "./knock.ts";

// The gate rotates its keys while the core runs: what it publishes is all that the core hears of it.
const KEEP_MS = 86_400_000;
let gate: Server;
let house: House;
let published: KeySet;
let asked = 0;

beforeAll(async () => {
  gate = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(published.jwks));
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  const { port } = gate.address() as AddressInfo;
  house = await openHouse({ env: { GATE_JWKS_URL: `http://127.0.0.1:${port}/jwks.json` } });
  await makeEvent(house, "alpha");
});
afterAll(async () => {
  await house?.close();
  gate?.closeAllConnections();
  gate?.close();
});

const setOf = (entries: readonly KeyEntry[]) => importKeySet(entries, ["admission"]);

/** The answer to an admission signed with the set's active key. */
async function statusWith(set: KeySet, kid?: string): Promise<number> {
  const now = Math.floor(Date.now() / 1_000);
  const token = await signToken(set, "admission", {
    ...{ iss: house.gate.origin, aud: "core/alpha", sub: "plc_rotation", epoch: 1, gen: 0 },
    ...{ jti: `adm-${kid ?? "own"}`, iat: now, nbf: now, exp: now + 540 },
  });
  const [, ...rest] = token.split(".");
  const header = { alg: "ES256", typ: "admission+jwt", kid };
  const forged = [Buffer.from(JSON.stringify(header)).toString("base64url"), ...rest].join(".");
  const { status } = await knockAt(house, {
    authorization: `Bearer ${kid === undefined ? token : forged}`,
  });
  return status;
}

test("a rotation refuses nobody, a key that was not announced is picked up by itself, a flood of unknown ones asks for nothing", async () => {
  const first = (await makeKeys(new Date())).gateKeys;
  const announced = await rotateKeys(first, new Date(), KEEP_MS);
  published = await setOf(announced);
  expect(await statusWith(published)).toBe(200);
  expect(asked).toBe(1);

  // As `npm run keys -- --rotate` does it: the next key signs when everybody has fetched it.
  const rotated = await rotateKeys(announced, new Date(), KEEP_MS);
  expect(await statusWith(await setOf(rotated))).toBe(200);
  expect(await statusWith(published)).toBe(200);
  expect(asked).toBe(1);

  // In an emergency a set is replaced at once: within the cool-down the core asks again, once.
  const emergency = await setOf((await makeKeys(new Date())).gateKeys);
  published = emergency;
  const flood = Array.from({ length: 200 }, (_, index) => statusWith(emergency, `kid-${index}`));
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
  await waitFor(async () => (await statusWith(emergency)) === 200);
  expect(asked).toBeLessThanOrEqual(3);
  // The old key is published no longer, so it counts no longer.
  expect(await statusWith(await setOf(rotated))).toBe(401);
});
