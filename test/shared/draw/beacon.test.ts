import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  beaconUrl,
  drawRound,
  isBeaconSignature,
  QUICKNET,
  randomnessOf,
  readBeacon,
  roundTimeMs,
} from "../../../shared/draw/beacon.ts";
import { toHex } from "../../../shared/draw/hex.ts";
import { type FakeBeacon, fakeChain, startFakeBeacon } from "./fake-beacon.ts";
import { vectors } from "./vectors.ts";

describe("the round of a draw", () => {
  const genesis = QUICKNET.genesisSeconds * 1_000;

  test("is the first that is due 15 seconds after the opening, or later", () => {
    // Round 11 is due 30 s after genesis, so it belongs to an opening exactly 15 s before.
    expect(drawRound(QUICKNET, genesis + 15_000)).toBe(11);
    expect(drawRound(QUICKNET, genesis + 15_001)).toBe(12);
    expect(drawRound(QUICKNET, genesis + 14_999)).toBe(11);
    expect(drawRound(QUICKNET, genesis + 12_000)).toBe(10);
  });

  test("is the first of all for an opening before the chain began", () => {
    expect(drawRound(QUICKNET, genesis - 1_000_000)).toBe(1);
  });

  test("is never due less than 15 s after the opening, nor a whole period more", () => {
    for (let step = 0; step < 500; step++) {
      const opensAt = genesis + 1_000_003 * step + 15_000;
      const late = roundTimeMs(QUICKNET, drawRound(QUICKNET, opensAt)) - opensAt;
      expect(late).toBeGreaterThanOrEqual(15_000);
      expect(late).toBeLessThan(18_000);
    }
  });
});

describe("a signature", () => {
  const [real] = vectors.beacons;
  const signature = real?.signature ?? "";
  const round = real?.round ?? 0;

  test("counts for its own round and chain only", () => {
    const other = fakeChain("another chain", { genesisSeconds: 0, periodSeconds: 3 });
    expect(isBeaconSignature(QUICKNET, round, signature)).toBe(true);
    expect(isBeaconSignature(QUICKNET, round - 1, signature)).toBe(false);
    expect(isBeaconSignature(other.chain, round, signature)).toBe(false);
    expect(isBeaconSignature(QUICKNET, round, other.sign(round))).toBe(false);
  });

  test("that is not a point, or another spelling of one, is refused and never throws", () => {
    const bad = [
      "",
      "00".repeat(48),
      "ff".repeat(48),
      `c0${"00".repeat(47)}`,
      `${signature.slice(0, -1)}0`,
      signature.toUpperCase(),
      signature.slice(2),
      `${signature}00`,
    ];
    for (const text of bad) expect(isBeaconSignature(QUICKNET, round, text), text).toBe(false);
  });
});

describe("a relay's answer", () => {
  const fake = fakeChain("relay", { genesisSeconds: 1_700_000_000, periodSeconds: 3 });
  let relay: FakeBeacon;
  beforeAll(async () => {
    relay = await startFakeBeacon(fake);
  });
  afterAll(() => relay.close());

  const ask = async (round: number) => {
    const response = await fetch(beaconUrl(relay.url, relay.chain, round));
    const text = await response.text();
    return readBeacon(relay.chain, round, text.startsWith("{") ? JSON.parse(text) : undefined);
  };

  test("is taken when it bears the chain's signature of the round that was asked for", async () => {
    relay.behave("right");
    const signature = relay.sign(77);
    expect(await ask(77)).toEqual({
      ok: true,
      value: { signature, randomness: toHex(randomnessOf(signature)) },
    });
    expect(relay.asked.at(-1)).toBe(`/${relay.chain.hash}/public/77`);
  });

  test.each([
    ["missing", "not_a_beacon"],
    ["garbage", "not_a_beacon"],
    ["wrong_round", "wrong_round"],
    ["forged", "bad_signature"],
  ] as const)("is refused when it is %s", async (how, error) => {
    relay.behave(how);
    expect(await ask(78)).toEqual({ ok: false, error });
  });

  test.each([
    null,
    7,
    "x",
    {},
    { round: 5 },
    { round: "5", signature: "00" },
    { round: 5, signature: 7 },
  ])("is refused when it is %j", (body) => {
    expect(readBeacon(relay.chain, 5, body).ok).toBe(false);
  });
});
