// When a sale opens and closes: instants, judged by the database clock alone.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { offsetAt, offsetFault } from "../../../core/events/zone-offset.ts";
import { makeEventId } from "../../support/events.ts";
import { describeHouse } from "../holds/inventory.ts";
import { type House, openHouse } from "../house.ts";

let house: House;
let bearer: { authorization: string };
beforeAll(async () => {
  house = await openHouse();
  bearer = { authorization: `Bearer ${await house.organizerToken()}` };
});
afterAll(() => house.close());

/** The database's clock stands here; the clocks of processes go on and are not asked. */
const standAt = (instant: string) =>
  house.deps.db.write(
    `create or replace function sale_clock() returns timestamptz language sql volatile as
     $$ select timestamptz '${instant}' $$`,
  );
const put = (event: string, changes: object) =>
  house.request("PUT", `/v1/organizer/events/${event}`, {
    headers: bearer,
    body: { ...describeHouse(), ...changes },
  });
const WISHES = [{ seats: ["A-1-1"] }, { best: { quantity: 1 } }, { zone: "floor", quantity: 1 }];

/** What each kind of hold answers at an instant: its status, and the code where there is one. */
async function askAt(event: string, instant: string): Promise<Set<string>> {
  await standAt(instant);
  const answers = new Set<string>();
  for (const body of WISHES) {
    const fan = await house.shopper(event);
    const reply = await fan.call("POST", `/v1/events/${event}/holds`, { body });
    answers.add(`${reply.status} ${reply.body["code"] ?? ""}`.trim());
  }
  return answers;
}

const justBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();

describe("the sale window", () => {
  it.each([
    ["an ordinary day", "Europe/Istanbul", "2031-05-01T12:00:00+03:00"],
    ["the hour after the gap", "Europe/Berlin", "2031-03-30T03:30:00+02:00"],
    ["the repeated hour, first time", "Europe/Berlin", "2031-10-26T02:30:00+02:00"],
    ["the repeated hour, second time", "Europe/Berlin", "2031-10-26T02:30:00+01:00"],
    ["midnight that does not exist", "America/Santiago", "2031-09-07T01:00:00-03:00"],
    ["half an hour's offset", "Australia/Lord_Howe", "2031-10-05T02:45:00+11:00"],
    ["no clock at all", "Asia/Tokyo", "2031-05-01T03:00:00Z"],
  ])("on %s opens at the instant and not one millisecond before", async (_day, timeZone, at) => {
    const event = makeEventId();
    const made = await put(event, { timeZone, saleOpensAt: at, startsAt: "2040-01-01T00:00:00Z" });
    expect(made.status, made.text).toBe(201);
    expect(await askAt(event, justBefore(at))).toEqual(new Set(["403 sale_not_open"]));
    expect(await askAt(event, at)).toEqual(new Set(["201"]));
  });

  it("tells who is early when it opens, as an instant", async () => {
    const event = makeEventId();
    await put(event, { timeZone: "Europe/Berlin", saleOpensAt: "2031-10-26T02:30:00+02:00" });
    await standAt("2031-10-26T00:29:59.999Z");
    const fan = await house.shopper(event);
    const reply = await fan.call("POST", `/v1/events/${event}/holds`, { body: WISHES[0] });
    expect(reply.body["opensAt"]).toBe("2031-10-26T00:30:00.000Z");
  });

  it("lasts to the last millisecond before its end", async () => {
    const event = makeEventId();
    const saleClosesAt = "2031-10-26T02:30:00+01:00";
    await put(event, { timeZone: "Europe/Berlin", saleClosesAt });
    expect(await askAt(event, justBefore(saleClosesAt))).toEqual(new Set(["201"]));
    expect(await askAt(event, saleClosesAt)).toEqual(new Set(["403 sale_closed"]));
  });
});

describe("a time that nobody can have meant", () => {
  it.each([
    ["in the gap", "Europe/Berlin", "2031-03-30T02:30:00+01:00", "+02:00"],
    ["of the other half of the year", "Europe/Berlin", "2031-07-01T10:00:00+01:00", "+02:00"],
    ["of another place", "Europe/Istanbul", "2031-07-01T10:00:00+02:00", "+03:00"],
  ])("%s is refused, and the right offset is named", async (_what, timeZone, at, right) => {
    for (const field of ["saleOpensAt", "saleClosesAt", "startsAt"]) {
      const refused = await put(makeEventId(), { timeZone, [field]: at });
      expect([refused.status, refused.body["code"]]).toEqual([422, "invalid_request"]);
      const errors = JSON.stringify(refused.body["errors"]);
      expect(errors).toContain(`"${field}"`);
      expect(errors).toContain(right);
    }
  });

  it("without an offset is refused", async () => {
    const refused = await put(makeEventId(), { saleOpensAt: "2031-05-01T12:00:00" });
    expect([refused.status, refused.body["code"]]).toEqual([422, "invalid_request"]);
  });
});

describe("the offset of a zone", () => {
  it("is what its clocks show at the instant", () => {
    expect(offsetAt("2031-01-01T00:00:00Z", "UTC")).toBe("+00:00");
    expect(offsetAt("2031-01-01T00:00:00Z", "Asia/Kathmandu")).toBe("+05:45");
    expect(offsetAt("2031-03-30T00:59:59.999Z", "Europe/Berlin")).toBe("+01:00");
    expect(offsetAt("2031-03-30T01:00:00Z", "Europe/Berlin")).toBe("+02:00");
    expect(offsetFault("2031-01-01T00:00:00+00:00", "Europe/London")).toBeUndefined();
    expect(offsetFault("2031-01-01T00:00:00-00:00", "Europe/London")).toBeUndefined();
  });
});
