// One contract for every payment provider, and how often each call really leaves the house.
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAYMENT_TIMINGS } from "../../../core/payments/limits.ts";
import type { NewCharge, PaymentProvider } from "../../../core/payments/provider.ts";
import { createSimulatorProvider } from "../../../core/payments/simulator.ts";
import { createStripeProvider } from "../../../core/payments/stripe.ts";
import { fromStripeAmount, toStripeAmount } from "../../../core/payments/stripe-amounts.ts";
import { type Psp, startPsp } from "../../../tools/psp/server.ts";
import { type Fault, type StripeServer, startStripeServer } from "./stripe-server.ts";

const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const timings = { ...PAYMENT_TIMINGS, createTimeoutMs: 300, confirmTimeoutMs: 300 };

let psp: Psp;
let server: StripeServer;
const providers = new Map<string, PaymentProvider>();
beforeAll(async () => {
  psp = await startPsp({
    port: 0,
    coreOrigin: "http://127.0.0.1:9",
    secret: "sk",
    webhookSecret: WEBHOOK_SECRET,
    timeScale: 0.001,
  });
  server = await startStripeServer();
  providers.set(
    "simulator",
    createSimulatorProvider({
      origin: psp.origin,
      secret: "sk",
      webhookSecret: WEBHOOK_SECRET,
      timings,
    }),
  );
  providers.set(
    "stripe",
    createStripeProvider({
      secretKey: "sk_test_1",
      webhookSecret: WEBHOOK_SECRET,
      timings,
      server: { host: "127.0.0.1", port: server.port, protocol: "http" },
    }),
  );
});
afterAll(async () => {
  await psp.stop();
  await server.stop();
});

const provider = (name: string): PaymentProvider => {
  const found = providers.get(name);
  if (found === undefined) throw new Error(`no provider ${name}`);
  return found;
};

let serial = 0;
const newCharge = (more: Partial<NewCharge> = {}): NewCharge => {
  serial += 1;
  return {
    order: `ord_${serial}`,
    attempt: `att_${serial}`,
    key: `key_${serial}`,
    amount: 1_234,
    currency: "EUR",
    method: "pm_ok",
    instalments: 1,
    requestId: "req_1",
    ...more,
  };
};
async function created(name: string, more: Partial<NewCharge> = {}): Promise<string> {
  const made = await provider(name).create(newCharge(more));
  if (made.state !== "created") throw new Error(`not created: ${made.reason}`);
  return made.ref;
}

describe.each([
  ["simulator", "pm_declined"],
  ["stripe", "pm_card_chargeDeclined"],
])("the provider %s", (name, declining) => {
  it("creates without moving money, the same attempt once", async () => {
    const charge = newCharge();
    const [one, two] = [await provider(name).create(charge), await provider(name).create(charge)];
    expect(one).toEqual(two);
    expect(one.state).toBe("created");
    const ref = one.state === "created" ? one.ref : "";
    expect(await provider(name).inquire(ref)).toEqual({ state: "created" });
  });

  it.each([
    ["TRY", 1_050],
    ["EUR", 1_999],
    ["JPY", 500],
    ["KWD", 12_340],
    ["UGX", 35_000],
  ])("charges %s to the minor unit and tells the amount in ours", async (currency, amount) => {
    const ref = await created(name, { currency, amount });
    const charged = { state: "succeeded", amount, currency };
    expect(await provider(name).confirm(ref, "req_1")).toEqual(charged);
    expect(await provider(name).inquire(ref)).toEqual(charged);
    expect(await provider(name).cancel(ref)).toEqual(charged);
  });

  it("says that it does not know a method, which is no refusal of a card", async () => {
    const made = await provider(name).create(newCharge({ method: "pm_unheard_of" }));
    expect(made).toEqual({ state: "refused", reason: "unknown_method" });
  });

  it("tells a refusal from everything else", async () => {
    const ref = await created(name, { method: declining });
    expect((await provider(name).confirm(ref, "req_1")).state).toBe("failed");
    expect((await provider(name).inquire(ref)).state).toBe("failed");
    expect((await provider(name).inquire("pi_999999")).state).toBe("not_found");
  });

  it("cancels before the money moved, after which nothing can be charged", async () => {
    const ref = await created(name);
    expect(await provider(name).cancel(ref)).toEqual({ state: "cancelled" });
    expect((await provider(name).confirm(ref, "req_1")).state).not.toBe("succeeded");
    expect(await provider(name).inquire(ref)).toEqual({ state: "cancelled" });
  });

  it("refunds once per refund, never above the charge, and finds it again", async () => {
    const ref = await created(name, { currency: "UGX", amount: 900 });
    await provider(name).confirm(ref, "req_1");
    const refund = { refund: `ref_${ref}`, ref, amount: 600, currency: "UGX" };
    const first = await provider(name).refund(refund);
    expect(first.state).toBe("succeeded");
    expect(await provider(name).refund(refund)).toEqual(first);
    expect(await provider(name).inquireRefund(refund)).toEqual(first);
    const more = { ...refund, refund: `more_${ref}`, amount: 301 };
    expect((await provider(name).refund(more)).state).toBe("failed");
    expect(await provider(name).inquireRefund(more)).toEqual({ state: "not_found" });
  });

  it("lists what it moved on a day", async () => {
    const ref = await created(name, { currency: "KWD", amount: 5_000 });
    await provider(name).confirm(ref, "req_1");
    const refund = { refund: `day_${ref}`, ref, amount: 2_000, currency: "KWD" };
    await provider(name).refund(refund);
    const day = new Date().toISOString().slice(0, 10);
    const lines = (await provider(name).settlement(day, "UTC")).filter((line) => line.ref === ref);
    expect(lines).toMatchObject([
      { kind: "charge", amount: 5_000, currency: "KWD" },
      { kind: "refund", amount: 2_000, currency: "KWD" },
    ]);
  });
});

describe("Stripe's SDK", () => {
  const faults: Fault[] = ["reset", "reset_mid_body", "silence", "error_500", "error_502_html"];

  it.each(faults)("sends a create once when the answer is: %s", async (fault) => {
    const before = server.count("POST /v1/payment_intents");
    server.failNext(fault);
    expect((await provider("stripe").create(newCharge())).state).toBe("unknown");
    expect(server.count("POST /v1/payment_intents")).toBe(before + 1);
  });

  it.each(faults)("sends a confirm once when the answer is: %s", async (fault) => {
    const ref = await created("stripe");
    const before = server.count("POST /v1/payment_intents/{id}/confirm");
    server.failNext(fault);
    expect((await provider("stripe").confirm(ref, "req_1")).state).toBe("unknown");
    expect(server.count("POST /v1/payment_intents/{id}/confirm")).toBe(before + 1);
    expect((await provider("stripe").inquire(ref)).state).toBe("succeeded");
  });

  it("is told the instalments, and a number of them that the card does not take is a clean refusal", async () => {
    const ref = await created("stripe", { instalments: 6 });
    expect((await provider("stripe").confirm(ref, "req_1", 6)).state).toBe("succeeded");
    expect(server.intents.get(ref)?.months).toBe("6");
    const whole = await created("stripe");
    await provider("stripe").confirm(whole, "req_1", 1);
    expect(server.intents.get(whole)?.months).toBeNull();
    const made = await provider("stripe").create(newCharge({ instalments: 5 }));
    expect(made).toEqual({ state: "refused", reason: "instalments_unavailable" });
  });

  it("lists no refund that came back, and never drops an amount it cannot read", async () => {
    const ref = await created("stripe", { currency: "UGX", amount: 900 });
    await provider("stripe").confirm(ref, "req_1", 1);
    const refund = { refund: `back_${ref}`, ref, amount: 900, currency: "UGX" };
    const done = await provider("stripe").refund(refund);
    server.returnRefund(done.state === "succeeded" ? done.ref : "");
    expect((await provider("stripe").inquireRefund(refund)).state).toBe("failed");
    server.misstate(ref, 90_001);
    const day = new Date().toISOString().slice(0, 10);
    const lines = await provider("stripe").settlement(day, "UTC");
    expect(lines.filter((line) => line.ref === ref)).toMatchObject([
      { kind: "charge", amount: 90_001, currency: "UGX" },
    ]);
  });

  it("signs webhooks that we read, and no others", () => {
    const sdk = new Stripe("sk_test_1");
    const object = { id: "pi_1", object: "payment_intent", amount_received: 500, currency: "jpy" };
    const payload = JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "payment_intent.succeeded",
      data: { object },
    });
    const sign = (secret: string, ageS = 0) =>
      new Headers({
        "stripe-signature": sdk.webhooks.generateTestHeaderString({
          payload,
          secret,
          timestamp: Math.floor(Date.now() / 1_000) - ageS,
        }),
      });
    const read = (headers: Headers) => provider("stripe").readWebhook(headers, payload);
    expect(read(sign(WEBHOOK_SECRET))).toEqual({
      ok: true,
      value: {
        id: "evt_1",
        type: "payment_intent.succeeded",
        ref: "pi_1",
        outcome: { outcome: "charge_succeeded", amount: 500, currency: "JPY" },
      },
    });
    expect(read(sign("whsec_other")).ok).toBe(false);
    expect(read(sign(WEBHOOK_SECRET, 301)).ok).toBe(false);
    expect(read(new Headers()).ok).toBe(false);
  });
});

describe("Stripe's amounts", () => {
  it("differ from ours where ISO 4217 has no minor unit and Stripe wants two", () => {
    expect(toStripeAmount(35_000, "UGX")).toBe(3_500_000);
    expect(toStripeAmount(500, "JPY")).toBe(500);
    expect(toStripeAmount(12_340, "KWD")).toBe(12_340);
    for (const currency of ["UGX", "ISK", "JPY", "KWD", "TRY", "HUF"]) {
      expect(fromStripeAmount(toStripeAmount(777, currency), currency)).toBe(777);
    }
    expect(fromStripeAmount(3_500_001, "UGX")).toBeUndefined();
  });
});
