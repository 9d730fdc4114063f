import { expect, test } from "vitest";
import { importKeySet } from "../../shared/token/keys.ts";
import { makeKeys, rotateKeys } from "../../tools/stack/keys.ts";

const DAY_MS = 86_400_000;
const start = new Date("2026-01-01T00:00:00Z");

test("fresh key sets sign everything that gate and core sign", async () => {
  const keys = await makeKeys(start);
  const gate = await importKeySet(keys.gateKeys, ["place", "admission", "service"]);
  const core = await importKeySet(keys.coreKeys, [
    "organizer",
    "service",
    "pass",
    "ticket",
    "order",
  ]);
  expect(gate.signing("admission").kid).not.toBe(core.signing("service").kid);
  expect(keys.roomSecret).toMatch(/^[0-9a-f]{64}$/);
});

test("a rotation publishes first, signs next, and goes on verifying the old key", async () => {
  const { gateKeys } = await makeKeys(start);
  const states = (set: typeof gateKeys) =>
    set.filter(({ use }) => use === "admission").map(({ state }) => state);
  const published = await rotateKeys(gateKeys, start, 7 * DAY_MS);
  expect(states(published)).toEqual(["active", "next"]);
  const rotated = await rotateKeys(published, start, 7 * DAY_MS);
  expect(states(rotated)).toEqual(["retired", "active", "next"]);

  const before = await importKeySet(published, ["admission"]);
  const after = await importKeySet(rotated, ["admission"]);
  const oldKid = before.signing("admission").kid;
  expect(after.signing("admission").kid).not.toBe(oldKid);
  expect(after.verifying(oldKid, "admission")).toBeDefined();
});

test("a retired key is dropped once its last token has ended", async () => {
  const { gateKeys } = await makeKeys(start);
  let set = await rotateKeys(gateKeys, start, DAY_MS);
  set = await rotateKeys(set, start, DAY_MS);
  const oldKids = set.filter(({ state }) => state === "retired").map(({ kid }) => kid);
  const later = new Date(start.getTime() + 2 * DAY_MS);
  const kids = (await rotateKeys(set, later, DAY_MS)).map(({ kid }) => kid);
  expect(oldKids.length).toBe(3);
  expect(kids.filter((kid) => oldKids.includes(kid))).toEqual([]);
});
