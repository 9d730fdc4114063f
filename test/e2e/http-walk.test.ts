// One fan's walk by HTTP alone: queue, admission, hold, order, payment, tickets.
import { randomUUID } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HoldView } from "../../shared/contract/holds.ts";
import type { AttemptView, OrderView, TicketView } from "../../shared/contract/orders.ts";
import { createOpenEvent } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";

let sira: Sira;
let event = "";
const buyer = { email: "fan@example.org", name: "A Fan" };

beforeAll(async () => {
  sira = await startSira();
  ({ event } = await createOpenEvent(sira));
});
afterAll(() => sira?.stop());

describe("one fan's walk by HTTP", () => {
  test("from the queue to the tickets", async () => {
    const fan = await joinQueue(sira, event);
    expect(fan.joined.place).toMatchObject({ event, number: expect.any(Number) });
    const admission = await fan.admit();
    expect(admission.type).toBe("DPoP");
    expect(decodeProtectedHeader(admission.token)).toMatchObject({
      alg: "ES256",
      typ: "admission+jwt",
    });

    const seats = ["A-1-1", "A-1-2"];
    const hold = await fan.callCore<HoldView>("POST", `/v1/events/${event}/holds`, {
      body: { seats },
      headers: { "idempotency-key": randomUUID() },
    });
    expect(hold.status, hold.text).toBe(201);
    expect(hold.body.seats.map(({ id }) => id).sort()).toEqual(seats);

    const order = await fan.callCore<OrderView & { orderToken: string }>("POST", "/v1/orders", {
      body: { holdId: hold.body.id, buyer },
      headers: { "idempotency-key": randomUUID() },
    });
    expect(order.status, order.text).toBe(201);
    expect(order.body).toMatchObject({ event, state: "pending", hold: hold.body.id });

    const authorization = `Order ${order.body.orderToken}`;
    const orderUrl = `${sira.core}/v1/orders/${order.body.id}`;
    const attempt = await request<AttemptView>("POST", `${orderUrl}/attempts`, {
      body: { method: "pm_ok", origin: "press" },
      headers: { authorization, "idempotency-key": randomUUID() },
    });
    expect(attempt.status, attempt.text).toBe(201);

    const paid = await request<OrderView>("GET", orderUrl, { headers: { authorization } });
    expect(paid.body.state, paid.text).toBe("paid");
    const { body } = await request<{ tickets: TicketView[] }>("GET", `${orderUrl}/tickets`, {
      headers: { authorization },
    });
    expect(body.tickets.map(({ seat }) => seat).sort()).toEqual(seats);
    expect(body.tickets.every(({ state, code }) => state === "valid" && code !== "")).toBe(true);

    const ledger = await request<{
      charges: { reference: string; amount: number; state: string }[];
    }>("GET", `${sira.psp}/_charges`);
    const charges = ledger.body.charges.filter(({ reference }) => reference === order.body.id);
    expect(charges).toMatchObject([{ state: "succeeded", amount: order.body.total.amount }]);
  });

  test("two people at one seat: exactly one gets it, the other hears which", async () => {
    const fans = await Promise.all([joinQueue(sira, event), joinQueue(sira, event)]);
    await Promise.all(fans.map((fan) => fan.admit()));
    const answers = await Promise.all(
      fans.map((fan) =>
        fan.callCore("POST", `/v1/events/${event}/holds`, {
          body: { seats: ["A-2-5"] },
          headers: { "idempotency-key": randomUUID() },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: "seats_unavailable", unavailable: ["A-2-5"] });
    expect(refused?.headers.get("content-type")).toContain("application/problem+json");
  });

  test("a room without binding admits by bearer token", async () => {
    const open = await createOpenEvent(sira, { room: { binding: "none" } });
    const fan = await joinQueue(sira, open.event, { bound: false });
    expect((await fan.admit()).type).toBe("Bearer");
    const hold = await fan.callCore("POST", `/v1/events/${open.event}/holds`, {
      body: { zone: "floor", quantity: 2 },
      headers: { "idempotency-key": randomUUID() },
    });
    expect(hold.status, hold.text).toBe(201);
  });
});
