import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTicketCode, signTicketCode } from "../../../core/tickets/code.ts";
import { printable } from "../../../core/tickets/pdf.ts";
import { newId } from "../../../shared/ids.ts";
import { generateKey, importKeySet } from "../../../shared/token/keys.ts";
import { startTestCore, type TestCore } from "../payments/harness.ts";
import {
  asBuyer,
  type Buyer,
  holdFloor,
  newBuyer,
  openSale,
  orderFor,
  pay,
  type Sale,
  seat,
  unique,
} from "../payments/sale.ts";

let core: TestCore;
let sale: Sale;
let buyer: Buyer;
beforeAll(async () => {
  core = await startTestCore();
  sale = await openSale(core);
  buyer = await newBuyer(core, sale, [seat(1), seat(2)]);
  await pay(core, buyer, "pm_ok");
});
afterAll(() => core.stop());

const list = async (who: Buyer) => [
  ...((await core.call("GET", `/v1/orders/${who.order}/tickets`, { headers: asBuyer(who) })).body[
    "tickets"
  ] ?? []),
];

describe("tickets", () => {
  it("are one for each seat, with a code that stays the same", async () => {
    const tickets = await list(buyer);
    expect(tickets.map((ticket) => ticket["seat"]).sort()).toEqual([seat(1), seat(2)]);
    expect(tickets.every((ticket) => ticket["state"] === "valid")).toBe(true);
    const looks = await Promise.all([list(buyer), list(buyer), list(buyer)]);
    for (const again of looks) expect(again).toEqual(tickets);
  });

  it("are one for each standing place", async () => {
    const place = unique("plc");
    const floor = await orderFor(core, sale, await holdFloor(core, sale, { place }, 3), { place });
    await pay(core, floor, "pm_ok");
    const tickets = await list(floor);
    expect(tickets).toHaveLength(3);
    expect(tickets.every((ticket) => ticket["zone"] === "floor" && !("seat" in ticket))).toBe(true);
    expect(new Set(tickets.map((ticket) => ticket["code"])).size).toBe(3);
  });

  it("have codes under 120 characters that the door can check for its own event", async () => {
    const [ticket] = await list(buyer);
    const code = String(ticket?.["code"]);
    expect(code.length).toBeLessThan(120);
    expect(await readTicketCode(core.keys, sale.event, code)).toMatchObject({
      ticket: ticket?.["id"],
    });
    expect(await readTicketCode(core.keys, "another-event", code)).toBeUndefined();
  });

  it("are drawn as SVG and printed as PDF for their buyer alone", async () => {
    const [ticket] = await list(buyer);
    const path = `/v1/tickets/${ticket?.["id"]}`;
    const svg = await core.call("GET", `${path}.svg`, { headers: asBuyer(buyer) });
    expect(svg.headers.get("content-type")).toBe("image/svg+xml");
    expect(svg.text).toMatch(/^<svg .*<\/svg>\s*$/s);
    const pdf = await core.call("GET", `${path}.pdf`, { headers: asBuyer(buyer) });
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect(pdf.text.startsWith("%PDF-")).toBe(true);
    const stranger = await newBuyer(core, sale, [seat(9)]);
    expect((await core.call("GET", `${path}.svg`, { headers: asBuyer(stranger) })).status).toBe(
      404,
    );
    expect((await core.call("GET", `${path}.svg`)).status).toBe(401);
    const none = `/v1/tickets/${newId("tkt")}.svg`;
    expect((await core.call("GET", none, { headers: asBuyer(buyer) })).status).toBe(404);
  });

  it("cannot be two for one seat, whoever writes them", async () => {
    const copy = core.db.write(
      `insert into tickets (id, event_id, order_id, line_no, unit, seat_id, zone_id)
        select 'tkt_forged', event_id, order_id, line_no, 9, seat_id, zone_id from tickets
        where order_id = $1 limit 1`,
      [buyer.order],
    );
    await expect(copy).rejects.toMatchObject({ constraint: "tickets_one_per_seat" });
  });
});

describe("a ticket code", () => {
  it("is refused when any part of it is changed, or when another key signed it", async () => {
    const keysOf = async () =>
      importKeySet([await generateKey("ticket", "active", new Date())], ["ticket"]);
    const [keys, others] = [await keysOf(), await keysOf()];
    const mark = { ticket: newId("tkt"), event: "demo", issue: 1 };
    const code = await signTicketCode(keys, mark);
    expect(await readTicketCode(keys, "demo", code)).toEqual(mark);
    expect(await readTicketCode(others, "demo", code)).toBeUndefined();
    for (let i = 0; i < code.length - 1; i += 1) {
      const letter = code[i] === "2" ? "3" : "2";
      const changed = code.slice(0, i) + letter + code.slice(i + 1);
      expect(await readTicketCode(keys, "demo", changed)).toBeUndefined();
    }
  });
});

it("names on paper keep their letters as far as the built-in fonts know them", () => {
  expect(printable("Ayşe Işık, Öykü Çağ, İzmir")).toBe("Ayse Isik, Öykü Çag, Izmir");
  expect(printable("Łódź 東京")).toBe("?ódz ??");
});
