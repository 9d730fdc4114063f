import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type House, openHouse, type Shopper } from "../house.ts";
import { findDisagreements } from "./agreement.ts";
import { age, describeHouse, putHouse } from "./inventory.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const put = (changes: Parameters<typeof putHouse>[1] = {}) => putHouse(house.deps.db, changes);
const post = (shopper: Shopper, event: string, body: unknown, headers = {}) =>
  shopper.call("POST", `/v1/events/${event}/holds`, { body, headers });

describe("POST /v1/events/{event}/holds", () => {
  it("holds chosen seats, answers 201 and then 200, and 409 naming what was taken", async () => {
    const event = await put();
    const [fan, other] = [await house.shopper(event), await house.shopper(event)];
    const first = await post(fan, event, { seats: ["A-1-1", "A-1-2"] });
    expect(first.status).toBe(201);
    expect(first.headers.get("location")).toBe(`/v1/holds/${first.body["id"]}`);
    expect(first.body).toMatchObject({
      id: expect.stringMatching(/^hold_/),
      event,
      seats: [{ id: "A-1-1", section: "A", row: "1", number: 1, zone: "stalls" }, { id: "A-1-2" }],
      total: { amount: 20_000, currency: "TRY" },
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const again = await post(fan, event, { seats: ["A-1-1", "A-1-2"] });
    expect(again.status).toBe(200);
    expect(again.body["id"]).toBe(first.body["id"]);
    const taken = await post(other, event, { seats: ["A-1-2", "A-1-3"] });
    expect(taken.status).toBe(409);
    expect(taken.body).toMatchObject({
      code: "seats_unavailable",
      unavailable: ["A-1-2"],
      alternatives: expect.any(Array),
      requestId: taken.headers.get("x-request-id"),
    });
    expect(taken.headers.get("content-type")).toContain("application/problem+json");
    const second = await post(fan, event, { seats: ["A-3-1"] });
    expect([second.status, second.body["code"], second.body["hold"]]).toEqual([
      409,
      "hold_exists",
      first.body["id"],
    ]);
  });

  it("refuses text that the database cannot keep as the caller's mistake", async () => {
    const event = await put();
    for (const broken of ["A-1-1\u0000", "A-1-1\ud83d"]) {
      const reply = await post(await house.shopper(event), event, { seats: [broken] });
      expect([reply.status, reply.body["code"]]).toEqual([422, "invalid_request"]);
      expect(reply.body["errors"]).toMatchObject([{ field: "seats.0" }]);
    }
  });

  it("finds the best available and says whether it is adjacent", async () => {
    const event = await put();
    const fan = await house.shopper(event);
    const answer = await post(fan, event, { best: { quantity: 3, section: "A" } });
    expect([answer.status, answer.body["adjacent"]]).toEqual([201, true]);
    expect(answer.body["seats"]).toHaveLength(3);
  });

  it("holds standing places with add-ons", async () => {
    const event = await put({
      addons: [{ id: "shirt", name: "Shirt", price: 700, stock: 4, variants: ["S", "M"] }],
    });
    const fan = await house.shopper(event);
    const body = {
      zone: "floor",
      quantity: 2,
      addons: [{ id: "shirt", variant: "S", quantity: 1 }],
    };
    const answer = await post(fan, event, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      seats: [],
      zones: [{ id: "floor", quantity: 2, price: { amount: 5_000 } }],
      addons: [{ id: "shirt", variant: "S", quantity: 1, price: { amount: 700 } }],
      total: { amount: 10_700, currency: "TRY" },
    });
  });

  it("is for the admitted of this event only", async () => {
    const [event, other] = [await put(), await put()];
    const path = `/v1/events/${event}/holds`;
    const bare = await house.request("POST", path, { body: { seats: ["A-1-1"] } });
    expect([bare.status, bare.body["code"]]).toEqual([401, "admission_required"]);
    expect(bare.headers.get("www-authenticate")).not.toBeNull();
    const stranger = await house.shopper(other);
    const wrong = await stranger.call("POST", path, { body: { seats: ["A-1-1"] } });
    expect([wrong.status, wrong.body["code"]]).toEqual([401, "admission_invalid"]);
    // Whoever has no admission hears of that, not of the body's form.
    expect((await house.request("POST", path, { raw: "{" })).status).toBe(401);
  });

  it("refuses a body that is not one of the three kinds, naming the field", async () => {
    const event = await put();
    const fan = await house.shopper(event);
    const cases: [unknown, string][] = [
      [{ seats: ["A-1-1", "A-1-1"] }, "seats"],
      [{ seats: [] }, "seats"],
      [{ seats: ["A-1-1"], zone: "floor" }, "zone"],
      [{ best: { quantity: 0 } }, "best.quantity"],
      [{ best: { quantity: 2, colour: "red" } }, "best.colour"],
      [{ zone: "floor", quantity: 200 }, "quantity"],
      [{ zone: "floor", quantity: 1, addons: [{ id: "x", quantity: -1 }] }, "addons.0.quantity"],
      [{}, "zone"],
    ];
    for (const [body, field] of cases) {
      const answer = await post(fan, event, body);
      expect([answer.status, answer.body["code"]], JSON.stringify(body)).toEqual([
        422,
        "invalid_request",
      ]);
      expect(JSON.stringify(answer.body["errors"])).toContain(`"${field}"`);
    }
    const broken = await fan.call("POST", `/v1/events/${event}/holds`, { raw: "{" });
    expect([broken.status, broken.body["code"]]).toEqual([400, "malformed_json"]);
  });

  it("answers each refusal of the sale with its code and facts", async () => {
    const opensAt = new Date(Date.now() + 60_000).toISOString();
    const early = await put({ saleOpensAt: opensAt });
    const notOpen = await post(await house.shopper(early), early, { seats: ["A-1-1"] });
    expect([notOpen.status, notOpen.body["code"], notOpen.body["opensAt"]]).toEqual([
      403,
      "sale_not_open",
      opensAt,
    ]);
    const event = await put({ perOrderMax: 2 });
    const fan = await house.shopper(event);
    const cases: [unknown, number, string][] = [
      [{ seats: ["A-1-1", "A-1-2", "A-1-3"] }, 422, "limit_exceeded"],
      [{ seats: ["Z-1-1"] }, 422, "unknown_seat"],
      [{ zone: "nowhere", quantity: 1 }, 422, "unknown_zone"],
      [{ best: { quantity: 1, section: "Z" } }, 422, "unknown_section"],
      [{ zone: "floor", quantity: 1, addons: [{ id: "hat", quantity: 1 }] }, 422, "unknown_addon"],
    ];
    for (const [body, status, code] of cases) {
      const answer = await post(fan, event, body);
      expect([answer.status, answer.body["code"]]).toEqual([status, code]);
    }
    const nowhere = await post(await house.shopper("nothing-here"), "nothing-here", {
      seats: ["A-1-1"],
    });
    expect([nowhere.status, nowhere.body["code"]]).toEqual([404, "unknown_event"]);
    const odd = await house.request("POST", "/v1/events/NOT_AN_EVENT/holds", { body: {} });
    expect([odd.status, odd.body["code"]]).toEqual([404, "unknown_event"]);
  });

  it("gives the recorded answer to the same Idempotency-Key, byte for byte", async () => {
    const event = await put();
    const fan = await house.shopper(event);
    const key = { "idempotency-key": "press-1" };
    const first = await post(fan, event, { seats: ["A-1-1"] }, key);
    const again = await post(fan, event, { seats: ["A-1-1"] }, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await house.shopper(event);
    const refused = await post(other, event, { seats: ["A-1-1"] }, key);
    const refusedAgain = await post(other, event, { seats: ["A-1-1"] }, key);
    expect(refused.status).toBe(409);
    expect([refusedAgain.status, refusedAgain.text]).toEqual([409, refused.text]);
    const reused = await post(fan, event, { seats: ["A-1-2"] }, key);
    expect([reused.status, reused.body["code"]]).toEqual([422, "idempotency_key_reused"]);
    for (const bad of ["", "with space", "x".repeat(256)]) {
      const answer = await post(fan, event, { seats: ["A-1-2"] }, { "idempotency-key": bad });
      expect([answer.status, answer.body["code"]]).toEqual([422, "idempotency_key_invalid"]);
    }
  });
});

describe("GET and DELETE /v1/holds/{id}", () => {
  it("are the holder's alone, also after the admission has ended", async () => {
    const event = await put();
    const nowS = Math.floor(Date.now() / 1_000);
    const fan = await house.shopper(event);
    const made = await post(fan, event, { seats: ["A-1-1"] });
    const path = `/v1/holds/${made.body["id"]}`;
    expect((await fan.call("GET", path)).body).toMatchObject({ id: made.body["id"] });
    const late = await house.shopper(event, { sub: fan.place, iat: nowS - 900, exp: nowS - 300 });
    expect((await late.call("GET", path)).status).toBe(200);
    const stranger = await house.shopper(event);
    for (const method of ["GET", "DELETE"])
      expect((await stranger.call(method, path)).status).toBe(404);
    const elsewhere = await house.shopper(await put(), { sub: fan.place });
    expect((await elsewhere.call("GET", path)).status).toBe(404);
    expect((await house.request("DELETE", path)).status).toBe(401);
    expect((await late.call("DELETE", path)).status).toBe(204);
    expect((await fan.call("DELETE", path)).status).toBe(204);
    expect((await fan.call("GET", path)).body["code"]).toBe("hold_not_live");
    expect(await findDisagreements(house.deps.db, event)).toEqual([]);
  });

  it("say that a hold's time is over", async () => {
    const event = await put();
    const fan = await house.shopper(event);
    const made = await post(fan, event, { zone: "floor", quantity: 1 });
    await age(house.deps.db, event, String(made.body["id"]));
    const answer = await fan.call("GET", `/v1/holds/${made.body["id"]}`);
    expect([answer.status, answer.body["code"]]).toEqual([409, "hold_expired"]);
  });
});

describe("one statement decides", () => {
  it("of PostgreSQL for each kind of hold", async () => {
    const event = await put();
    const shoppers = await Promise.all([1, 2, 3].map(() => house.shopper(event)));
    const calls = async () => {
      const rows = await house.deps.db.read<{ query: string; calls: number }>(
        `select query, calls::int as calls from pg_stat_statements
         where query ~ '^select hold_' and toplevel
           and dbid = (select oid from pg_database where datname = current_database())`,
      );
      return rows.reduce((sum, row) => sum + row.calls, 0);
    };
    const before = await calls();
    const bodies = [
      { seats: ["A-1-1"] },
      { best: { quantity: 2 } },
      { zone: "floor", quantity: 1 },
    ];
    for (const [index, body] of bodies.entries()) {
      const shopper = shoppers[index];
      if (shopper) expect((await post(shopper, event, body)).status).toBe(201);
    }
    expect((await calls()) - before).toBe(3);
  });
});

describe("the description of a hold", () => {
  it("stands in the OpenAPI document with its refusals", async () => {
    const document = await house.request("GET", "/openapi.json");
    const text = JSON.stringify(document.body);
    expect(text).toContain("/v1/events/{event}/holds");
    expect(text).toContain("seats_unavailable");
    expect(describeHouse().zones).toHaveLength(2);
  });
});
