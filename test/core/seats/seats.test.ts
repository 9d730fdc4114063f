import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../core/app.ts";
import type { Clock } from "../../../core/context.ts";
import { seatMapOf } from "../../../core/seats/house.ts";
import { holdSeats, holdZone, person, putHouse, random, rowsOf } from "../holds/inventory.ts";
import { type House, openHouse } from "../house.ts";

let house: House;
let shift = 0;
const clock: Clock = { now: () => Date.now() + shift };
beforeAll(async () => {
  house = await openHouse({ clock });
});
afterAll(() => house.close());

const db = () => house.deps.db;
const read = (event: string, headers = {}) =>
  house.request("GET", `/v1/events/${event}/seats`, { headers });
const later = () => {
  shift += 2_001;
};

describe("GET /v1/events/{event}/seats", () => {
  it("has a letter for every seat, prices, and what is left of zones and sections", async () => {
    const rows = [
      { id: "1", zone: "stalls", seats: 4, accessible: [1], companions: [2] },
      { id: "2", zone: "stalls", seats: [1, 3, 9] },
    ];
    const event = await putHouse(db(), { sections: [{ id: "A", rows }], capacity: 9 });
    await holdSeats(db(), event, person(), ["A-1-3"]);
    await holdZone(db(), event, person(), 2);
    await db().call("block_seats", [event, ["A-2-9"], true, "organizer:test", "a test", "req"]);
    const answer = await read(event);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=2");
    expect(answer.body).toMatchObject({
      event,
      version: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      zones: [
        { id: "stalls", kind: "seated", price: { amount: 10_000, currency: "TRY" }, available: 5 },
        { id: "floor", kind: "standing", available: 7 },
      ],
      sections: [
        {
          id: "A",
          available: 5,
          rows: [
            { id: "1", numbers: 4, status: "aaha", accessible: [1], companions: [2] },
            { id: "2", numbers: [1, 3, 9], status: "aab" },
          ],
        },
      ],
    });
  });

  it("is at most two seconds old, keeps its tag while nothing changes, and answers 304", async () => {
    const event = await putHouse(db());
    const first = await read(event);
    const etag = String(first.headers.get("etag"));
    await holdSeats(db(), event, person(), ["A-1-1"]);
    expect((await read(event)).text).toBe(first.text);
    later();
    const second = await read(event, { "if-none-match": etag });
    expect(second.status).toBe(200);
    expect(second.headers.get("etag")).not.toBe(etag);
    const known = String(second.headers.get("etag"));
    later();
    const third = await read(event, { "if-none-match": `"other", ${known}` });
    expect([third.status, third.text]).toEqual([304, ""]);
    expect(third.headers.get("etag")).toBe(known);
  });

  it("is at most a second old for whoever asks past all caches, and no younger", async () => {
    const event = await putHouse(db());
    const first = await read(event);
    await holdSeats(db(), event, person(), ["A-1-1"]);
    const fresh = { "cache-control": "no-cache" };
    expect((await read(event, fresh)).text).toBe(first.text);
    shift += 1_000;
    expect((await read(event)).text).toBe(first.text);
    const second = await read(event, fresh);
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect((await read(event)).text).toBe(second.text);
  });

  it("is read from the database once for a crowd", async () => {
    const event = await putHouse(db());
    const count = async () => {
      const [row] = await db().read<{ calls: number }>(
        `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
         where query like '%jsonb_build_object%sections%' and toplevel
           and dbid = (select oid from pg_database where datname = current_database())`,
      );
      return row?.calls ?? 0;
    };
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(event)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await count()) - before).toBeLessThanOrEqual(1);
  });

  it("of an unknown event is 404", async () => {
    expect((await read("nothing-here")).body["code"]).toBe("unknown_event");
    expect((await read("NOT_AN_EVENT")).body["code"]).toBe("unknown_event");
  });

  it("of 60,000 seats half sold at random in eight price zones is under 300 kB compressed", async () => {
    const dice = random(7);
    const rows = Array.from({ length: 2_400 }, (_, index) => ({
      section_id: `S${Math.floor(index / 80)}`,
      row_id: String(1 + (index % 80)),
      zone_id: `z${index % 8}`,
      layout: "g".repeat(25),
      numbers: null,
      map: Array.from({ length: 25 }, () => (dice.below(2) === 0 ? "s" : "f")).join(""),
      free: 12,
      version: index,
    }));
    const map = seatMapOf({
      event: "stadium",
      currency: "TRY",
      at: new Date().toISOString(),
      zones: Array.from({ length: 8 }, (_, index) => ({
        zone_id: `z${index}`,
        name: `Zone ${index}`,
        kind: "seated" as const,
        price: 1_000 * index,
        available: 0,
        version: 1,
      })),
      sections: Array.from({ length: 30 }, (_, index) => ({
        section_id: `S${index}`,
        name: `Section ${index}`,
      })),
      rows,
    });
    expect(gzipSync(JSON.stringify(map)).byteLength).toBeLessThan(300_000);
    expect(map.sections.flatMap((section) => section.rows)).toHaveLength(2_400);
  });

  it("is sent compressed to who can read it", async () => {
    const event = await putHouse(db(), { sections: [{ id: "A", rows: rowsOf(40, 25) }] });
    const path = `http://core.test/v1/events/${event}/seats`;
    const app = createApp(house.deps);
    const response = await app.request(path, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("vary")).toContain("accept-encoding");
    const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
    expect(JSON.parse(text)).toMatchObject({ event, sections: [{ available: 1_000 }] });
  });
});
