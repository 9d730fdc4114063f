import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTicketCode, signTicketCode } from "../../../core/tickets/code.ts";
import { printable, ticketPdf } from "../../../core/tickets/pdf.ts";
import { drawingOrder } from "../../../core/tickets/pdf-font.ts";
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

/** The parts of a document that are packed, as they were before. */
function streamsOf(pdf: Uint8Array): string[] {
  const bytes = Buffer.from(pdf);
  return [...bytes.toString("latin1").matchAll(/stream\r?\n/g)].flatMap(({ index }) => {
    const start = bytes.indexOf("\n", index) + 1;
    try {
      const packed = bytes.subarray(start, bytes.indexOf("endstream", start));
      return [inflateSync(packed).toString("latin1")];
    } catch {
      return [];
    }
  });
}

/** What a reader of the document can copy out of it: its maps from glyphs to letters. */
function lettersOf(pdf: Uint8Array): Set<string> {
  const maps = streamsOf(pdf).filter((text) => text.includes("beginbfrange"));
  return new Set(
    maps
      .flatMap((text) => [...text.matchAll(/<([0-9a-f]{4})>/gi)])
      .map(([, hex = ""]) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

it("a printed ticket has the letters of Turkish, Russian and Arabic names", async () => {
  const pdf = await ticketPdf({
    id: "tkt_1",
    code: "1.a",
    seat: "A-1-1",
    zone: "stalls",
    holder: "عمر الشريف",
    eventName: "Şenliğin Işığı",
    venue: "Зал",
    startsAt: "2040-01-01T19:00:00Z",
    timeZone: "Europe/Istanbul",
  });
  const letters = lettersOf(pdf);
  for (const letter of "ŞğışЗалعمر") expect(letters, letter).toContain(letter);
});

it("a code is printed whole under the longest names", async () => {
  const long = "Wwwwwwww ".repeat(22);
  const pdf = await ticketPdf({
    id: "tkt_1",
    code: "1.a",
    seat: "M".repeat(64),
    zone: "stalls",
    holder: long,
    eventName: long,
    venue: long,
    startsAt: "2040-01-01T19:00:00Z",
    timeZone: "Europe/Istanbul",
  });
  const squares = streamsOf(pdf).flatMap((text) => [
    ...text.matchAll(/[\d.]+ ([\d.]+) [\d.]+ ([\d.]+) re/g),
  ]);
  expect(squares.length).toBeGreaterThan(100);
  const A5_HEIGHT = 595;
  const lowest = Math.max(...squares.map(([, top, height]) => Number(top) + Number(height)));
  expect(lowest).toBeLessThan(A5_HEIGHT);
});

it("what the font does not have is told by its base letter or a question mark", () => {
  expect(printable("Ayşe Işık, Łódź, Ωμέγα")).toBe("Ayşe Işık, Łódź, Ωμέγα");
  expect(printable("東京")).toBe("??");
});

it("words from the right are drawn from the last, numbers among them in their own order", () => {
  expect(drawingOrder(["حفل", "2040", "Istanbul", "كبير"])).toEqual([
    "كبير",
    "2040",
    "Istanbul",
    "حفل",
  ]);
});
