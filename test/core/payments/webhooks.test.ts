import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCore, type TestCore, webhook } from "./harness.ts";
import { newBuyer, openSale, pay, readOrder, type Sale, seat, unique } from "./sale.ts";

let core: TestCore;
let sale: Sale;
let nextSeat = 0;
beforeAll(async () => {
  core = await startTestCore();
  await core.control({ webhooks: "off" });
  sale = await openSale(core);
});
afterAll(() => core.stop());

const buyerOfOne = () => {
  nextSeat += 1;
  return newBuyer(core, sale, [seat(nextSeat)]);
};

const rowsOf = (id: string) =>
  core.db.read("select state, result from webhook_events where provider_event_id = $1", [id]);

describe("a webhook", () => {
  it("that is forged, too old, from the future or changed on the way is refused and not stored", async () => {
    const id = unique("evt");
    const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const early = new Date(Date.now() - 330_000);
    const late = new Date(Date.now() + 330_000);
    const data = { id: "ch_1", state: "succeeded", amount: 1, currency: "TRY" };
    for (const more of [
      { secrets: [other] },
      { secrets: [] },
      { at: early },
      { at: late },
      { body: JSON.stringify({ type: "charge.succeeded", data: { ...data, amount: 2 } }) },
    ]) {
      const answer = await webhook(core, "charge.succeeded", data, { id, ...more });
      expect(answer.body).toMatchObject({ status: 400, code: "webhook_invalid" });
    }
    expect(await rowsOf(id)).toEqual([]);
  });

  it("with several signatures, as in a rotation of secrets, is good if one of them is", async () => {
    const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const answer = await webhook(
      core,
      "something.else",
      {},
      { secrets: [other, core.webhookSecret] },
    );
    expect(answer.status).toBe(200);
  });

  it("of a kind that changes nothing of ours is stored and ignored", async () => {
    const id = unique("evt");
    expect((await webhook(core, "payout.paid", { any: 1 }, { id })).status).toBe(200);
    expect(await rowsOf(id)).toEqual([{ state: "ignored", result: null }]);
  });

  it("that comes again has its effect once, also when both come at the same time", async () => {
    const buyer = await buyerOfOne();
    await pay(core, buyer, "pm_lost");
    const [charge] = await core.chargesOf(buyer.order);
    const id = unique("evt");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => webhook(core, "charge.succeeded", charge, { id })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(await rowsOf(id)).toEqual([{ state: "applied", result: "succeeded" }]);
    const order = await readOrder(core, buyer);
    expect(order["state"]).toBe("paid");
    expect(order["tickets"]).toHaveLength(1);
  });

  it("about a charge we do not know is kept for later and answered 202", async () => {
    const id = unique("evt");
    const data = { id: "ch_of_tomorrow", state: "succeeded", amount: 5, currency: "TRY" };
    expect((await webhook(core, "charge.succeeded", data, { id })).status).toBe(202);
    expect(await rowsOf(id)).toEqual([{ state: "parked", result: null }]);
    await core.runJobs();
    expect(await rowsOf(id)).toEqual([{ state: "parked", result: null }]);
  });

  it("parked for a charge that is known by now is taken up by the job", async () => {
    const buyer = await buyerOfOne();
    await pay(core, buyer, "pm_lost");
    const [charge] = await core.chargesOf(buyer.order);
    const id = unique("evt");
    // As a crash between two of its pieces cannot leave it, and an older version might.
    await core.db.write(
      `insert into webhook_events (provider, provider_event_id, type, provider_ref, payload, state)
        values ('simulator', $1, 'charge.succeeded', $2, $3, 'parked')`,
      [
        id,
        charge?.id ?? "",
        { outcome: "charge_succeeded", amount: charge?.amount ?? 0, currency: "TRY" },
      ],
    );
    await core.runJobs();
    expect(await rowsOf(id)).toMatchObject([{ state: "applied" }]);
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
  });

  it("that fails half-way leaves no row, and has its effect when it comes again", async () => {
    const buyer = await buyerOfOne();
    await pay(core, buyer, "pm_lost");
    const [charge] = await core.chargesOf(buyer.order);
    const id = unique("evt");
    await core.db.write(
      `create function fail_once() returns trigger language plpgsql as
        $$ begin raise exception 'half-way'; end $$`,
    );
    await core.db.write(
      `create trigger fail_once before update on payment_attempts for each row
        when (new.state = 'succeeded') execute function fail_once()`,
    );
    expect((await webhook(core, "charge.succeeded", charge, { id })).status).toBe(500);
    expect(await rowsOf(id)).toEqual([]);
    await core.db.write("drop trigger fail_once on payment_attempts");
    expect((await webhook(core, "charge.succeeded", charge, { id })).status).toBe(200);
    expect((await readOrder(core, buyer))["state"]).toBe("paid");
  });

  it("bigger than allowed, or for another provider, is refused", async () => {
    const big = await webhook(core, "charge.succeeded", { text: "x".repeat(70_000) });
    expect(big.status).toBe(413);
    const other = await core.call("POST", "/v1/webhooks/stripe", { body: {} });
    expect(other.status).toBe(404);
  });
});
