// The checker is itself tested: bugs that systems like ours have had are planted in a copy of the
// sale's functions, and each one must be found by what it leaves behind.
import { afterEach, describe, expect, it } from "vitest";
import { refundOrder } from "../../core/payments/refunds.ts";
import { startTestCore, type TestCore, type Wrap } from "../core/payments/harness.ts";
import {
  endHoldTime,
  holdSeats,
  newBuyer,
  openSale,
  pay,
  seat,
  unique,
  untilQuiet,
} from "../core/payments/sale.ts";
import { waitFor } from "../support/wait-for.ts";
import { type Broken, findBroken } from "./check.ts";
import { History } from "./history.ts";
import { plantInSql } from "./plant.ts";

let core: TestCore;
let history: History;
const events: string[] = [];
afterEach(() => core.stop());

async function begin(wrap?: Wrap) {
  core = await startTestCore(wrap);
  history = new History();
  events.length = 0;
  const sale = await openSale(core);
  events.push(sale.event);
  return sale;
}

/** The confirm is on its way, or has just been given up. */
const untilSent = ({ order }: { order: string }): Promise<unknown> =>
  waitFor(async () => {
    const sent = await core.db.read(
      "select 1 from payment_attempts where order_id = $1 and state in ('sent', 'unknown')",
      [order],
    );
    return sent.length > 0;
  });

const look = async (): Promise<string[]> => {
  const charges = await core.charges();
  const found: Broken[] = await findBroken({
    db: core.db,
    events,
    charges,
    notes: history.notes,
  });
  return found.map(({ area, what }) => `${area}: ${what}`);
};

const expectFound = async (pattern: RegExp): Promise<void> => {
  const found = await look();
  expect(
    found.filter((what) => pattern.test(what)),
    found.join("\n"),
  ).not.toEqual([]);
};

/** Without the constraint behind it, or the bug would only be refused. */
const dropLastDefence = async (): Promise<void> => {
  await core.db.write("drop index hold_seats_one_owner");
  await core.db.write("drop index tickets_one_per_seat");
};

describe("with no bug planted", () => {
  it("nothing is broken after a sale, a refusal, a refund and a lost hold", async () => {
    const sale = await begin();
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map((n) => newBuyer(core, sale, [seat(n)])),
    );
    if (!first || !second || !third) throw new Error("three buyers");
    await Promise.all([pay(core, first, "pm_ok"), pay(core, second, "pm_declined")]);
    await endHoldTime(core, second.hold);
    await pay(core, third, "pm_lost");
    await Promise.all([untilQuiet(core, first), untilQuiet(core, third)]);
    await core.db.call("sweep_holds", [sale.event, 100]);
    await refundOrder(core.ctx, {
      order: first.order,
      key: unique("refund"),
      request: { reason: "asked for" },
    });
    await untilQuiet(core, first);
    expect(await look()).toEqual([]);
  });
});

describe("a planted bug is found", () => {
  it("an update of seats without a condition", async () => {
    const sale = await begin();
    await dropLastDefence();
    await plantInSql(core.db, "hold_seats", ["s.status <> 'available'", "false"]);
    await plantInSql(core.db, "make_hold", [" and s.status = 'available'", ""]);
    for (let n = 0; n < 2; n += 1) await holdSeats(core, sale, { place: unique("plc") }, [seat(1)]);
    await expectFound(/seats: seat A-1-1 is held, its living lines: 2/);
  });

  it("a confirmation that does not look whose hold it is", async () => {
    const sale = await begin();
    await dropLastDefence();
    await core.db.write(
      "alter table purchase_counters drop constraint purchase_counters_held_check",
    );
    await plantInSql(
      core.db,
      "sell_lines",
      [
        /and \(l\.state <> 'live' or s\.status is distinct from 'held' or s\.hold_id <> p_hold\)/g,
        "and false",
      ],
      [
        "s.hold_id = p_hold and s.status = 'held'",
        "s.seat_id in (select l.seat_id from hold_seats l where l.hold_id = p_hold)",
      ],
      [/l\.hold_id = p_hold and l\.state = 'live';\n {2}get/g, "l.hold_id = p_hold;\n  get"],
    );
    const buyer = await newBuyer(core, sale, [seat(1)]);
    await core.control({ webhooks: "off" });
    const paying = pay(core, buyer, "pm_slow");
    await untilSent(buyer);
    await endHoldTime(core, buyer.hold);
    await holdSeats(core, sale, { place: unique("plc") }, [seat(1)]);
    await paying;
    await untilQuiet(core, buyer);
    await expectFound(/seats: seat A-1-1 is sold, its living lines: 2/);
  });

  it("a confirm that is sent again when no answer came", async () => {
    const sale = await begin((real) => ({
      ...real,
      confirm: async (ref, requestId) => {
        const first = await real.confirm(ref, requestId);
        return first.state === "unknown" ? real.confirm(ref, requestId) : first;
      },
    }));
    const buyer = await newBuyer(core, sale, [seat(1)]);
    await pay(core, buyer, "pm_lost");
    await untilQuiet(core, buyer);
    await expectFound(/money: charge \S+ was confirmed 2 times/);
  });

  it("a sweeper that takes back what is just being paid", async () => {
    const sale = await begin();
    await plantInSql(core.db, "sweep_holds", [/and \(h\.paying_until is null.*?\)/g, ""]);
    await plantInSql(core.db, "still_due", [
      "greatest(h.expires_at, h.paying_until)",
      "h.expires_at",
    ]);
    const buyer = await newBuyer(core, sale, [seat(1)]);
    await core.control({ webhooks: "off" });
    const paying = pay(core, buyer, "pm_slow");
    await untilSent(buyer);
    await core.db.write("update holds set expires_at = now() - interval '1 second' where id = $1", [
      buyer.hold,
    ]);
    await core.db.call("sweep_holds", [sale.event, 100]);
    await holdSeats(core, sale, { place: unique("plc") }, [seat(1)]);
    await paying;
    await untilQuiet(core, buyer);
    await expectFound(/seats: hold \S+ was taken back while attempt \S+ was in flight/);
  });

  it("a hold that a stranger can release", async () => {
    const sale = await begin();
    await plantInSql(core.db, "release_hold", [" and h.account = p_account", ""]);
    const hold = await holdSeats(core, sale, { place: "owner" }, [seat(1)]);
    const { result } = await core.db.call<{ result: string }>("release_hold", [
      sale.event,
      hold,
      "stranger",
    ]);
    const outcome = result === "not_found" ? 404 : 204;
    history.note({ who: "stranger", op: "steal", outcome, hold });
    await expectFound(/tokens: steal .* by stranger was answered 204/);
  });

  it("refunds that do not wait for each other", async () => {
    const sale = await begin();
    await plantInSql(
      core.db,
      "create_refund",
      [" for update", ""],
      ["if v_amount <= 0", "perform pg_sleep(0.3); if v_amount <= 0"],
    );
    const buyer = await newBuyer(core, sale, [seat(1)]);
    await pay(core, buyer, "pm_ok");
    const refund = () =>
      refundOrder(core.ctx, {
        order: buyer.order,
        key: unique("refund"),
        // All of it would be refused: its ticket would still be valid.
        request: { amount: buyer.total - 1, reason: "twice" },
      }).catch(() => undefined);
    // Only what is written down counts here: nothing is sent.
    await plantInSql(core.db, "claim_due_refunds", ["r.next_try_at <= sale_clock()", "false"]);
    await Promise.all([refund(), refund()]);
    await expectFound(/money: refunds of attempt \S+ are 24688 of 12345/);
  });

  it("a ticket mail that is sent off before the order is paid", async () => {
    const sale = await begin();
    await core.db.write(
      `create or replace function announce_early() returns trigger language plpgsql as $$
       begin
         insert into outbox (id, event_id, order_id, kind, payload)
           values ('out_early', new.event_id, new.order_id, 'order.paid', '{}');
         return new;
       end $$`,
    );
    await core.db.write(
      `create trigger early after update on payment_attempts for each row
         when (new.state = 'sent' and old.state = 'created') execute function announce_early()`,
    );
    const buyer = await newBuyer(core, sale, [seat(1)]);
    await pay(core, buyer, "pm_declined");
    await untilQuiet(core, buyer);
    await expectFound(/outbox: order \S+ is pending and was announced as paid 1 times/);
  });
});
