// Everybody at once, with every kind of trouble, and then the books: each capture has bought exactly
// one order with its tickets or has gone back, nothing was confirmed twice, no seat was sold twice.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { brokenMoney } from "../../invariants/money.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import {
  asBuyer,
  type Buyer,
  endHoldTime,
  newBuyer,
  openSale,
  pay,
  type Sale,
  seat,
} from "./sale.ts";

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());

const SEED = Number(process.env["TEST_SEED"] ?? Date.now() % 1_000_000);
const BUYERS = 30;
const METHODS = [
  "pm_ok",
  "pm_declined",
  "pm_slow",
  "pm_late",
  "pm_lost",
  "pm_error",
  // Long unknown: time enough to lose the seats.
  "pm_lagging",
  "pm_lagging",
  "pm_lagging",
  "pm_lagging",
  "pm_dup_webhook",
  "pm_only_webhook",
];

/** mulberry32: small, seeded, good enough to choose troubles. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Rival = Buyer & { sale: Sale; seat: string };

async function trouble(buyer: Rival, random: () => number): Promise<void> {
  const pick = () => METHODS[Math.floor(random() * METHODS.length)] ?? "pm_ok";
  for (let press = 0; press < 3; press += 1) {
    const [method, key] = [pick(), `${buyer.order}-${press}`];
    const chance = random();
    const presses = [pay(core, buyer, method, key)];
    if (chance < 0.5) presses.push(pay(core, buyer, method, key));
    if (chance > 0.8) presses.push(pay(core, buyer, pick(), `${key}-other`));
    if (chance > 0.4 && chance < 0.5) {
      await core.call("POST", `/v1/orders/${buyer.order}/cancel`, { headers: asBuyer(buyer) });
    }
    if (random() < 0.4) await vulture(buyer);
    await Promise.all(presses);
    await sleep(random() * 50);
  }
}

/** The seat's time ends in mid-payment and somebody else is there at once. */
async function vulture(buyer: Rival): Promise<void> {
  await sleep(30);
  await endHoldTime(core, buyer.hold);
  const second = await newBuyer(core, buyer.sale, [buyer.seat]).catch(() => undefined);
  if (second !== undefined) await pay(core, second, "pm_ok");
}

it(`money and seats agree after a storm (TEST_SEED=${SEED})`, async () => {
  const random = randomFrom(SEED);
  const sales = [await openSale(core), await openSale(core)];
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, async (_, i): Promise<Rival> => {
      const sale = sales[i % 2];
      if (sale === undefined) throw new Error("two sales");
      const wanted = seat(Math.floor(i / 2) + 1);
      const more = { acceptEqualSeats: random() < 0.5 };
      return { ...(await newBuyer(core, sale, [wanted], more)), sale, seat: wanted };
    }),
  );
  await core.control({ webhooks: random() < 0.5 ? "dup" : "reorder" });
  let stormy = true;
  const jobs = (async () => {
    while (stormy) {
      await core.runJobs();
      await sleep(10);
    }
  })();
  await Promise.all(buyers.map((buyer) => trouble(buyer, random)));
  for (;;) {
    const [open] = await core.db.read<{ n: number }>(
      `select (select count(*) from payment_attempts
          where state in ('created', 'sent', 'unknown') or (state = 'succeeded' and settled is null))
        + (select count(*) from refunds where state not in ('succeeded', 'failed')) as n`,
    );
    if (open?.n === 0) break;
    await sleep(20);
  }
  stormy = false;
  await jobs;
  expect(await brokenMoney(core.db, await core.charges())).toEqual([]);
});
