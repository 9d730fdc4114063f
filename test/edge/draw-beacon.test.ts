import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { roundTimeMs } from "../../shared/draw/beacon.ts";
import type { Evidence } from "../../shared/draw/evidence.ts";
import { STATEMENTS } from "../../shared/draw/steering.ts";
import { type Verification, verifyEvidence } from "../../shared/draw/verify.ts";
import { type FakeBeacon, fakeChain, startFakeBeacon } from "../shared/draw/fake-beacon.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

// A chain of our own, a round a second, and two relays of it that behave as each test tells them.
const fake = fakeChain("beacon of the gate's tests", {
  genesisSeconds: 1_700_000_000,
  periodSeconds: 1,
});

let stand: Stand;
let honest: FakeBeacon;
let silent: FakeBeacon;
beforeAll(async () => {
  [honest, silent] = await Promise.all([startFakeBeacon(fake), startFakeBeacon(fake)]);
  silent.behave("missing");
  stand = await startStand({
    env: {
      BEACON_CHAIN: JSON.stringify(fake.chain),
      BEACON_HOSTS: [honest, silent].map(({ url }) => new URL(url).host).join(","),
    },
  });
});
afterAll(async () => {
  await stand.stop();
  await Promise.all([honest.close(), silent.close()]);
});

const makeRoom = (event: string, relay: FakeBeacon) =>
  stand.room(event, {
    early: "draw",
    opensAt: new Date(Date.now() + 3_600_000).toISOString(),
    beacon: { kind: "drand", url: relay.url },
  });
const act = (event: string, action: string, reason: string) =>
  stand.call("POST", `/api/rooms/${event}/actions`, { action, reason });

async function evidenceOf(event: string, index?: number): Promise<Evidence> {
  const query = index === undefined ? "" : `?index=${index}`;
  const { body } = await request<Evidence>(
    "GET",
    `${stand.gate.origin}/api/queue/${event}/draw${query}`,
  );
  return body;
}

const verify = (evidence: Evidence): Verification =>
  verifyEvidence(evidence, { every: true, chains: [fake.chain] });
const failuresOf = ({ checks }: Verification) => checks.filter(({ result }) => result === "failed");

test.concurrent("a room waits for its round and for nothing else, and publishes N and root before it", async () => {
  await makeRoom("awaited", honest);
  const fan = await joinAs(stand, "awaited");
  const before = await stand.status("awaited");
  expect(before.pool.beacon).toMatchObject({ kind: "drand", round: expect.any(Number) });
  await joinAs(stand, "awaited");
  honest.behave("missing");
  const openedAt = Date.now();
  expect((await act("awaited", "open", "everybody is here")).status).toBe(200);
  const shut = await until(async () => {
    const status = await stand.status("awaited");
    return status.pool.root !== undefined && status;
  });
  // Opening by hand fixes a round of its own, at least 15 s ahead, and shows it with N and root.
  expect(shut).toMatchObject({ phase: "drawing", reason: "awaiting_round", pool: { size: 2 } });
  const dueAt = Date.parse(shut.pool.beacon?.at ?? "");
  const round = shut.pool.beacon?.round ?? 0;
  expect(dueAt).toBe(roundTimeMs(fake.chain, round));
  expect(dueAt - openedAt).toBeGreaterThanOrEqual(14_999);
  expect(shut.pool.seed).toBeUndefined();
  expect(Date.now()).toBeLessThan(dueAt);
  const closed = await evidenceOf("awaited", 0);
  expect(closed).toMatchObject({ state: "pool_closed", proof: { index: 0 } });
  expect(closed.seed).toBeUndefined();

  // Not there yet, another round, forged, rubbish: the room goes on waiting, and says for what.
  for (const how of ["missing", "wrong_round", "forged", "garbage"] as const) {
    honest.behave(how);
    const asked = honest.asked.length;
    await until(async () => honest.asked.length > asked + 1);
    const waiting = await stand.status("awaited");
    expect(waiting).toMatchObject({ phase: "drawing", reason: "awaiting_beacon" });
    expect(waiting.pool.seed).toBeUndefined();
  }
  expect(new Set(honest.asked)).toEqual(new Set([`/${fake.chain.hash}/public/${round}`]));
  // The right one, late.
  honest.behave("right");
  await until(async () => (await stand.status("awaited")).pool.seed !== undefined);
  const evidence = await evidenceOf("awaited", fan.joined.place.index);
  expect(failuresOf(verify(evidence))).toEqual([]);
  expect(evidence).toMatchObject({ steerable: false, statement: STATEMENTS.beacon });
  expect(Date.parse(evidence.pool?.publishedAt ?? "")).toBeLessThan(dueAt);
  const { number } = verifyEvidence(evidence, { index: fan.joined.place.index });
  expect((await fan.admit()).number).toBe(number);
});

test.concurrent("without the beacon a draw goes on only by an audited act, and its evidence says so", async () => {
  await makeRoom("without", silent);
  const fan = await joinAs(stand, "without");
  expect((await act("without", "draw_without_beacon", "too early")).status).toBe(409);
  await act("without", "open", "everybody is here");
  await until(async () => {
    const { reason } = await stand.status("without");
    return reason === "awaiting_beacon";
  });
  await sleep(1_500);
  expect((await stand.status("without")).phase).toBe("drawing");
  const went = await act("without", "draw_without_beacon", "the relays are down");
  expect(went.status).toBe(200);
  await until(async () => (await stand.status("without")).pool.seed !== undefined);
  expect((await stand.status("without")).pool.beacon).toMatchObject({ without: true });
  const evidence = await evidenceOf("without", 0);
  expect(failuresOf(verify(evidence))).toEqual([]);
  expect(evidence).toMatchObject({
    steerable: true,
    statement: STATEMENTS.without,
    beacon: { without: { by: expect.any(String), reason: "the relays are down" } },
  });
  const { body: log } = await stand.call<{ entries: { action: string; reason?: string }[] }>(
    "GET",
    "/api/rooms/without/log",
  );
  expect(log.entries).toContainEqual(
    expect.objectContaining({ action: "draw_without_beacon", reason: "the relays are down" }),
  );
  expect((await fan.admit()).number).toBe(1);

  // A reset throws a result away: the next epoch's evidence says who did, when and why.
  await act("without", "reset", "the wrong people joined");
  const next = await evidenceOf("without");
  expect(next).toMatchObject({ epoch: 2, state: "committed" });
  expect(next.abandoned).toEqual([
    {
      epoch: 1,
      state: "drawn",
      commitment: evidence.commitment,
      seed: evidence.seed,
      pool: evidence.pool,
      at: expect.any(String),
      by: expect.stringContaining("somebody"),
      reason: "the wrong people joined",
    },
  ]);
});

test.concurrent("a room closed while it waits stays closed, and is drawn when somebody reopens it", async () => {
  await makeRoom("closing", silent);
  await joinAs(stand, "closing");
  await act("closing", "open", "everybody is here");
  await until(async () => (await stand.status("closing")).pool.root !== undefined);
  await act("closing", "close", "the hall has no power");
  await sleep(2_500);
  const closed = await stand.status("closing");
  expect([closed.phase, closed.pool.seed]).toEqual(["closed", undefined]);
  await act("closing", "reopen", "the lights are on");
  await until(async () => (await stand.status("closing")).reason === "awaiting_beacon");
  await act("closing", "draw_without_beacon", "nobody answers");
  await until(async () => (await stand.status("closing")).phase === "open");
  const evidence = await evidenceOf("closing");
  expect(failuresOf(verify(evidence))).toEqual([]);
});
