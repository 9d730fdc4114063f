import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLoad } from "../../../core/http/load.ts";
import type { OutboxEvent } from "../../../core/jobs/registry.ts";
import { jobCtx, startJobs } from "../../../core/jobs/schedule.ts";
import {
  DELIVERY_TRIES_MAX,
  webhookDelivery,
  webhookFanOut,
} from "../../../core/webhooks/handlers.ts";
import { openSecret, sealSecret } from "../../../core/webhooks/secret.ts";
import { waitFor } from "../../support/wait-for.ts";
import { age } from "../holds/inventory.ts";
import { type House, openHouse } from "../house.ts";
import { makeEvent, sellSeats } from "../sold.ts";

type Heard = { headers: Record<string, string>; body: string };
let house: House;
let owner: string;
let receiver: Server;
let url: string;
let heard: Heard[] = [];
let status = 204;

beforeAll(async () => {
  house = await openHouse({ env: { OUTBOUND_LOCAL: "true" } });
  owner = await house.organizerToken();
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      heard.push({ headers, body: Buffer.concat(chunks).toString() });
      response.statusCode = status;
      response.end("a body that nobody is shown");
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  receiver.listen(0, "127.0.0.1", resolve);
  await promise;
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await house.close();
});
beforeEach(() => {
  heard = [];
  status = 204;
});

const ask = (method: string, path: string, body?: unknown) =>
  house.request(method, `/v1/organizer/events/${path}`, {
    headers: { authorization: `Bearer ${owner}` },
    ...(body === undefined ? {} : { body }),
  });

async function subscribe(
  body: object = {},
): Promise<{ event: string; id: string; secret: string }> {
  const event = await makeEvent(house);
  const made = await ask("POST", `${event}/webhooks`, { url, ...body });
  expect(made.status).toBe(201);
  return { event, id: String(made.body["id"]), secret: String(made.body["secret"]) };
}

const happened = (event: string, kind = "order.paid"): OutboxEvent => ({
  id: `out_${randomUUID()}`,
  kind,
  event,
  order: "ord_1",
  payload: { order: "ord_1", event, place: "plc_secret", jti: "secret", amount: 500 },
});
const ctx = () => jobCtx(house.deps, "test", "req_test");
const fanOut = (event: OutboxEvent) => webhookFanOut.handle(ctx(), event);

/** What the relay would hand over next for this event of the sale. */
async function deliver(event: string): Promise<void> {
  const rows = await house.deps.db.write<{ payload: Record<string, unknown> }>(
    `delete from outbox where event_id = $1 and kind = 'webhook.deliver' returning payload`,
    [event],
  );
  for (const { payload } of rows) await again(payload);
}
const again = (payload: Record<string, unknown>) =>
  webhookDelivery.handle(ctx(), { id: "out_x", kind: "webhook.deliver", payload });
const deliveries = async (event: string, query = "") =>
  (await ask("GET", `${event}/webhooks/deliveries${query}`)).body["deliveries"] as Record<
    string,
    unknown
  >[];

describe("a webhook", () => {
  it("is signed so that a Standard Webhooks library accepts it, and names no person", async () => {
    const { event, secret } = await subscribe();
    await fanOut(happened(event));
    await deliver(event);
    const [one] = heard;
    const told = new Webhook(secret).verify(one?.body ?? "", one?.headers ?? {});
    expect(told).toMatchObject({
      type: "order.paid",
      data: { event, order: "ord_1", amount: 500 },
    });
    expect(one?.body).not.toContain("secret");
    expect(() =>
      new Webhook(`whsec_${Buffer.from("another").toString("base64")}`).verify(
        one?.body ?? "",
        one?.headers ?? {},
      ),
    ).toThrow();
    expect(await deliveries(event)).toMatchObject([
      { state: "delivered", tries: 1, lastStatus: 204 },
    ]);
  });

  it("tells of a hold whose time is over, once, with its units and without its holder", async () => {
    const { event, secret } = await subscribe({ kinds: ["hold.expired"] });
    const { db, ids } = house.deps;
    const id = ids.newId("hold");
    const who = { place: "plc_secret", account: "plc_secret", gen: 0, iat: Date.now() };
    await db.call("hold_seats", [event, id, who, ["A-1-1", "A-1-2"]]);
    await age(db, event, id);
    await db.call("sweep_holds", [event, 10]);
    const [row] = await db.write<OutboxEvent>(
      `delete from outbox where event_id = $1 and kind = 'hold.expired'
       returning id, kind, event_id as event, payload`,
      [event],
    );
    if (!row) throw new Error("the sweep wrote a row");
    for (let times = 0; times < 2; times += 1) await fanOut(row);
    await deliver(event);
    expect(heard).toHaveLength(1);
    const [one] = heard;
    const told = new Webhook(secret).verify(one?.body ?? "", one?.headers ?? {});
    expect(told).toMatchObject({
      type: "hold.expired",
      data: { event, hold: id, seats: ["A-1-1", "A-1-2"], zones: [] },
    });
    expect(one?.body).not.toContain("secret");
  });

  it("is heard once, however often its event is relayed", async () => {
    const { event } = await subscribe();
    const same = happened(event);
    await fanOut(same);
    await fanOut(same);
    await deliver(event);
    expect(heard).toHaveLength(1);
  });

  it("is told only the kinds and the event it asked for", async () => {
    const { event } = await subscribe({ kinds: ["order.refunded"] });
    await fanOut(happened(event));
    await fanOut(happened("another-event", "refund.succeeded"));
    await fanOut(happened(event, "refund.succeeded"));
    await deliver(event);
    expect(heard.map(({ body }) => JSON.parse(body).type)).toEqual(["order.refunded"]);
  });

  it("is tried again with the same id, is dead in the end, and can be sent again", async () => {
    const { event } = await subscribe();
    status = 500;
    await fanOut(happened(event));
    await expect(deliver(event)).rejects.toThrow("500");
    const [waiting] = await deliveries(event);
    expect(waiting).toMatchObject({ state: "waiting", tries: 1, lastStatus: 500 });
    const payload = { delivery: String(waiting?.["id"]) };
    for (let tries = 2; tries < DELIVERY_TRIES_MAX; tries += 1)
      await expect(again(payload)).rejects.toThrow();
    await again(payload);
    const [dead] = await deliveries(event, "?state=dead");
    expect(dead).toMatchObject({ state: "dead", tries: DELIVERY_TRIES_MAX });
    expect(JSON.stringify(dead)).not.toContain("nobody is shown");
    await again(payload);
    expect(heard).toHaveLength(DELIVERY_TRIES_MAX);
    expect(new Set(heard.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

    status = 200;
    const path = `${event}/webhooks/deliveries/${payload.delivery}/resend`;
    expect((await ask("POST", path)).status).toBe(202);
    expect((await ask("POST", path)).status).toBe(404);
    await deliver(event);
    expect(await deliveries(event)).toMatchObject([{ state: "delivered", tries: 1 }]);
  });

  it("that answers 410 is asked no more", async () => {
    const { event } = await subscribe();
    status = 410;
    await fanOut(happened(event));
    await deliver(event);
    await fanOut(happened(event));
    expect(heard).toHaveLength(1);
    expect((await ask("GET", `${event}/webhooks`)).body["webhooks"]).toMatchObject([
      { state: "disabled" },
    ]);
  });

  it("whose address is not the open internet is refused when it is set", async () => {
    const event = await makeEvent(house);
    for (const bad of [
      "http://example.com/",
      "https://10.0.0.1/",
      "https://u:p@example.com/",
      "x",
    ]) {
      const reply = await ask("POST", `${event}/webhooks`, { url: bad });
      expect([reply.status, reply.body["code"]]).toEqual([422, "invalid_request"]);
    }
    const unknown = await ask("POST", "no-such-event/webhooks", { url });
    expect(unknown.body["code"]).toBe("unknown_event");
  });

  it("goes with its deliveries, and each act is in the audit log", async () => {
    const { event, id } = await subscribe();
    await fanOut(happened(event));
    expect((await ask("DELETE", `${event}/webhooks/${id}`)).status).toBe(204);
    expect((await ask("DELETE", `${event}/webhooks/${id}`)).status).toBe(404);
    await deliver(event);
    expect(heard).toEqual([]);
    const audit = await house.request("GET", `/v1/organizer/audit?event=${event}`, {
      headers: { authorization: `Bearer ${owner}` },
    });
    const actions = (audit.body["lines"] as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(["webhook_deleted", "webhook_created"]);
  });

  it("arrives by itself from the running core", async () => {
    const { event } = await subscribe();
    const jobs = startJobs(house.deps, createLoad());
    try {
      await sellSeats(house, { event });
      await waitFor(() => heard.length > 0);
    } finally {
      await jobs.stop();
    }
    expect(JSON.parse(heard[0]?.body ?? "{}")).toMatchObject({
      type: "order.paid",
      data: { event },
    });
  });
});

it("a secret is sealed to its endpoint and to this deployment", () => {
  const key = new Uint8Array(32).fill(1);
  const sealed = sealSecret(key, "wh_1", "whsec_x");
  expect(sealed).not.toContain("whsec");
  expect(openSecret(key, "wh_1", sealed)).toBe("whsec_x");
  expect(() => openSecret(key, "wh_2", sealed)).toThrow();
  expect(() => openSecret(new Uint8Array(32).fill(2), "wh_1", sealed)).toThrow();
});
