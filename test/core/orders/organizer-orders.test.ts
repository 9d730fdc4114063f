import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCore, type TestCore } from "../payments/harness.ts";
import {
  type Buyer,
  newBuyer,
  openSale,
  pay,
  type Sale,
  SEAT_PRICE,
  seat,
  unique,
} from "../payments/sale.ts";

let core: TestCore;
let sale: Sale;
let buyer: Buyer;
let token: string;
beforeAll(async () => {
  core = await startTestCore();
  sale = await openSale(core);
  buyer = await newBuyer(core, sale, [seat(1)]);
  await pay(core, buyer, "pm_ok");
  token = await signIn(core.organizerKey);
});
afterAll(() => core.stop());

async function signIn(key: string): Promise<string> {
  const session = await core.call("POST", "/v1/organizer/sessions", { body: { key } });
  return (JSON.parse(session.text) as { token: string }).token;
}

const refund = (body: unknown, headers: Record<string, string> = {}) =>
  core.call("POST", `/v1/organizer/orders/${buyer.order}/refunds`, {
    body,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

describe("an organizer", () => {
  it("refunds with a key of the act, which repeated is the same refund, and it is audited", async () => {
    const key = unique("act");
    const body = { amount: 45, reason: "goodwill" };
    const first = await refund(body, { "idempotency-key": key });
    expect(first.status).toBe(201);
    expect(JSON.parse(first.text)).toMatchObject({ state: "succeeded", amount: { amount: 45 } });
    expect((await refund(body, { "idempotency-key": key })).text).toBe(first.text);
    const other = await refund({ ...body, amount: 46 }, { "idempotency-key": key });
    expect(other.body["code"]).toBe("idempotency_key_reused");
    const audit = await core.db.read("select action, target from audit_log where target = $1", [
      buyer.order,
    ]);
    expect(audit).toEqual([{ action: "order.refund", target: buyer.order }]);
  });

  it("hears why a refund is refused", async () => {
    const cases: [unknown, Record<string, string>, number, string][] = [
      [{ amount: 1, reason: "r" }, {}, 422, "idempotency_key_required"],
      [{ amount: 1 }, { "idempotency-key": unique("act") }, 422, "invalid_request"],
      [
        { amount: SEAT_PRICE + 1, reason: "r" },
        { "idempotency-key": unique("act") },
        422,
        "refund_exceeds_captured",
      ],
      [
        { tickets: ["tkt_none"], reason: "r" },
        { "idempotency-key": unique("act") },
        409,
        "refund_not_possible",
      ],
    ];
    for (const [body, headers, status, code] of cases) {
      expect((await refund(body, headers)).body).toMatchObject({ status, code });
    }
  });

  it("finds orders of the event, and nobody else does", async () => {
    const list = (headers: Record<string, string>) =>
      core.call("GET", `/v1/organizer/orders?event=${sale.event}&state=part_refunded`, { headers });
    const found = await list({ authorization: `Bearer ${token}` });
    expect(found.status).toBe(200);
    expect(JSON.parse(found.text)).toMatchObject({ orders: [{ id: buyer.order }] });
    expect((await list({})).status).toBe(401);
    expect((await list({ authorization: `Order ${buyer.token}` })).status).toBe(401);
    expect((await list({ authorization: `Bearer ${buyer.token}` })).status).toBe(401);
    const made = await core.call("POST", "/v1/organizer/keys", {
      body: { name: "other", role: "operator", events: ["another-event"] },
      headers: { authorization: `Bearer ${token}` },
    });
    const stranger = await signIn((JSON.parse(made.text) as { key: string }).key);
    const headers = { authorization: `Bearer ${stranger}` };
    expect((await list(headers)).status).toBe(403);
    const one = await core.call("GET", `/v1/organizer/orders/${buyer.order}`, { headers });
    expect(one.status).toBe(403);
    const none = await core.call("GET", "/v1/organizer/orders/ord_none", { headers });
    expect(none.status).toBe(403);
  });
});
