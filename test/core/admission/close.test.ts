import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type House, openHouse } from "../house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

describe("the gate ends admissions", () => {
  const close = (headers: Record<string, string>, call = {}) =>
    house.request("POST", "/v1/admissions/alpha/plc_1/close", { headers, ...call });

  test("with its service token, once or many times, with a body or without", async () => {
    const authorization = `Bearer ${await house.serviceToken()}`;
    expect((await close({ authorization })).status).toBe(204);
    expect((await close({ authorization }, { body: { gen: 3, reason: "left" } })).status).toBe(204);
    const rows = await house.deps.db.read<{ gen: number; closed: boolean }>(
      "select gen, closed_at is not null as closed from admissions where place = 'plc_1'",
    );
    expect(rows).toEqual([{ gen: 3, closed: true }]);
  });

  test.each([
    ["of another scope", { scope: "slots capacity" }],
    ["of another event", { events: ["beta"] }],
    ["for somebody else", { aud: "gate" }],
    ["of another issuer", { iss: "http://core.test" }],
    ["that has ended", { exp: Math.floor(Date.now() / 1000) - 1 }],
  ])("not with a token %s", async (_what, changes) => {
    const reply = await close({ authorization: `Bearer ${await house.serviceToken(changes)}` });
    expect([reply.status, reply.body["code"]]).toEqual([401, "credential_invalid"]);
  });

  test("not with an admission, nor without a token", async () => {
    const token = await house.admission({ aud: "core/alpha" });
    expect((await close({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await close({})).status).toBe(401);
  });

  test("a reset of the room raises the event's not-before, and nothing lowers it", async () => {
    await house.deps.db.write(
      `insert into events (event_id, name, venue, starts_at, sale_opens_at, time_zone, currency,
         per_order_max, per_account_max)
       values ('alpha', 'n', 'v', now(), now(), 'UTC', 'EUR', 4, 4) on conflict do nothing`,
    );
    const authorization = `Bearer ${await house.serviceToken()}`;
    const raise = (notBefore: string, event = "alpha") =>
      house.request("POST", `/v1/admissions/${event}/not-before`, {
        headers: { authorization },
        body: { notBefore },
      });
    expect((await raise("2026-05-01T10:00:00Z")).status).toBe(204);
    expect((await raise("2026-04-01T10:00:00Z")).status).toBe(204);
    expect((await raise("2026-05-01T10:00:00Z", "nowhere")).body["code"]).toBe("unknown_event");
    const rows = await house.deps.db.read<{ at: string }>(
      "select iso_time(admissions_not_before) as at from events where event_id = 'alpha'",
    );
    expect(rows).toEqual([{ at: "2026-05-01T10:00:00.000Z" }]);
  });
});
