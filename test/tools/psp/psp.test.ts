import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Psp, startPsp } from "../../../tools/psp/server.ts";

const SECRET = "sk_test";
const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const TIME_SCALE = 0.01;

type Received = { id: string; type: string; reference: string };
const received: Received[] = [];
const receiver = createServer((req, res) => {
  let body = "";
  req.on("data", (part) => {
    body += part;
  });
  req.on("end", () => {
    const verified = new Webhook(WEBHOOK_SECRET).verify(body, {
      "webhook-id": String(req.headers["webhook-id"]),
      "webhook-timestamp": String(req.headers["webhook-timestamp"]),
      "webhook-signature": String(req.headers["webhook-signature"]),
    });
    const event = verified as { type: string; data: { reference: string } };
    received.push({
      id: String(req.headers["webhook-id"]),
      type: event.type,
      reference: event.data.reference,
    });
    res.writeHead(204).end();
  });
});
let psp: Psp;

beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  const { port } = receiver.address() as AddressInfo;
  psp = await startPsp({
    port: 0,
    coreOrigin: `http://127.0.0.1:${port}`,
    secret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
    timeScale: TIME_SCALE,
  });
});
afterAll(async () => {
  await psp.stop();
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});

async function call(method: string, path: string, body?: unknown, key?: string) {
  const reply = await fetch(psp.origin + path, {
    method,
    headers: {
      authorization: `Bearer ${SECRET}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(2_000),
  });
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

let serial = 0;
async function create(method: string, amount = 12_345, currency = "TRY") {
  serial += 1;
  const reference = `ord_${serial}`;
  const input = { reference, attempt: `att_${serial}`, amount, currency, method };
  const made = await call("POST", "/v1/charges", input, `key_${serial}`);
  expect(made.status).toBe(201);
  return { id: made.body.id as string, reference, input, key: `key_${serial}` };
}
const confirm = (id: string) => call("POST", `/v1/charges/${id}/confirm`);
const inquire = (id: string) => call("GET", `/v1/charges/${id}`);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const charge = async (id: string) =>
  (await call("GET", "/_charges")).body.charges.find((one: { id: string }) => one.id === id);
async function hooks(reference: string, count: number): Promise<Received[]> {
  for (;;) {
    const mine = received.filter((one) => one.reference === reference);
    if (mine.length >= count) return mine;
    await pause(5);
  }
}

describe("the payment simulator", () => {
  it("charges once, says so, and sends one signed webhook", async () => {
    const { id, reference } = await create("pm_ok", 500, "JPY");
    expect((await inquire(id)).body.state).toBe("created");
    expect(await confirm(id)).toMatchObject({ status: 200, body: { state: "succeeded" } });
    expect(await hooks(reference, 1)).toMatchObject([{ type: "charge.succeeded" }]);
    expect(await charge(id)).toMatchObject({
      reference,
      amount: 500,
      currency: "JPY",
      refunded: 0,
      calls: { create: 1, confirm: 1, inquire: 1, cancel: 0 },
    });
  });

  it("makes one charge per idempotency key and refuses another body under it", async () => {
    const { id, input, key } = await create("pm_ok");
    expect(await call("POST", "/v1/charges", input, key)).toMatchObject({
      status: 200,
      body: { id },
    });
    const other = { ...input, amount: 1 };
    expect((await call("POST", "/v1/charges", other, key)).status).toBe(422);
  });

  it("refuses a caller without the secret, and a method it does not know", async () => {
    expect((await fetch(`${psp.origin}/v1/charges`, { method: "POST" })).status).toBe(401);
    const body = { reference: "o", attempt: "a", amount: 1, currency: "TRY", method: "pm_no" };
    expect((await call("POST", "/v1/charges", body, "key_no")).status).toBe(422);
  });

  it("declines, and keeps declining, with a reason", async () => {
    const { id } = await create("pm_declined");
    expect(await confirm(id)).toMatchObject({
      status: 402,
      body: { state: "failed", reason: "card_declined" },
    });
    expect((await inquire(id)).body.state).toBe("failed");
  });

  it("pm_slow has charged long before it answers", async () => {
    const { id } = await create("pm_slow");
    const answer = confirm(id);
    await pause(50);
    expect((await inquire(id)).body.state).toBe("succeeded");
    expect((await answer).status).toBe(200);
  });

  it("pm_late charges late, unless it was cancelled before", async () => {
    const late = await create("pm_late");
    const fenced = await create("pm_late");
    const answers = Promise.all([confirm(late.id), confirm(fenced.id)]);
    await pause(50);
    expect((await inquire(late.id)).body.state).toBe("created");
    expect((await call("POST", `/v1/charges/${fenced.id}/cancel`)).body.state).toBe("cancelled");
    expect((await answers).map((one) => one.status)).toEqual([200, 409]);
    expect((await charge(late.id)).state).toBe("succeeded");
    expect((await charge(fenced.id)).state).toBe("cancelled");
  });

  it("pm_lost charges and drops the connection", async () => {
    const { id } = await create("pm_lost");
    await expect(confirm(id)).rejects.toThrow();
    expect((await inquire(id)).body.state).toBe("succeeded");
    expect((await call("POST", `/v1/charges/${id}/cancel`)).status).toBe(409);
  });

  it("pm_error answers 500 and has not charged", async () => {
    const { id } = await create("pm_error");
    expect((await confirm(id)).status).toBe(500);
    expect((await inquire(id)).body.state).toBe("created");
  });

  it("pm_lagging has charged but hides it from inquiries for a while", async () => {
    const { id } = await create("pm_lagging");
    await expect(confirm(id)).rejects.toThrow();
    expect((await charge(id)).state).toBe("succeeded");
    expect((await inquire(id)).status).toBe(404);
    await pause(60_000 * TIME_SCALE);
    expect((await inquire(id)).body.state).toBe("succeeded");
  });

  it("pm_dup_webhook sends the same event more than once, pm_late_webhook late", async () => {
    const twice = await create("pm_dup_webhook");
    const late = await create("pm_late_webhook");
    await confirm(twice.id);
    await confirm(late.id);
    const copies = await hooks(twice.reference, 3);
    expect(new Set(copies.map((one) => one.id)).size).toBe(1);
    expect(received.filter((one) => one.reference === late.reference)).toEqual([]);
    await hooks(late.reference, 1);
  });

  it("pm_only_webhook never answers the confirm, and the webhook comes", async () => {
    const { id, reference } = await create("pm_only_webhook");
    const answer = confirm(id).catch(() => "no answer");
    expect(await hooks(reference, 1)).toMatchObject([{ type: "charge.succeeded" }]);
    expect(await answer).toBe("no answer");
  });

  it("pm_wrong_amount captures another amount than asked", async () => {
    const { id, input } = await create("pm_wrong_amount");
    expect((await confirm(id)).body.amount).not.toBe(input.amount);
  });

  it("refunds up to what was charged, once per key, and finds a refund by its key", async () => {
    const { id } = await create("pm_ok", 1_000);
    const path = `/v1/charges/${id}/refunds`;
    expect((await call("POST", path, { amount: 1 }, "re_early")).status).toBe(422);
    await confirm(id);
    const first = await call("POST", path, { amount: 600 }, "re_a");
    expect(first).toMatchObject({ status: 201, body: { state: "succeeded", amount: 600 } });
    expect((await call("POST", path, { amount: 600 }, "re_a")).body.id).toBe(first.body.id);
    expect((await call("POST", path, { amount: 401 }, "re_b")).status).toBe(422);
    expect((await call("GET", "/v1/refunds?key=re_a")).body.id).toBe(first.body.id);
    expect((await call("GET", "/v1/refunds?key=re_b")).status).toBe(404);
    expect((await charge(id)).refunded).toBe(600);
    const day = new Date().toISOString().slice(0, 10);
    const file = (await call("GET", `/settlements/${day}.csv`)).body as string;
    const mine = file.split("\n").filter((line) => line.includes(id));
    expect(mine.map((line) => line.split(",")[5])).toEqual(["1000", "-600"]);
  });

  it("does the work and then drops or delays the next answer when told to", async () => {
    const { id } = await create("pm_ok");
    await call("POST", "/_control", { nextDrop: true });
    await expect(confirm(id)).rejects.toThrow();
    await call("POST", "/_control", { nextDelayMs: 5_000 });
    expect((await inquire(id)).body.state).toBe("succeeded");
  });

  it("sends no webhooks, or doubled ones, or in the wrong order, when told to", async () => {
    const [quiet, doubled, a, b] = [
      await create("pm_ok"),
      await create("pm_ok"),
      await create("pm_ok"),
      await create("pm_ok"),
    ];
    await call("POST", "/_control", { webhooks: "off" });
    await confirm(quiet.id);
    await pause(20);
    await call("POST", "/_control", { webhooks: "dup" });
    await confirm(doubled.id);
    await hooks(doubled.reference, 2);
    await call("POST", "/_control", { webhooks: "reorder" });
    await confirm(a.id);
    await confirm(b.id);
    await hooks(a.reference, 1);
    const order = received.filter((one) => [a, b].some((x) => x.reference === one.reference));
    expect(order.map((one) => one.reference)).toEqual([b.reference, a.reference]);
    await call("POST", "/_control", { webhooks: "on" });
    expect(received.some((one) => one.reference === quiet.reference)).toBe(false);
  });
});
