// What payments look like from outside: repeats against their normal level, people who gave up waiting.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { levelOf, runPaymentFigures } from "../../../core/payments/figures.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import { asBuyer, newBuyer, openSale, pay, seat, untilQuiet } from "./sale.ts";

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());

async function figure(name: string): Promise<number> {
  await runPaymentFigures(core.ctx);
  const metric = await core.ctx.metrics.registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value ?? Number.NaN;
}

describe("the same method and amount again", () => {
  it("is counted for the same person, in one order or in two, and for nobody else", async () => {
    const sale = await openSale(core);
    const one = await newBuyer(core, sale, [seat(1)], { place: "plc-again" });
    await pay(core, one, "pm_declined");
    expect(await figure("sira_payment_same_again")).toBe(0);
    await pay(core, one, "pm_declined");
    await pay(core, one, "pm_ok");
    expect(await figure("sira_payment_same_again")).toBe(1);
    // Back in the line, and admitted again.
    await core.db.write("update admissions set closed_at = null where place = 'plc-again'");
    const more = await newBuyer(core, sale, [seat(2)], { place: "plc-again" });
    await pay(core, more, "pm_ok");
    expect(await figure("sira_payment_same_again")).toBe(2);
    await pay(core, await newBuyer(core, sale, [seat(3)]), "pm_ok");
    await pay(core, await newBuyer(core, sale, [seat(4), seat(5)]), "pm_ok");
    expect(await figure("sira_payment_same_again")).toBe(2);
  });

  it("is measured against the week before, and says nothing of a few", () => {
    const week = { attempts: 1_000, again: 50 };
    expect(levelOf({ attempts: 100, again: 5 }, week)).toBeCloseTo(1);
    expect(levelOf({ attempts: 100, again: 20 }, week)).toBeCloseTo(4);
    expect(levelOf({ attempts: 4, again: 4 }, week)).toBe(0);
    // The first sale of a house has no week before it.
    expect(levelOf({ attempts: 100, again: 20 }, { attempts: 0, again: 0 })).toBeCloseTo(10);
    expect(levelOf({ attempts: 0, again: 0 }, week)).toBe(0);
  });
});

describe("people who left while their payment was being checked", () => {
  it("are counted once an order, whether the page says so or they cancel", async () => {
    const sale = await openSale(core);
    const [one, two] = [
      await newBuyer(core, sale, [seat(1)]),
      await newBuyer(core, sale, [seat(2)]),
    ];
    for (const buyer of [one, two]) expect((await pay(core, buyer, "pm_lagging")).status).toBe(202);
    const tell = () =>
      core.call("POST", `/v1/orders/${one.order}/page-events`, {
        body: { events: [{ kind: "left_checking" }] },
        headers: asBuyer(one),
      });
    expect((await tell()).status).toBe(204);
    await tell();
    for (const buyer of [one, two])
      await core.call("POST", `/v1/orders/${buyer.order}/cancel`, { headers: asBuyer(buyer) });
    expect(await figure("sira_payment_left_checking")).toBe(2);
    for (const buyer of [one, two]) await untilQuiet(core, buyer);
  });
});
