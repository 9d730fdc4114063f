// One key, one attempt, one charge: whoever repeats it, whenever, however often.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRONT_LEASE_MS, FRONT_OPENING_MS } from "../../../core/payments/limits.ts";
import { attemptHash } from "../../../core/payments/pay-order.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import {
  asBuyer,
  type Buyer,
  newBuyer,
  openSale,
  pay,
  type Sale,
  seat,
  unique,
  untilQuiet,
} from "./sale.ts";

let core: TestCore;
let sale: Sale;
beforeAll(async () => {
  core = await startTestCore();
  sale = await openSale(core);
});
afterAll(() => core.stop());

let nextSeat = 0;
const buyerOfOne = () => {
  nextSeat += 1;
  return newBuyer(core, sale, [seat(nextSeat)]);
};

describe("an idempotency key", () => {
  it("repeats a final answer byte for byte, also a refusal, and charges once", async () => {
    for (const method of ["pm_ok", "pm_declined"]) {
      const buyer = await buyerOfOne();
      const key = unique("key");
      const first = await pay(core, buyer, method, key);
      const again = await pay(core, buyer, method, key);
      expect(again.text).toBe(first.text);
      expect(again.status).toBe(first.status);
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
      expect(await core.chargesOf(buyer.order)).toHaveLength(1);
    }
  });

  it("with another card or other instalments is refused", async () => {
    const buyer = await buyerOfOne();
    const key = unique("key");
    await pay(core, buyer, "pm_declined", key);
    expect((await pay(core, buyer, "pm_ok", key)).body["code"]).toBe("idempotency_key_reused");
    const instalments = await pay(core, buyer, "pm_declined", key, { instalments: 3 });
    expect(instalments.body["code"]).toBe("idempotency_key_reused");
    expect(await core.chargesOf(buyer.order)).toHaveLength(1);
  });

  it("is the same attempt after the page was loaded again, whatever its origin says", async () => {
    const buyer = await buyerOfOne();
    const key = unique("key");
    const first = await pay(core, buyer, "pm_ok", key);
    const resumed = await pay(core, buyer, "pm_ok", key, { origin: "resume" });
    expect(resumed.text).toBe(first.text);
  });

  it("may be the same in two orders, which are two charges", async () => {
    const [one, other] = [await buyerOfOne(), await buyerOfOne()];
    expect((await pay(core, one, "pm_ok", "same")).status).toBe(201);
    expect((await pay(core, other, "pm_ok", "same")).status).toBe(201);
  });

  it.each([
    ["", "idempotency_key_required"],
    ["with a blank", "idempotency_key_invalid"],
    ["k".repeat(256), "idempotency_key_invalid"],
  ])("%j is refused as %s", async (key, code) => {
    const buyer = await buyerOfOne();
    const answer = await core.call("POST", `/v1/orders/${buyer.order}/attempts`, {
      body: { method: "pm_ok", origin: "press" },
      headers: { ...asBuyer(buyer), ...(key === "" ? {} : { "idempotency-key": key }) },
    });
    expect(answer.body).toMatchObject({ status: 422, code });
  });

  it("of 255 characters is good", async () => {
    const buyer = await buyerOfOne();
    expect((await pay(core, buyer, "pm_ok", "~".repeat(255))).status).toBe(201);
  });
});

describe("two attempts at once", () => {
  it("with one key are one charge; the other hears that it is in flight or the same answer", async () => {
    const buyer = await buyerOfOne();
    const key = unique("key");
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => pay(core, buyer, "pm_ok", key)),
    );
    for (const answer of answers) {
      if (answer.status === 409) {
        expect(answer.body["code"]).toBe("attempt_in_flight");
        expect(answer.headers.get("retry-after")).not.toBeNull();
        // 202: charged, and what it buys is being decided in this very moment.
      } else expect([201, 202]).toContain(answer.status);
    }
    expect(answers.some((answer) => answer.status === 201)).toBe(true);
    expect(await core.chargesOf(buyer.order)).toMatchObject([
      { state: "succeeded", calls: { create: 1, confirm: 1 } },
    ]);
  });

  it("with different keys are one attempt and refusals", async () => {
    const buyer = await buyerOfOne();
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(core, buyer, "pm_ok")));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    const charges = await core.chargesOf(buyer.order);
    expect(charges.filter((one) => one.state === "succeeded")).toHaveLength(1);
  });

  it("a repeat while unknown hears 202 and confirms nothing", async () => {
    const buyer = await buyerOfOne();
    const key = unique("key");
    expect((await pay(core, buyer, "pm_lagging", key)).status).toBe(202);
    expect((await pay(core, buyer, "pm_lagging", key)).status).toBe(202);
    await untilQuiet(core, buyer);
    expect((await pay(core, buyer, "pm_lagging", key)).status).toBe(201);
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ calls: { confirm: 1 } }]);
  });
});

describe("a lease whose owner has died", () => {
  /** As a process leaves it that was killed while it held the lease. */
  const leave = (buyer: Buyer, key: string, ageMs: number) => {
    const { client, prefix } = core.ctx.redis.locks;
    const entry = { owner: "req_dead", hash: attemptHash({ method: "pm_ok" }), request: {} };
    const name = `${prefix}idem:${buyer.order}:${key}`;
    return client.set(name, JSON.stringify(entry), "PX", FRONT_LEASE_MS - ageMs);
  };

  it("does not hide how its attempt ended meanwhile", async () => {
    const buyer = await buyerOfOne();
    const key = unique("key");
    const first = await pay(core, buyer, "pm_ok", key);
    await leave(buyer, key, 0);
    expect(await pay(core, buyer, "pm_ok", key)).toMatchObject({ status: 201, text: first.text });
    const unknown = await buyerOfOne();
    expect((await pay(core, unknown, "pm_lagging", "late")).status).toBe(202);
    await core.ctx.redis.locks.client.set(
      `${core.ctx.redis.locks.prefix}idem:${unknown.order}:late`,
      JSON.stringify({ owner: "x", hash: attemptHash({ method: "pm_lagging" }), request: {} }),
    );
    expect((await pay(core, unknown, "pm_lagging", "late")).status).toBe(202);
    await untilQuiet(core, unknown);
    expect((await pay(core, unknown, "pm_lagging", "late")).status).toBe(201);
    expect(await core.chargesOf(unknown.order)).toMatchObject([{ calls: { confirm: 1 } }]);
  });

  it("holds up nobody for long when it had written nothing down", async () => {
    const buyer = await buyerOfOne();
    await leave(buyer, "fresh", 0);
    expect((await pay(core, buyer, "pm_ok", "fresh")).body["code"]).toBe("attempt_in_flight");
    await leave(buyer, "fresh", FRONT_OPENING_MS);
    expect((await pay(core, buyer, "pm_ok", "fresh")).status).toBe(201);
  });
});
