// The books compared after they were damaged by hand, and left alone when they agree.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutbound } from "../../../core/outbound/outbound.ts";
import { runNightlyReconciliation } from "../../../core/payments/nightly.ts";
import type { PaymentProvider, SettlementLine } from "../../../core/payments/provider.ts";
import { reconcileDay } from "../../../core/payments/reconcile.ts";
import { refundOrder } from "../../../core/payments/refunds.ts";
import { reportText, runMorningReport } from "../../../core/payments/report.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import {
  type Buyer,
  endHoldTime,
  newBuyer,
  openSale,
  pay,
  readOrder,
  seat,
  unique,
} from "./sale.ts";

let core: TestCore;
let provider: PaymentProvider;
/** What a test does to the provider's file. */
let damage: (lines: SettlementLine[], day: string) => SettlementLine[];
beforeAll(async () => {
  core = await startTestCore((real) => {
    provider = real;
    return {
      ...real,
      settlement: async (day, zone) => damage(await real.settlement(day, zone), day),
    };
  });
  await core.control({ webhooks: "off" });
});
afterAll(() => core.stop());

const today = () => new Date().toISOString().slice(0, 10);
/** Each test's differences alone: what earlier ones left is forgotten. */
async function reconcile(change: typeof damage = (lines) => lines) {
  await core.db.write("delete from discrepancies");
  await core.db.write("delete from settlement_lines");
  damage = change;
  return (await reconcileDay(core.ctx, { day: today(), zone: "UTC" })).counts;
}
/** Attempts count an hour later, so that midnight hides nothing. */
const age = (buyer: Buyer) =>
  core.db.write(
    `update payment_attempts set ended_at = date_trunc('day', now() at time zone 'utc') at time zone 'utc'
      where order_id = $1`,
    [buyer.order],
  );
const buyers = async (count: number, more: { currency?: string } = {}): Promise<Buyer[]> => {
  const sale = await openSale(core, more);
  return Promise.all(Array.from({ length: count }, (_, i) => newBuyer(core, sale, [seat(i + 1)])));
};
const once = { found: 1, repaired: 1, queued: 0 };
const queued = { found: 1, repaired: 0, queued: 1 };

describe("reconciliation", () => {
  it("of a clean day with refunds, duplicates, two currencies and refusals finds nothing", async () => {
    for (const currency of ["TRY", "JPY"]) {
      const [paid, refunded, declined] = await buyers(3, { currency });
      if (!paid || !refunded || !declined) throw new Error("three buyers");
      await pay(core, paid, "pm_ok");
      await pay(core, refunded, "pm_ok");
      await pay(core, declined, "pm_declined");
      const request = { reason: "asked for" };
      await refundOrder(core.ctx, { order: refunded.order, key: unique("re"), request });
      await age(paid);
    }
    expect(await reconcile()).toEqual({});
  });

  it("records a charge that we do not know the end of, and pays its order", async () => {
    const [buyer] = await buyers(1);
    if (!buyer) throw new Error("a buyer");
    await pay(core, buyer, "pm_lost");
    expect(await reconcile()).toEqual({ unknown_charge: once });
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
    expect(await reconcile()).toEqual({});
  });

  it("rescues the order of a ghost while its seats can be had, and refunds it otherwise", async () => {
    const [rescued, lost] = await buyers(2);
    if (!rescued || !lost) throw new Error("two buyers");
    for (const buyer of [rescued, lost]) {
      await pay(core, buyer, "pm_lost");
      await core.db.write(
        "update payment_attempts set state = 'failed', reason = 'said_failed' where order_id = $1",
        [buyer.order],
      );
    }
    await endHoldTime(core, lost.hold);
    const [{ event = "", seat: wanted = "" } = {}] = await core.db.read<{
      event: string;
      seat: string;
    }>("select event_id as event, seat_id as seat from hold_seats where hold_id = $1", [lost.hold]);
    await newBuyer(core, { event, currency: "TRY" }, [wanted]);
    expect(await reconcile()).toEqual({ ghost_charge: { found: 2, repaired: 2, queued: 0 } });
    expect((await readOrder(core, rescued))["state"]).toBe("paid");
    await core.runJobs();
    expect(await core.chargesOf(lost.order)).toMatchObject([{ refunded: lost.total }]);
  });

  it("queues what only a person can decide, and repairs what the provider or the seats confirm", async () => {
    const [missing, differs, bare] = await buyers(3);
    if (!missing || !differs || !bare) throw new Error("three buyers");
    for (const buyer of [missing, differs, bare]) {
      await pay(core, buyer, "pm_ok");
      await age(buyer);
    }
    await core.db.write("delete from tickets where order_id = $1", [bare.order]);
    const counts = await reconcile((lines, day) =>
      day !== today()
        ? lines
        : [
            ...lines
              .filter((line) => line.order !== missing.order)
              .map((line) =>
                line.order === differs.order ? { ...line, amount: line.amount * 100 } : line,
              ),
            {
              id: "ch_stranger",
              kind: "charge",
              ref: "ch_stranger",
              order: null,
              amount: 5,
              currency: "TRY",
              at: new Date().toISOString(),
            },
            {
              id: "re_stranger",
              kind: "refund",
              ref: "ch_stranger",
              order: null,
              amount: 5,
              currency: "TRY",
              at: new Date().toISOString(),
            },
          ],
    );
    expect(counts).toEqual({
      missing_charge: once,
      amount_differs: queued,
      order_without_tickets: once,
      unknown_charge: queued,
      refund_mismatch: queued,
    });
    // The same again finds the same, not more.
    const again = await reconcileDay(core.ctx, { day: today(), zone: "UTC" });
    expect(again.counts).toEqual(counts);
  });

  it("refunds the second charge of an order", async () => {
    const [buyer] = await buyers(1);
    if (!buyer) throw new Error("a buyer");
    await pay(core, buyer, "pm_lost");
    const [first] = await core.chargesOf(buyer.order);
    await core.db.write(
      "update payment_attempts set state = 'failed', reason = 'said_failed' where order_id = $1",
      [buyer.order],
    );
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
    const counts = await reconcile();
    expect(counts.ghost_charge).toEqual(once);
    await core.runJobs();
    const charges = await core.chargesOf(buyer.order);
    expect(charges.find((charge) => charge.id === first?.id)?.refunded).toBe(buyer.total);
    expect(charges.reduce((sum, charge) => sum + charge.refunded, 0)).toBe(buyer.total);
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
  });
});

describe("the night", () => {
  it("runs once for yesterday after two o'clock, and reports once after seven", async () => {
    const received: string[] = [];
    let refuse = true;
    const chat = createServer((req, res) => {
      let body = "";
      req.on("data", (part) => {
        body += part;
      });
      req.on("end", () => {
        if (!refuse) received.push(body);
        res.writeHead(refuse ? 500 : 200).end();
        refuse = false;
      });
    });
    await new Promise<void>((done) => chat.listen(0, "127.0.0.1", done));
    const { port } = chat.address() as AddressInfo;
    damage = (lines) => lines;
    const at = (hour: number) => ({
      ...core.ctx,
      outbound: createOutbound({ port: 443, local: true }),
      clock: { now: () => Date.parse(`${today()}T00:00:00+03:00`) + hour * 3_600_000 },
      config: {
        ...core.ctx.config,
        reconciliationZone: "Europe/Istanbul",
        reportWebhookUrl: `http://127.0.0.1:${port}`,
      },
    });
    expect(await runNightlyReconciliation(at(1.9))).toBe(0);
    expect(await runNightlyReconciliation(at(2.1))).toBe(1);
    expect(await runNightlyReconciliation(at(3))).toBe(0);
    expect(await runMorningReport(at(6.9))).toBe(0);
    expect(await runMorningReport(at(7.1))).toBe(1);
    expect(await runMorningReport(at(8))).toBe(0);
    expect(received).toHaveLength(1);
    expect(received[0]).toContain("Books of");
    await new Promise((done) => chat.close(done));
    expect(provider.name).toBe("simulator");
  });

  it("says it when nothing differs", () => {
    expect(reportText("2026-03-29", {})).toBe("Books of 2026-03-29: no differences.");
  });
});
