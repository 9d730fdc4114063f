import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Figures } from "../../edge/room/messages.ts";
import { makeProof } from "../../tools/crowd/session-key.ts";
import { createOpenEvent } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { createDatabase, type TestDatabase } from "../support/postgres.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "../support/tcp-proxy.ts";
import { until } from "./stand.ts";

let database: TestDatabase;
let proxy: TcpProxy;
let sira: Sira;
beforeAll(async () => {
  database = await createDatabase();
  const { hostname, port } = new URL(database.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  sira = await startSira({ coreEnv: { DATABASE_URL: throughProxy(database.url, proxy) } });
});
afterAll(async () => {
  await sira.stop();
  await proxy.close();
  await database.drop();
});

let session = "";

async function figuresOf(event: string): Promise<Figures> {
  if (session === "") {
    const opened = await request<{ token: string }>("POST", `${sira.core}/v1/organizer/sessions`, {
      body: { key: sira.organizerKey },
    });
    session = opened.body.token;
  }
  const { body } = await request<Figures>("GET", `${sira.edge}/api/rooms/${event}/figures`, {
    headers: { authorization: `Bearer ${session}` },
  });
  return body;
}

test("with the real database slow the measured rate falls within ten seconds, is seen in the figures, and comes back", {
  timeout: 120_000,
}, async () => {
  const { event } = await createOpenEvent(sira, {
    room: { ratePerMinute: 600, pace: "measured", activeMax: 500 },
  });
  const rate = async () => (await figuresOf(event)).effectivePerMinute;
  // People who look at seats: what the core measures its own speed by.
  let browsing = true;
  const browse = async () => {
    while (browsing) {
      await request("GET", `${sira.core}/v1/events/${event}`).catch(() => undefined);
      await sleep(50);
    }
  };
  const browsers = Promise.all(Array.from({ length: 4 }, browse));
  await until(async () => {
    const figures = await figuresOf(event);
    return figures.seats !== undefined && figures.effectivePerMinute === 600;
  }, 500);
  proxy.delay(700);
  const slowAt = Date.now();
  const fallen = await until(async () => {
    const seen = await rate();
    return (seen <= 300 || Date.now() - slowAt > 10_000) && seen;
  }, 250);
  const fellAfterMs = Date.now() - slowAt;
  proxy.delay(0);
  const wellAt = Date.now();
  await until(async () => (await rate()) === 600, 500);
  console.log(
    `the rate fell from 600 to ${fallen} a minute after ${fellAfterMs} ms, and was back ${Date.now() - wellAt} ms after the database was`,
  );
  expect(fallen).toBeLessThanOrEqual(300);
  browsing = false;
  await browsers;
});

test("the core lengthens the slot of whoever pays, frees it at once when the order is paid, and refuses the admission from then on", async () => {
  const { event } = await createOpenEvent(sira, { room: { sessionMs: 120_000 } });
  const redis = new Redis(sira.services.redisUrl);
  const inside = `room:{${event}}:1:inside`;
  const fan = await joinQueue(sira, event);
  await fan.admit();
  const place = fan.joined.place.id;
  const endBefore = Number(await redis.zscore(inside, place));
  const hold = await fan.callCore<{ id: string }>("POST", `/v1/events/${event}/holds`, {
    body: { seats: ["A-1-1"] },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  const order = await fan.callCore<{ id: string; orderToken: string }>("POST", "/v1/orders", {
    body: { holdId: hold.body.id, buyer: { email: "fan@example.org", name: "A Fan" } },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  const pay = (method: string) =>
    request("POST", `${sira.core}/v1/orders/${order.body.id}/attempts`, {
      body: { method, origin: "press" },
      headers: {
        authorization: `Order ${order.body.orderToken}`,
        "idempotency-key": crypto.randomUUID(),
      },
    });
  expect((await pay("pm_declined")).status).toBe(402);
  await until(async () => Number(await redis.zscore(inside, place)) > endBefore + 600_000);
  expect((await pay("pm_ok")).status).toBe(201);
  await until(async () => (await redis.zscore(inside, place)) === null);
  const again = await fan.callCore("POST", `/v1/events/${event}/holds`, {
    body: { seats: ["A-1-2"] },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  expect([again.status, again.body["code"]]).toEqual([401, "admission_closed"]);
  expect((await fan.turn()).status).toBe(410);
  redis.disconnect();
});

test("whoever leaves the line from inside is refused by the core, and the slot goes to the next", async () => {
  const { event } = await createOpenEvent(sira, { room: { activeMax: 1 } });
  const first = await joinQueue(sira, event);
  const admission = await first.admit();
  const second = await joinQueue(sira, event);
  const url = `${sira.edge}/api/queue/${event}/place`;
  const left = await request("DELETE", url, {
    headers: {
      authorization: `Place ${first.joined.token}`,
      dpop: makeProof(first.key, { method: "DELETE", url, token: first.joined.token }),
    },
  });
  expect([left.status, admission.type]).toEqual([204, "DPoP"]);
  const held = await first.callCore("POST", `/v1/events/${event}/holds`, {
    body: { seats: ["A-1-1"] },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  expect([held.status, held.body["code"]]).toEqual([401, "admission_closed"]);
  expect((await first.turn()).status).toBe(410);
  await second.admit();
});
