// Causes are counted, and what an operator may name in one act.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIncidents } from "../../../core/payments/incidents.ts";
import { startTestCore, type TestCore, webhook } from "./harness.ts";
import { asBuyer, newBuyer, openSale, pay, readOrder, seat, unique, untilQuiet } from "./sale.ts";

let core: TestCore;
let headers: Record<string, string>;
beforeAll(async () => {
  core = await startTestCore();
  await core.control({ webhooks: "off" });
  const { text } = await core.call("POST", "/v1/organizer/sessions", {
    body: { key: core.organizerKey },
  });
  headers = { authorization: `Bearer ${JSON.parse(text).token}` };
});
afterAll(() => core.stop());

const causes = async () =>
  JSON.parse((await core.call("GET", "/v1/organizer/payments/causes", { headers })).text);
const incident = (body: unknown, key = unique("incident")) =>
  core.call("POST", "/v1/organizer/incidents", {
    body,
    headers: { ...headers, "idempotency-key": key },
  });

describe("what a page tells", () => {
  it("is kept for its own order, small and bounded", async () => {
    const sale = await openSale(core);
    const [buyer, stranger] = [
      await newBuyer(core, sale, [seat(1)]),
      await newBuyer(core, sale, [seat(2)]),
    ];
    const path = `/v1/orders/${buyer.order}/page-events`;
    const tell = (events: unknown[], who = buyer) =>
      core.call("POST", path, { body: { events }, headers: asBuyer(who) });
    expect((await tell([{ kind: "pressed" }], stranger)).status).toBe(404);
    expect((await tell([{ kind: "invented" }])).status).toBe(422);
    expect((await tell(Array.from({ length: 21 }, () => ({ kind: "pressed" })))).status).toBe(422);
    for (let n = 0; n < 15; n += 1)
      await tell(Array.from({ length: 20 }, () => ({ kind: "pressed_again" })));
    const [row] = await core.db.read<{ n: number }>(
      "select count(*) as n from page_events where order_id = $1",
      [buyer.order],
    );
    expect(row?.n).toBeLessThanOrEqual(200);
  });
});

describe("the report of causes", () => {
  it("tells doubles by origin and by how the attempt before had ended, unknowns by cause", async () => {
    const sale = await openSale(core);
    const buyer = await newBuyer(core, sale, [seat(1)]);
    await core.call("POST", `/v1/orders/${buyer.order}/page-events`, {
      body: { events: [{ kind: "pressed" }, { kind: "pressed_again" }] },
      headers: asBuyer(buyer),
    });
    await pay(core, buyer, "pm_declined");
    await pay(core, buyer, "pm_ok", unique("key"), { origin: "retry_after_error" });
    // The declined one turns out to have been charged after all.
    const [first] = await core.chargesOf(buyer.order);
    await webhook(core, "charge.succeeded", { ...first, state: "succeeded" });
    const [lost, slow] = [
      await newBuyer(core, sale, [seat(2)]),
      await newBuyer(core, sale, [seat(3)]),
    ];
    await pay(core, lost, "pm_lost", unique("key"), { origin: "resume" });
    await pay(core, slow, "pm_slow");
    await untilQuiet(core, lost);
    await untilQuiet(core, slow);
    const report = await causes();
    expect(report.doubles).toEqual([
      {
        origin: "retry_after_error",
        before: "succeeded",
        count: 1,
        pressedAgain: 1,
        resumed: 0,
      },
    ]);
    expect(report.unknowns).toEqual(
      expect.arrayContaining([
        { cause: "connection_lost", origin: "resume", ended: "succeeded", count: 1 },
        { cause: "timeout", origin: "press", ended: "succeeded", count: 1 },
      ]),
    );
    expect(report.pages).toMatchObject({ pressed: 1 });
    expect(report.attempts).toMatchObject({ resume: 1, retry_after_error: 1 });
  });
});

describe("an incident", () => {
  it("refuses a charge that is none of ours, and then refunds nothing", async () => {
    const buyer = await newBuyer(core, await openSale(core), [seat(1)]);
    await pay(core, buyer, "pm_ok");
    const [charge] = await core.chargesOf(buyer.order);
    const answer = await incident({ charges: [charge?.id, "ch_stranger"], reason: "twice" });
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    await runIncidents(core.ctx);
    await core.runJobs();
    expect((await readOrder(core, buyer)).state).toBe("paid");
  });

  it("is one act: its key again with other charges is refused, without a role forbidden", async () => {
    const sale = await openSale(core);
    const [one, two] = [
      await newBuyer(core, sale, [seat(1)]),
      await newBuyer(core, sale, [seat(2)]),
    ];
    await pay(core, one, "pm_ok");
    await pay(core, two, "pm_ok");
    const charges = await core.charges();
    const refOf = (order: string) => charges.find(({ reference }) => reference === order)?.id;
    const key = unique("incident");
    const body = { charges: [refOf(one.order)], reason: "twice" };
    expect((await incident(body, key)).status).toBe(202);
    const other = { ...body, charges: [refOf(two.order)] };
    expect((await incident(other, key)).body.code).toBe("idempotency_key_reused");
    expect((await core.call("POST", "/v1/organizer/incidents", { body })).status).toBe(401);
    await runIncidents(core.ctx);
    await core.runJobs();
    // The charge that paid the order: with the money go the tickets.
    expect(await readOrder(core, one)).toMatchObject({
      state: "refunded",
      tickets: [{ state: "void" }],
    });
    expect((await readOrder(core, two)).state).toBe("paid");
  });
});
