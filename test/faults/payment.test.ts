// A real core process is killed, stopped and cut off at every step of a payment; another one goes on.
// Afterwards the money is right, every attempt has an end, and the buyer is told what happened.
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCore, type TestCore } from "../core/payments/harness.ts";
import {
  type Buyer,
  newBuyer,
  openSale,
  pay,
  readOrder,
  seat,
  unique,
} from "../core/payments/sale.ts";
import { FAULT_TIME_SCALE } from "../core/payments/timings.ts";
import { brokenMoney } from "../invariants/money.ts";
import { startTcpProxy, throughProxy } from "../support/tcp-proxy.ts";
import { waitFor } from "../support/wait-for.ts";
import type { Point } from "./steps.ts";
import { startVictim } from "./victim.ts";

let core: TestCore;
let jobs: Promise<void>;
let working = true;
/** Orders whose process is dead: a minute and a few seconds of patience are played at once. */
const forsaken = new Set<string>();

beforeAll(async () => {
  core = await startTestCore(undefined, {}, FAULT_TIME_SCALE);
  // What the provider tells unasked would hide what these tests look for.
  await core.control({ webhooks: "off" });
  jobs = (async () => {
    while (working) {
      await core.db.write(
        `update payment_attempts set created_at = created_at - interval '61 seconds',
            ended_at = ended_at - interval '5 seconds'
          where order_id = any ($1) and (state = 'created' or state = 'succeeded' and settled is null)`,
        [[...forsaken]],
      );
      await core.runJobs();
      await sleep(50);
    }
  })();
});
afterAll(async () => {
  working = false;
  await jobs;
  await core.stop();
});

const newcomer = async (): Promise<Buyer> => newBuyer(core, await openSale(core), [seat(1)]);

const attemptsOf = (buyer: Buyer) =>
  core.db.read<{ key: string; state: string; reason: string | null; sent: boolean }>(
    `select key, state, reason, sent_at is not null as sent from payment_attempts
      where order_id = $1 order by created_at`,
    [buyer.order],
  );

/** The lease of a dead process in the front has run out, or Redis was lost: the same to us. */
async function forgetFront(): Promise<void> {
  const { REDIS_LOCKS_URL: url } = core.environment;
  const client = new Redis(url);
  await client.flushdb();
  client.disconnect();
}

async function ended(buyer: Buyer): Promise<void> {
  await waitFor(async () => {
    const attempts = await attemptsOf(buyer);
    const { state } = await readOrder(core, buyer);
    return (
      attempts.every((one) => one.state === "failed") ||
      (attempts.some((one) => one.state === "succeeded") && state !== "pending")
    );
  });
  forsaken.delete(buyer.order);
}

/** The buyer presses again, as people do, until the order is paid; once more changes nothing. */
async function payAtLast(buyer: Buyer, key: string): Promise<void> {
  const again = await pay(core, buyer, "pm_ok", key, { origin: "resume" });
  const { state } = await readOrder(core, buyer);
  // The truth about the first press: paid for exactly when it says so.
  expect([again.status, state]).toEqual(again.status === 201 ? [201, "paid"] : [402, "pending"]);
  if (again.status !== 201) expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
  expect((await readOrder(core, buyer)).state).toBe("paid");
  expect((await pay(core, buyer, "pm_ok")).body.code).toBe("order_not_payable");
}

type Expected = { first: "succeeded" | "failed" | "absent"; confirms: number };

const KILLS: [Point, Expected][] = [
  ["attempt.before", { first: "absent", confirms: 0 }],
  ["attempt.after", { first: "failed", confirms: 0 }],
  ["create.before", { first: "failed", confirms: 0 }],
  ["create.after", { first: "failed", confirms: 0 }],
  ["begin.before", { first: "failed", confirms: 0 }],
  ["begin.after", { first: "failed", confirms: 0 }],
  ["confirm.before", { first: "failed", confirms: 0 }],
  ["confirm.after", { first: "succeeded", confirms: 1 }],
  ["record.before", { first: "succeeded", confirms: 1 }],
  ["record.after", { first: "succeeded", confirms: 1 }],
  ["settle.before", { first: "succeeded", confirms: 1 }],
  ["settle.after", { first: "succeeded", confirms: 1 }],
];

describe.concurrent("a core killed at", () => {
  it.each(KILLS)(
    "%s leaves no payment open and nobody charged for nothing",
    async (at, expected) => {
      const [victim, buyer] = await Promise.all([startVictim(core, { at }), newcomer()]);
      const key = unique("key");
      const answer = victim.pay(buyer, "pm_ok", key);
      await victim.reached;
      await victim.kill();
      forsaken.add(buyer.order);
      expect(await answer).toBe("cut");
      const [before] = await core.chargesOf(buyer.order);
      expect(before?.calls.confirm ?? 0).toBe(expected.confirms);
      await ended(buyer);
      const [first] = await attemptsOf(buyer);
      expect(first?.state ?? "absent").toBe(expected.first);
      // The dead process still has its lease in Redis; an attempt that was written down is told all the same.
      if (expected.first === "absent") {
        await forgetFront();
        expect((await pay(core, buyer, "pm_ok", key)).status).toBe(201);
      } else await payAtLast(buyer, key);
      const charges = await core.chargesOf(buyer.order);
      const paid = charges.filter((charge) => charge.state === "succeeded");
      expect(paid).toMatchObject([{ refunded: 0, calls: { confirm: 1 } }]);
    },
  );
});

/** Each call with a word of its answer, and what the buyer is told. */
const LOSSES: [Point, string, number[]][] = [
  ["attempt.before", '"verdict"', [503]],
  ["begin.before", '"verdict"', [503]],
  ["record.before", '"changed"', [503]],
  // The success is on record by then: what the process sees when it looks again is said.
  ["settle.before", '"settled"', [201]],
];

describe.concurrent("an answer lost after the commit of", () => {
  it.each(LOSSES)("%s makes nothing happen twice", async (at, word, told) => {
    const url = new URL(core.environment.DATABASE_URL);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    const env = { DATABASE_URL: throughProxy(url.href, proxy) };
    const [victim, buyer] = await Promise.all([startVictim(core, { at, env }), newcomer()]);
    const key = unique("key");
    const answer = victim.pay(buyer, "pm_ok", key);
    await victim.reached;
    const lost = proxy.loseAnswer(word);
    victim.go();
    await lost;
    expect(told).toContain(await answer);
    forsaken.add(buyer.order);
    await ended(buyer);
    await payAtLast(buyer, key);
    await victim.kill();
    await proxy.close();
  });
});

describe.concurrent("a core stopped for a while", () => {
  it("between SENT and confirm finds the charge fenced when it wakes", async () => {
    const [victim, buyer] = await Promise.all([
      startVictim(core, { at: "confirm.before" }),
      newcomer(),
    ]);
    const key = unique("key");
    const answer = victim.pay(buyer, "pm_ok", key);
    await victim.reached;
    victim.child.kill("SIGSTOP");
    victim.go();
    await ended(buyer);
    expect(await attemptsOf(buyer)).toMatchObject([{ state: "failed", reason: "not_charged" }]);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    victim.child.kill("SIGCONT");
    // It confirms now, once, a charge that can take no money any more.
    expect(await answer).toBe(402);
    const charges = await core.chargesOf(buyer.order);
    expect(charges.map((one) => one.state).sort()).toEqual(["cancelled", "succeeded"]);
    // On a machine that is busy enough the late confirm may not even get there in its time.
    for (const { calls } of charges) expect(calls.confirm).toBeLessThanOrEqual(1);
    await victim.kill();
  });

  it("after the confirm finds its order paid by others when it wakes", async () => {
    const [victim, buyer] = await Promise.all([
      startVictim(core, { at: "confirm.after" }),
      newcomer(),
    ]);
    const answer = victim.pay(buyer, "pm_ok", unique("key"));
    await victim.reached;
    victim.child.kill("SIGSTOP");
    victim.go();
    await ended(buyer);
    expect((await readOrder(core, buyer)).state).toBe("paid");
    victim.child.kill("SIGCONT");
    expect(await answer).toBe(201);
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ calls: { confirm: 1 } }]);
    await victim.kill();
  });
});

describe.concurrent("Redis flushed in mid-payment", () => {
  it("lets no second press through, with the same key or another", async () => {
    const [victim, buyer] = await Promise.all([
      startVictim(core, { at: "confirm.before" }),
      newcomer(),
    ]);
    const key = unique("key");
    const answer = victim.pay(buyer, "pm_ok", key);
    await victim.reached;
    await core.db.write(
      "update payment_attempts set next_inquiry_at = now() + interval '1 hour' where order_id = $1",
      [buyer.order],
    );
    await forgetFront();
    for (const pressed of [key, unique("key")])
      expect((await pay(core, buyer, "pm_ok", pressed)).body.code).toBe("attempt_in_flight");
    victim.go();
    expect(await answer).toBe(201);
    await payAtLast(buyer, key);
    await victim.kill();
  });
});

it("every kind of trouble at once, with a kill in the middle, leaves the books right", async () => {
  const METHODS = ["pm_ok", "pm_slow", "pm_lost", "pm_error", "pm_late", "pm_dup_webhook"];
  const victims = await Promise.all([startVictim(core), startVictim(core)]);
  const sales = [await openSale(core), await openSale(core)];
  const buyers = await Promise.all(
    sales.flatMap((sale) => METHODS.map((_, i) => newBuyer(core, sale, [seat(i + 1)]))),
  );
  await core.control({ webhooks: "reorder" });
  const presses = buyers.map((buyer, i) =>
    victims[i % 2]?.pay(buyer, METHODS[i % METHODS.length] ?? "pm_ok", unique("key")),
  );
  await waitFor(async () => (await core.charges()).some(({ state }) => state === "succeeded"));
  await Promise.all([forgetFront(), core.control({ webhooks: "dup" }), victims[0]?.kill()]);
  for (const { order } of buyers) forsaken.add(order);
  const answers = await Promise.all(presses);
  expect(answers).toContain("cut");
  await Promise.all(buyers.map(ended));
  await victims[1]?.kill();
});

// Last in the file: what all of the above has left behind.
it("and in the end no rule of the money is broken", async () => {
  await waitFor(async () => (await brokenMoney(core.db, await core.charges())).length === 0);
  const open = await core.db.read("select 1 from orders where state = 'pending'");
  expect(open.length).toBeLessThan(20);
});
