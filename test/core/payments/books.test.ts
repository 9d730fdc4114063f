// A whole day of books: ten thousand payments that agree, and two damages of each kind that do not.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RULES } from "../../../core/alarms/rules.ts";
import { alarmJob } from "../../../core/alarms/watch.ts";
import type { JobCtx } from "../../../core/jobs/registry.ts";
import { runPaymentFigures } from "../../../core/payments/figures.ts";
import type { SettlementLine } from "../../../core/payments/provider.ts";
import { reconcileDay } from "../../../core/payments/reconcile.ts";
import { newId } from "../../../shared/ids.ts";
import { type BulkOrder, chargeAgain, paidOrders } from "./bulk.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import { FLOOR_PRICE, newBuyer, openSale, pay, readOrder, seat } from "./sale.ts";

const ZONE = "Europe/Istanbul";
const DAY = "2026-06-15";
const MIDNIGHT = Date.parse(`${DAY}T00:00:00+03:00`);
const NEXT = MIDNIGHT + 86_400_000;
const HOUR = 3_600_000;

let core: TestCore;
/** What is done to the provider's file before we read it. */
let damage = (lines: SettlementLine[], _day: string): SettlementLine[] => lines;
beforeAll(async () => {
  core = await startTestCore(
    (real) => ({
      ...real,
      settlement: async (day, zone) => damage(await real.settlement(day, zone), day),
    }),
    // The alarm's receiver is on this machine.
    { OUTBOUND_LOCAL: "true" },
  );
  await core.control({ webhooks: "off" });
});
afterAll(() => core.stop());

const reconcile = async (day = DAY) => (await reconcileDay(core.ctx, { day, zone: ZONE })).counts;

/** The same refund in both books. */
async function refundAll(orders: readonly { one: BulkOrder; at: number; recordedAt: number }[]) {
  const rows = orders.map(({ one, at, recordedAt }) => {
    const refund = newId("ref");
    const charge = core.psp.ledger.charges.get(one.ref);
    if (charge === undefined) throw new Error("a charge");
    const made = core.psp.ledger.refund(refund, charge, charge.amount, at);
    if (!("refund" in made)) throw new Error("a refund");
    return { refund, order: one.order, attempt: one.attempt, ref: made.refund.id, recordedAt };
  });
  await core.db.write(
    `with rows as (
       select * from jsonb_to_recordset($1::jsonb) as r (refund text, "order" text, attempt text,
         ref text, "recordedAt" double precision)
     ), o as (
       update orders o set state = 'refunded' from rows where o.id = rows."order"
     ), t as (
       update tickets t set state = 'void', voided_at = now() from rows
       where t.order_id = rows."order"
     )
     insert into refunds (id, order_id, attempt_id, event_id, key, amount, currency, reason,
         created_by, state, provider_ref, ended_at)
       select r.refund, r."order", r.attempt, a.event_id, r.refund, a.captured_amount,
         a.captured_currency, 'asked for', 'test', 'succeeded', r.ref,
         to_timestamp(r."recordedAt" / 1000)
       from rows r join payment_attempts a on a.id = r.attempt`,
    [JSON.stringify(rows)],
    { slow: true },
  );
  return rows;
}

describe("a clean day", () => {
  it("of ten thousand payments, refunds, two currencies and midnight crossings has no difference", async () => {
    const spread = (count: number) =>
      Array.from({ length: count }, (_, i) => {
        const chargedAt = MIDNIGHT + Math.floor((i / count) * 86_400_000);
        return { chargedAt, endedAt: chargedAt + 700 };
      });
    const crossings = [MIDNIGHT, NEXT].flatMap((midnight) => [
      // Charged before midnight and recorded after it; then by a clock of ours that is behind.
      ...Array.from({ length: 20 }, (_, i) => ({
        chargedAt: midnight - 10 - i,
        endedAt: midnight + 2_000 + i * 60_000,
      })),
      ...Array.from({ length: 20 }, (_, i) => ({
        chargedAt: midnight + 10 + i,
        endedAt: midnight - 2_000 - i * 1_000,
      })),
    ]);
    const lira = await paidOrders(core, [...spread(5_000), ...crossings]);
    const yen = await paidOrders(core, spread(5_000), "JPY");
    await refundAll(
      [...lira.slice(0, 100), ...yen.slice(0, 100)].map((one) => ({
        one,
        at: one.chargedAt + HOUR,
        recordedAt: one.chargedAt + HOUR + 500,
      })),
    );
    await refundAll(
      lira.slice(200, 210).map((one) => ({ one, at: NEXT - 5, recordedAt: NEXT + 5_000 })),
    );
    for (const day of ["2026-06-14", DAY, "2026-06-16"]) expect(await reconcile(day)).toEqual({});
    const [row] = await core.db.read<{ n: number }>(
      "select count(*) as n from settlement_lines where day = $1 and kind = 'charge'",
      [DAY],
    );
    expect(row?.n).toBeGreaterThanOrEqual(10_000);
  }, 120_000);
});

describe("two damages of each kind", () => {
  it("are found, repaired where that is safe, queued where it is not, and found once", async () => {
    const at = MIDNIGHT + 12 * HOUR;
    const bulk = await paidOrders(
      core,
      Array.from({ length: 20 }, () => ({ chargedAt: at, endedAt: at + 500 })),
    );
    const take = () => {
      const one = bulk.pop();
      if (one === undefined) throw new Error("enough orders");
      return one;
    };
    const sale = await openSale(core);
    let number = 0;
    const buyer = async (method: string) => {
      number += 1;
      const made = await newBuyer(core, sale, [seat(number)]);
      await pay(core, made, method);
      // Dated to the day under test, in the provider's own books.
      for (const entry of core.psp.ledger.entries)
        if (entry.reference === made.order) entry.at = at;
      return made;
    };

    // unknown_charge: one that we still ask about, and a stranger's in the file.
    const unknown = await buyer("pm_lost");
    // ghost_charge: one with its seats, and one whose buyer has paid for others meanwhile.
    const [rescued, late] = [await buyer("pm_lost"), await buyer("pm_lost")];
    for (const { order } of [rescued, late])
      await core.db.write(
        "update payment_attempts set state = 'failed', reason = 'said_failed' where order_id = $1",
        [order],
      );
    await core.db.write("update orders set state = 'cancelled', ended_at = now() where id = $1", [
      late.order,
    ]);
    // missing_charge: a line that the file lost, and a success that the provider never heard of.
    const [lostLine, invented] = [take(), take()];
    await core.db.write("update payment_attempts set provider_ref = 'ch_invented' where id = $1", [
      invented.attempt,
    ]);
    // amount_differs: a hundredfold, and another currency.
    const [hundredfold, foreign] = [take(), take()];
    // double_charge: one that was forgotten on its way back, and one about which nothing was decided.
    const [forgotten, undecided] = [take(), take()];
    await chargeAgain(core, [forgotten, undecided]);
    await core.db.write(
      `update payment_attempts set settled = null, settled_at = null
        where order_id = $1 and settled = 'refund'`,
      [undecided.order],
    );
    // refund_mismatch: one that we have not heard of, and one that only we know.
    const [unheard, onlyOurs] = await refundAll(
      [take(), take()].map((one) => ({ one, at: at + HOUR, recordedAt: at + HOUR })),
    );
    await core.db.write(
      "update refunds set state = 'unknown', ended_at = null, next_try_at = now() + interval '1 day' where id = $1",
      [unheard?.refund ?? ""],
    );
    await core.db.write("update orders set state = 'paid' where id = $1", [unheard?.order ?? ""]);
    await core.db.write("update refunds set provider_ref = 're_invented' where id = $1", [
      onlyOurs?.refund ?? "",
    ]);
    // seat_without_order: nobody has a ticket for one; somebody has for the other.
    const [orphan, contested] = [await buyer("pm_ok"), await buyer("pm_ok")];
    await core.db.write(
      "update tickets set state = 'void', voided_at = now() where order_id = $1",
      [orphan.order],
    );
    for (const { order } of [orphan, contested])
      await core.db.write("update orders set state = 'refunded' where id = $1", [order]);
    // order_without_tickets: the seat is still the order's; or it is not.
    const [bare, robbed] = [await buyer("pm_ok"), await buyer("pm_ok")];
    for (const { order } of [bare, robbed])
      await core.db.write("delete from tickets where order_id = $1", [order]);
    await core.db.write(
      "update seats set status = 'available', order_id = null where order_id = $1",
      [robbed.order],
    );

    damage = (lines, day) =>
      day !== DAY
        ? lines
        : [
            ...lines
              .filter(({ ref, id }) => ref !== lostLine.ref && id !== onlyOurs?.ref)
              .map((line) => {
                if (line.ref === hundredfold.ref) return { ...line, amount: line.amount * 100 };
                return line.ref === foreign.ref ? { ...line, currency: "EUR" } : line;
              }),
            {
              id: "ch_stranger",
              kind: "charge",
              ref: "ch_stranger",
              order: null,
              amount: 5,
              currency: "TRY",
              at: new Date(at).toISOString(),
            },
          ];
    // The lines of the clean day are in already; these are what the file says now.
    await core.db.write("delete from settlement_lines where day = $1", [DAY]);
    const both = { found: 2, repaired: 1, queued: 1 };
    const expected = {
      // The stranger, and the charge whose attempt was given another reference.
      unknown_charge: { found: 3, repaired: 1, queued: 2 },
      ghost_charge: { found: 2, repaired: 2, queued: 0 },
      missing_charge: both,
      amount_differs: { found: 2, repaired: 0, queued: 2 },
      double_charge: { found: 2, repaired: 2, queued: 0 },
      refund_mismatch: both,
      seat_without_order: both,
      order_without_tickets: both,
    };
    expect(await reconcile()).toEqual(expected);
    // Again, and the night after: the same ones, not more.
    expect(await reconcile()).toEqual(expected);

    expect((await readOrder(core, unknown)).state).toBe("paid");
    expect((await readOrder(core, rescued)).state).toBe("paid");
    expect((await readOrder(core, bare)).tickets).toMatchObject([{ seat: seat(6) }]);
    await core.runJobs();
    const charges = await core.charges();
    const back = (order: string) =>
      charges.filter((one) => one.reference === order).map((one) => one.refunded);
    expect(back(late.order)).toEqual([late.total]);
    for (const { order } of [forgotten, undecided])
      expect(back(order).sort()).toEqual([0, FLOOR_PRICE].sort());
    const [free] = await core.db.read(
      "select status from seats where event_id = $1 and seat_id = $2",
      [sale.event, seat(4)],
    );
    expect(free).toEqual({ status: "available" });
    await alarms();
  });
});

/** What went wrong above is told to whoever is on duty; and again when it is over. */
async function alarms(): Promise<void> {
  const told: { name: string; state: string; value: number }[] = [];
  const duty = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      told.push(JSON.parse(body));
      response.end();
    });
  });
  await new Promise<void>((done) => duty.listen(0, "127.0.0.1", done));
  const { port } = duty.address() as AddressInfo;
  const ctx: JobCtx = {
    ...core.ctx,
    config: { ...core.ctx.config, alarmWebhookUrl: `http://127.0.0.1:${port}` },
    actor: { kind: "job", name: "alarms" },
  };
  const names = ["books_differ", "double_charges", "payment_unknown"];
  const job = alarmJob(RULES.filter(({ name }) => names.includes(name)));
  const [open] = await core.db.write<{ id: string }>(
    `update payment_attempts set state = 'unknown', settled = null, settled_at = null,
        captured_amount = null, captured_currency = null, sent_at = now() - interval '6 minutes'
      where id = (select id from payment_attempts where settled = 'order' limit 1) returning id`,
  );
  await runPaymentFigures(ctx);
  await job.run(ctx);
  const named = (state: string) =>
    told.filter((one) => one.state === state).map(({ name }) => name);
  expect(named("firing").sort()).toEqual([...names].sort());
  expect(told.find(({ name }) => name === "payment_unknown")?.value).toBeGreaterThan(300);
  await core.db.write("update payment_attempts set sent_at = now() where id = $1", [
    open?.id ?? "",
  ]);
  await core.db.write("update discrepancies set state = 'dismissed'");
  await core.db.write("update refunds set created_at = now() - interval '2 days'");
  await runPaymentFigures(ctx);
  await job.run(ctx);
  expect(named("ended").sort()).toEqual([...names].sort());
  duty.close();
}
