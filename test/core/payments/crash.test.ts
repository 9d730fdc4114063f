// Second words of the provider, crashes at every step, and seats lost before the money moves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentProvider } from "../../../core/payments/provider.ts";
import { startTestCore, type TestCore, webhook } from "./harness.ts";
import {
  endHoldTime,
  holdSeats,
  newBuyer,
  openSale,
  pay,
  readOrder,
  type Sale,
  seat,
  unique,
  until,
  untilQuiet,
} from "./sale.ts";

let core: TestCore;
let sale: Sale;
/** What a test puts in the way of the next confirm. */
let confirmFault:
  | ((real: () => ReturnType<PaymentProvider["confirm"]>) => Promise<never>)
  | undefined;
let onCreate: ((ref: string) => Promise<void>) | undefined;

beforeAll(async () => {
  core = await startTestCore((provider) => ({
    ...provider,
    async create(charge) {
      const made = await provider.create(charge);
      if (made.state === "created") await onCreate?.(made.ref);
      return made;
    },
    confirm(ref, requestId, instalments) {
      const real = () => provider.confirm(ref, requestId, instalments);
      const fault = confirmFault;
      confirmFault = undefined;
      return fault === undefined ? real() : fault(real);
    },
  }));
  // What the provider tells unasked would hide what these tests look for.
  await core.control({ webhooks: "off" });
  sale = await openSale(core);
});
afterAll(() => core.stop());

let nextSeat = 0;
async function freshSeats(count: number): Promise<string[]> {
  if (nextSeat + count > 20) {
    sale = await openSale(core);
    nextSeat = 0;
  }
  nextSeat += count;
  return Array.from({ length: count }, (_, i) => seat(nextSeat - i));
}

/** A buyer whose charge went through and who does not know it. */
async function unknowing(seats: string[], more: { acceptEqualSeats?: boolean } = {}) {
  const buyer = await newBuyer(core, sale, seats, more);
  const key = unique("key");
  expect((await pay(core, buyer, "pm_lost", key)).status).toBe(202);
  return { buyer, key };
}

describe("a second word of the provider", () => {
  it("that is a success beats the failure before it, and the buyer is told the truth", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    const key = unique("key");
    expect((await pay(core, buyer, "pm_declined", key)).status).toBe(402);
    const [charge] = await core.chargesOf(buyer.order);
    await webhook(core, "charge.succeeded", { ...charge, state: "succeeded" });
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
    expect((await pay(core, buyer, "pm_declined", key)).status).toBe(201);
  });

  it("that is a failure never downgrades a paid order", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    await pay(core, buyer, "pm_ok");
    const [charge] = await core.chargesOf(buyer.order);
    expect((await webhook(core, "charge.failed", { ...charge, state: "failed" })).status).toBe(200);
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
  });

  it("that is a second success is refunded, and the ticket stays valid", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    await pay(core, buyer, "pm_declined");
    const [first] = await core.chargesOf(buyer.order);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    await webhook(core, "charge.succeeded", { ...first, state: "succeeded" });
    const rows = await core.db.read(
      "select reason, to_jsonb(tickets) as tickets, amount from refunds where order_id = $1",
      [buyer.order],
    );
    expect(rows).toEqual([{ reason: "duplicate", tickets: [], amount: buyer.total }]);
    const order = await readOrder(core, buyer);
    expect(order["state"]).toBe("paid");
    expect(order["tickets"]).toMatchObject([{ state: "valid" }]);
  });
});

describe("a crash", () => {
  it("between the charge and its record is found by inquiry", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    confirmFault = async (real) => {
      await real();
      throw new Error("crashed");
    };
    const key = unique("key");
    expect((await pay(core, buyer, "pm_ok", key)).status).toBe(500);
    // The crashed request wedges nothing: the same key hears the state as it is.
    expect((await pay(core, buyer, "pm_ok", key)).body["code"]).toBe("attempt_in_flight");
    await until(
      core,
      () => readOrder(core, buyer),
      (order) => order["state"] === "paid",
    );
    expect((await pay(core, buyer, "pm_ok", key)).status).toBe(201);
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ calls: { confirm: 1 } }]);
  });

  it("before the confirm left is fenced, and the next press pays", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    confirmFault = () => Promise.reject(new Error("crashed"));
    expect((await pay(core, buyer, "pm_ok")).status).toBe(500);
    await untilQuiet(core, buyer);
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    const charges = await core.chargesOf(buyer.order);
    expect(charges.map((one) => [one.state, one.calls.confirm]).sort()).toEqual([
      ["cancelled", 0],
      ["succeeded", 1],
    ]);
  });

  it("after writing the attempt down ends it as never sent", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    onCreate = () => Promise.reject(new Error("crashed"));
    const key = unique("key");
    expect((await pay(core, buyer, "pm_ok", key)).status).toBe(500);
    onCreate = undefined;
    await core.db.write(
      "update payment_attempts set created_at = created_at - interval '61 seconds' where order_id = $1",
      [buyer.order],
    );
    await untilQuiet(core, buyer);
    expect((await pay(core, buyer, "pm_ok", key)).body).toMatchObject({ reason: "never_sent" });
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
  });

  it("between the recorded success and the settling is made good by the job", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    const { call } = core.db;
    const spy = Object.assign(core.db, {
      call: ((fn: string, ...rest: [never]) =>
        fn === "settle_order"
          ? Promise.reject(new Error("crashed"))
          : call(fn, ...rest)) as typeof call,
    });
    const key = unique("key");
    expect((await pay(core, buyer, "pm_ok", key)).status).toBe(202);
    spy.call = call;
    await core.db.write(
      "update payment_attempts set ended_at = ended_at - interval '5 seconds' where order_id = $1",
      [buyer.order],
    );
    await core.runJobs();
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
    expect((await pay(core, buyer, "pm_ok", key)).status).toBe(201);
  });
});

describe("seats lost before the money moves", () => {
  it("are never charged for", async () => {
    const seats = await freshSeats(1);
    const buyer = await newBuyer(core, sale, seats);
    onCreate = async () => {
      onCreate = undefined;
      await endHoldTime(core, buyer.hold);
      await holdSeats(core, sale, { place: unique("plc") }, seats);
    };
    const answer = await pay(core, buyer, "pm_ok");
    expect(answer.body).toMatchObject({ status: 409, code: "hold_expired" });
    expect(await core.chargesOf(buyer.order)).toMatchObject([
      { state: "created", calls: { confirm: 0 } },
    ]);
  });

  it("are refused at once when the hold's time is over or its end too near", async () => {
    const late = await newBuyer(core, sale, await freshSeats(1));
    await endHoldTime(core, late.hold);
    expect((await pay(core, late, "pm_ok")).body["code"]).toBe("hold_expired");
    const near = await newBuyer(core, sale, await freshSeats(1));
    await core.db.write(
      "update holds set expires_at = now() + interval '90 seconds', cap_at = now() + interval '90 seconds' where id = $1",
      [near.hold],
    );
    const answer = await pay(core, near, "pm_ok");
    expect(answer.body["code"]).toBe("hold_too_short");
  });

  it("stay protected while a payment is unknown, and are free again after a refusal", async () => {
    const seats = await freshSeats(1);
    const { buyer } = await unknowing(seats);
    await core.db.write("update seats set held_until = now() - interval '1 s' where hold_id = $1", [
      buyer.hold,
    ]);
    const stranger = { place: unique("plc") };
    await expect(holdSeats(core, sale, stranger, seats)).rejects.toThrow("seats_unavailable");
    expect((await untilQuiet(core, buyer))["state"]).toBe("paid");

    const more = await freshSeats(1);
    const declined = await newBuyer(core, sale, more);
    await pay(core, declined, "pm_declined");
    await endHoldTime(core, declined.hold);
    await holdSeats(core, sale, stranger, more);
  });
});

describe("a webhook before its reference is known here", () => {
  it("is parked, and taken up when the attempt begins", async () => {
    const buyer = await newBuyer(core, sale, await freshSeats(1));
    let status = 0;
    onCreate = async (ref) => {
      onCreate = undefined;
      const event = { id: ref, state: "failed", amount: 1, currency: "TRY", reason: "blocked" };
      status = (await webhook(core, "charge.failed", event)).status;
    };
    expect((await pay(core, buyer, "pm_ok")).body).toMatchObject({
      status: 402,
      reason: "blocked",
    });
    expect(status).toBe(202);
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ calls: { confirm: 0 } }]);
  });
});
