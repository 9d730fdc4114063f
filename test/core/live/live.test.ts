import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../../core/app.ts";
import { type House, openHouse } from "../house.ts";
import { makeEvent } from "../sold.ts";

type Message = { event: string; id: string | undefined; data: Record<string, unknown> };

type Stream = {
  /** The next message, heartbeats left out. */
  next(): Promise<Message>;
  close(): Promise<void>;
};

const EVENT = "live-show";
let house: House;
let other: House;
let cutOff: House;
let servers: { close(): void }[] = [];

beforeAll(async () => {
  house = await openHouse();
  other = await openHouse({ beside: house });
  cutOff = await openHouse({
    beside: house,
    env: { REDIS_LOCKS_URL: "redis://127.0.0.1:9", REDIS_CACHE_URL: "redis://127.0.0.1:9" },
  });
  const authorization = `Bearer ${await house.organizerToken()}`;
  await house.deps.db.write(
    `insert into events (event_id, name, venue, starts_at, sale_opens_at, time_zone, currency,
       per_order_max, per_account_max)
     values ($1, 'n', 'v', now(), now(), 'UTC', 'EUR', 4, 4)`,
    [EVENT],
  );
  await house.deps.db.write(
    "insert into zones (event_id, zone_id, name, kind, price, capacity) values ($1, 'floor', 'f', 'standing', 1, 100)",
    [EVENT],
  );
  await house.deps.db.write(
    "insert into sections (event_id, section_id, name, ordinal) values ($1, 'A', 'A', 1)",
    [EVENT],
  );
  await house.deps.db.write(
    `insert into rows (event_id, section_id, row_id, zone_id, rank, layout, map, free,
       free_accessible, longest, runs)
     values ($1, 'A', '1', 'stalls', 1, 'gggg', 'ffff', 4, 0, 4, 8)`,
    [EVENT],
  );
  expect(authorization).toContain("Bearer");
});
afterAll(async () => {
  for (const server of servers) server.close();
  await cutOff.close();
  await other.close();
  await house.close();
});

/** As a hold does: the row's map and its version move together, then it is announced. */
async function changeRow(map: string, at: House = house): Promise<void> {
  await at.deps.db.write(
    "update rows set map = $2, version = nextval('inventory_version') where event_id = $1",
    [EVENT, map],
  );
  at.deps.live.publish({ event: EVENT });
}

async function readMessages(response: Response): Promise<Stream> {
  const reader = response.body?.getReader();
  if (!reader) throw new Error("a stream has a body");
  const decoder = new TextDecoder();
  let buffered = "";
  return {
    async next() {
      for (;;) {
        const end = buffered.indexOf("\n\n");
        if (end >= 0) {
          const block = buffered.slice(0, end);
          buffered = buffered.slice(end + 2);
          const field = (name: string) =>
            block
              .split("\n")
              .find((line) => line.startsWith(`${name}: `))
              ?.slice(name.length + 2);
          const event = field("event");
          if (event === undefined) continue;
          return { event, id: field("id"), data: JSON.parse(field("data") ?? "{}") };
        }
        const { done, value } = await reader.read();
        if (done) throw new Error("the stream ended");
        buffered += decoder.decode(value, { stream: true });
      }
    },
    close: () => reader.cancel(),
  };
}

async function openStream(at: House, lastEventId?: string): Promise<Stream> {
  const fan = await at.shopper(EVENT);
  const path = `/v1/events/${EVENT}/stream`;
  const request = new Request(`http://core.test${path}`, {
    headers: {
      ...fan.headers("GET", path),
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
  });
  const response = await createApp(at.deps).fetch(request);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return readMessages(response);
}

describe("the stream", () => {
  test("says which version it starts from, then what changes", async () => {
    const stream = await openStream(house);
    const first = await stream.next();
    expect(first.event).toBe("snapshot");
    await changeRow("fhff");
    const delta = await stream.next();
    expect(delta.event).toBe("delta");
    expect(delta.data).toMatchObject({
      event: EVENT,
      rows: [{ section: "A", row: "1", status: "ahaa" }],
      zones: [],
    });
    expect(Number(delta.id)).toBeGreaterThan(Number(first.id));
    await stream.close();
  });

  test("hears of a change made at another process", async () => {
    const stream = await openStream(house);
    await stream.next();
    await changeRow("fhhf", other);
    expect((await stream.next()).data["rows"]).toEqual([
      { section: "A", row: "1", status: "ahha" },
    ]);
    await stream.close();
  });

  test("without Redis still hears of it, by looking", async () => {
    const stream = await openStream(cutOff);
    await stream.next();
    await changeRow("hhhf", other);
    expect((await stream.next()).data["rows"]).toEqual([
      { section: "A", row: "1", status: "hhha" },
    ]);
    await stream.close();
  });

  test("tells what standing zones have left", async () => {
    const stream = await openStream(house);
    await stream.next();
    await house.deps.db.write(
      "update zones set held = 7, version = nextval('inventory_version') where event_id = $1",
      [EVENT],
    );
    house.deps.live.publish({ event: EVENT });
    expect((await stream.next()).data["zones"]).toEqual([{ id: "floor", available: 93 }]);
    await stream.close();
  });

  test("goes on after the last delta that a page has seen", async () => {
    const watcher = await openStream(house);
    await watcher.next();
    await changeRow("ssff");
    const seen = await watcher.next();
    await changeRow("sssf");
    const missed = await watcher.next();
    const back = await openStream(house, seen.id);
    expect(await back.next()).toEqual(missed);
    await Promise.all([back.close(), watcher.close()]);
  });

  test.each(["0", "99999999999999", "abc", "-1"])(
    "answers the unknown last id %s with a snapshot",
    async (id) => {
      const stream = await openStream(house, id);
      expect((await stream.next()).event).toBe("snapshot");
      await stream.close();
    },
  );

  test("is for the admitted alone", async () => {
    const path = `/v1/events/${EVENT}/stream`;
    expect((await house.request("GET", path)).body["code"]).toBe("admission_required");
    const bad = await house.request("GET", `${path}?ticket=123.abc`);
    expect(bad.body["code"]).toBe("admission_invalid");
    const other = await makeEvent(house);
    const elsewhere = await house.shopper(other);
    const ticket = await elsewhere.call("POST", `/v1/events/${other}/stream`);
    expect(ticket.status).toBe(201);
    const wrong = await house.request("GET", `${path}?ticket=${ticket.body["ticket"]}`);
    expect(wrong.status).toBe(401);
  });

  test("of an event that is not there is 404, and leaves nothing behind", async () => {
    const fan = await house.shopper("no-such-show");
    const before = house.deps.live.listeners();
    const reply = await fan.call("GET", "/v1/events/no-such-show/stream");
    expect([reply.status, reply.body["code"]]).toEqual([404, "unknown_event"]);
    expect(house.deps.live.listeners()).toBe(before);
  });

  test("is not for those whose admission the gate has ended", async () => {
    const fan = await house.shopper(EVENT);
    await house.request("POST", `/v1/admissions/${EVENT}/${fan.place}/close`, {
      headers: { authorization: `Bearer ${await house.serviceToken()}` },
    });
    const path = `/v1/events/${EVENT}/stream`;
    for (const method of ["GET", "POST"])
      expect((await fan.call(method, path)).body["code"]).toBe("admission_closed");
  });

  test("opens by a ticket in its address, as an EventSource needs", async () => {
    const fan = await house.shopper(EVENT);
    const { body } = await fan.call("POST", `/v1/events/${EVENT}/stream`);
    const response = await createApp(house.deps).fetch(new Request(String(body["url"])));
    expect(response.status).toBe(200);
    const stream = await readMessages(response);
    expect((await stream.next()).event).toBe("snapshot");
    await stream.close();
  });
});

describe("visitors come and go", () => {
  test("ten thousand connects leave no listener, no timer and no subscription behind", async () => {
    const { live } = house.deps;
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    for (let round = 0; round < 100; round += 1) {
      const open = await Promise.all(
        Array.from({ length: 100 }, () => live.subscribe(EVENT, () => undefined)),
      );
      for (const subscription of open) subscription.close();
    }
    expect(live.listeners()).toBe(0);
    await expect.poll(timers).toBeLessThanOrEqual(before + 1);
  });

  test("a thousand streams opened and left end with the timers there were before", async () => {
    const app = createApp(house.deps);
    const fan = await house.shopper(EVENT);
    const { body } = await fan.call("POST", `/v1/events/${EVENT}/stream`);
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    for (let round = 0; round < 10; round += 1) {
      const streams = await Promise.all(
        Array.from({ length: 100 }, () => app.fetch(new Request(String(body["url"])))),
      );
      expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
      expect(house.deps.live.listeners()).toBe(100);
      // One heartbeat and one look at the database serve all hundred.
      expect(timers()).toBeLessThanOrEqual(before + 4);
      await Promise.all(streams.map((stream) => stream.body?.cancel()));
      expect(house.deps.live.listeners()).toBe(0);
    }
    await expect.poll(timers).toBeLessThanOrEqual(before + 1);
  });

  test("over HTTP too: a page that goes away is forgotten", async () => {
    const app = createApp(house.deps);
    const { promise, resolve } = Promise.withResolvers<AddressInfo>();
    const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, resolve);
    servers = [...servers, server];
    const { port } = await promise;
    const fan = await house.shopper(EVENT);
    const { body } = await fan.call("POST", `/v1/events/${EVENT}/stream`);
    const url = `http://127.0.0.1:${port}/v1/events/${EVENT}/stream?ticket=${body["ticket"]}`;
    const aborts = Array.from({ length: 50 }, () => new AbortController());
    await Promise.all(aborts.map(({ signal }) => fetch(url, { signal })));
    expect(house.deps.live.listeners()).toBe(50);
    for (const abort of aborts) abort.abort();
    await expect.poll(() => house.deps.live.listeners(), { timeout: 10_000 }).toBe(0);
  });
});
