import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jobCtx } from "../../../core/jobs/schedule.ts";
import { orderMailHandler } from "../../../core/mail/handlers.ts";
import { signOrderToken } from "../../../core/orders/token.ts";
import type { ScanView, VoidList } from "../../../shared/contract/tickets.ts";
import { type Mailbox, startMailbox } from "../../../tools/mailbox/server.ts";
import { readQrSvg } from "../../support/qr.ts";
import { type House, openHouse, type Reply } from "../house.ts";
import { makeEvent, type Sold, sellSeats } from "../sold.ts";

const run = promisify(execFile);
let house: House;
let mailbox: Mailbox;
let operator: string;
let event: string;
const folder = mkdtempSync(join(tmpdir(), "sira-door-"));
beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, smtpPort: 0 });
  house = await openHouse({ env: { SMTP_URL: mailbox.smtpUrl } });
  operator = await house.organizerToken();
  event = await makeEvent(house);
});
afterAll(async () => {
  await house.close();
  await mailbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

const asOrganizer = () => ({ authorization: `Bearer ${operator}` });
const asBuyer = async (sold: Sold) => ({
  authorization: `Order ${await signOrderToken(house.deps, sold.order)}`,
});

type Read = { code: string; id?: string; at?: Date };
/** As a phone at the door: told to come later, it comes again with the same scans. */
async function scan(gate: string, reads: Read[], at = event): Promise<ScanView[]> {
  const scans = reads.map(({ code, id = randomUUID(), at: when }) => ({
    id,
    code,
    ...(when === undefined ? {} : { at: when.toISOString() }),
  }));
  const path = `/v1/organizer/events/${at}/checkins`;
  const send = () => house.request("POST", path, { headers: asOrganizer(), body: { gate, scans } });
  let reply = await send();
  while (reply.status === 503) reply = await send();
  expect(reply.status).toBe(200);
  return reply.body["scans"] as ScanView[];
}
const results = (views: ScanView[]) => views.map(({ result }) => result);

async function codesOf(sold: Sold): Promise<string[]> {
  const reply = await house.request("GET", `/v1/orders/${sold.order}/tickets`, {
    headers: await asBuyer(sold),
  });
  return (reply.body["tickets"] as { code: string }[]).map(({ code }) => code);
}
async function sell(): Promise<{ sold: Sold; code: string; ticket: string }> {
  const sold = await sellSeats(house, { event });
  const [code = ""] = await codesOf(sold);
  return { sold, code, ticket: sold.tickets[0] ?? "" };
}
const voidTicket = (sold: Sold) => house.deps.db.call("void_tickets", [sold.order, sold.tickets]);
const voidList = async (): Promise<VoidList> => {
  const path = `/v1/organizer/events/${event}/void-list`;
  const reply = await house.request("GET", path, { headers: asOrganizer() });
  return JSON.parse(reply.text);
};

describe("at the door", () => {
  it("the first scan admits, the second says when and where the first was", async () => {
    const { code, ticket } = await sell();
    const [first] = await scan("North", [{ code }]);
    expect(first).toMatchObject({ result: "admitted", ticket, seat: "A-1-1", holder: "Ayşe Işık" });
    const [second] = await scan("South", [{ code }]);
    expect(second).toMatchObject({ result: "already", first: { gate: "North" } });
    expect(Date.parse(second?.first?.at ?? "")).toBeLessThanOrEqual(Date.now());
  });

  it("of a hundred scans at once one admits", async () => {
    const { code } = await sell();
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, n) => scan(`gate ${n % 7}`, [{ code }])),
    );
    expect(results(all.flat()).filter((result) => result === "admitted")).toHaveLength(1);
  });

  it("a code that is void, changed, of another event or nothing at all does not admit", async () => {
    const { sold, code } = await sell();
    await voidTicket(sold);
    const changed = (await sell()).code.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
    expect(results(await scan("North", [{ code }, { code: changed }, { code: "x" }]))).toEqual([
      "void",
      "invalid",
      "invalid",
    ]);
    const other = await makeEvent(house);
    expect(results(await scan("North", [{ code: (await sell()).code }], other))).toEqual([
      "invalid",
    ]);
  });

  it("a batch of an offline gate counts by the time of each scan, and uploading it twice is once", async () => {
    const { code } = await sell();
    const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000);
    const online = await scan("North", [{ code, at: minutesAgo(5) }]);
    expect(results(online)).toEqual(["admitted"]);
    const earliest = minutesAgo(10);
    const batch: Read[] = [
      { code, id: "offline-scan-2", at: minutesAgo(8) },
      { code, id: "offline-scan-1", at: earliest },
      { code: (await sell()).code, id: "offline-scan-3", at: minutesAgo(9) },
    ];
    const uploaded = await scan("South", batch);
    expect(results(uploaded)).toEqual(["already", "admitted", "admitted"]);
    // Both people are inside: the operator is told where the other one went in.
    expect(uploaded[1]?.other).toMatchObject({ gate: "North" });
    expect(results(await scan("South", batch))).toEqual(["already", "admitted", "admitted"]);
    const [later] = await scan("East", [{ code }]);
    expect(later?.first).toEqual({ gate: "South", at: earliest.toISOString() });
  });

  it("the id of a scan that admitted lets no other ticket in, and a batch may come twice at once", async () => {
    const [first, second] = [await sell(), await sell()];
    const id = randomUUID();
    expect(results(await scan("North", [{ code: first.code, id }]))).toEqual(["admitted"]);
    const [replayed] = await scan("North", [{ code: second.code, id }]);
    expect(replayed).toEqual({ id, result: "invalid" });
    const codes = ["not one of ours", second.code];
    const batch = codes.map((code) => ({ code, id: randomUUID() }));
    const answers = await Promise.all(Array.from({ length: 6 }, () => scan("South", batch)));
    for (const answer of answers) expect(results(answer)).toEqual(["invalid", "admitted"]);
  });

  it("a door's clock that runs far ahead does not count", async () => {
    const { code } = await sell();
    await scan("North", [{ code, at: new Date(Date.now() + 3_600_000) }]);
    const [again] = await scan("North", [{ code }]);
    expect(Date.parse(again?.first?.at ?? "")).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it("malformed scans are refused whole, naming the field", async () => {
    for (const body of [
      { gate: "", scans: [{ id: "12345678", code: "x" }] },
      { gate: "N", scans: [] },
      {
        gate: "N",
        scans: [
          { id: "12345678", code: "x" },
          { id: "12345678", code: "y" },
        ],
      },
      { gate: "N", scans: [{ id: "12345678", code: "x", at: "yesterday" }] },
    ]) {
      const path = `/v1/organizer/events/${event}/checkins`;
      const reply = await house.request("POST", path, { headers: asOrganizer(), body });
      expect([reply.status, reply.body["code"]]).toEqual([422, "invalid_request"]);
    }
  });
});

describe("without a network", () => {
  it("a code read from the rendered picture is verified by a script of Node's crypto alone", async () => {
    const { sold, code, ticket } = await sell();
    const picture = await house.request("GET", `/v1/tickets/${ticket}.svg`, {
      headers: await asBuyer(sold),
    });
    const read = readQrSvg(picture.text);
    expect(read).toBe(code);
    const list = await voidList();
    expect(Math.abs(Date.now() - Date.parse(list.madeAt))).toBeLessThan(60_000);
    expect(JSON.stringify(list.keys)).not.toContain('"d"');
    const file = join(folder, "list.json");
    const verify = async (shown: string, changes: Partial<VoidList> = {}) => {
      writeFileSync(file, JSON.stringify({ ...list, ...changes }));
      return run(process.execPath, ["tools/verify-ticket.mjs", file, shown]).then(
        ({ stdout }) => stdout,
        (error: { stdout: string; code: number }) => `${error.code} ${error.stdout}`,
      );
    };
    expect(await verify(read)).toContain(`ADMIT: valid (${ticket})`);
    expect(await verify(read)).toContain("0 minutes old");
    expect(await verify(read, { void: [ticket] })).toContain("1 REFUSE: void");
    expect(await verify(read, { issues: { [ticket]: 2 } })).toContain("1 REFUSE: handed");
    expect(await verify(read, { used: [ticket] })).toContain("1 REFUSE: used");
    expect(await verify(read, { event: "another" })).toContain("1 REFUSE: not signed");
    expect(await verify(`${read}x`)).toContain("1 REFUSE: not a ticket");
  }, 30_000);

  it("the list names what changed since the tickets were sold", async () => {
    const gone = await sell();
    await voidTicket(gone.sold);
    const inside = await sell();
    await scan("North", [{ code: inside.code }]);
    const list = await voidList();
    expect(list.void).toContain(gone.ticket);
    expect(list.used).toContain(inside.ticket);
    expect(list.void).not.toContain(inside.ticket);
  });
});

describe("handing a ticket on", () => {
  const friend = { name: "Deniz", email: "deniz@example.com", locale: "tr" };
  const transfer = async (
    ticket: string,
    headers: Record<string, string>,
    body: object = friend,
  ): Promise<Reply> => house.request("POST", `/v1/tickets/${ticket}/transfer`, { headers, body });
  const page = (ticket: string, headers: Record<string, string>, suffix = "") =>
    house.request("GET", `/v1/tickets/${ticket}${suffix}`, { headers });

  /** Runs the mail of the last transfer and takes the link out of it. */
  async function receive(ticket: string): Promise<{ headers: Record<string, string> }> {
    mailbox.clear();
    const [row] = await house.deps.db.read<{ id: string; payload: Record<string, unknown> }>(
      `select id, payload from outbox where kind = 'ticket.transferred'
         and payload ->> 'ticket' = $1 order by seq desc limit 1`,
      [ticket],
    );
    if (row === undefined) throw new Error("nothing was handed on");
    await orderMailHandler.handle(jobCtx(house.deps, "mail", "req_test"), {
      ...row,
      kind: "ticket.transferred",
    });
    const text = mailbox.mails()[0]?.parts[0]?.content.toString("utf8") ?? "";
    const [, token] = /\/tickets\/tkt_[\w-]+#token=(\S+)/.exec(text) ?? [];
    return { headers: { authorization: `Ticket ${token}` } };
  }

  it("makes the old code worthless at once and gives the new holder one of their own", async () => {
    const { sold, code, ticket } = await sell();
    expect((await transfer(ticket, await asBuyer(sold))).status).toBe(204);
    expect(results(await scan("North", [{ code }]))).toEqual(["superseded"]);
    const held = await receive(ticket);
    expect(mailbox.mails()[0]?.to).toEqual(["deniz@example.com"]);
    const shown = await page(ticket, held.headers);
    expect(shown.body).toMatchObject({
      id: ticket,
      holder: "Deniz",
      issue: 2,
      section: "Block A",
      row: "1",
      event: { id: event, name: "Şenlik <1>" },
    });
    expect((await page(ticket, held.headers, ".ics")).text).toContain("BEGIN:VCALENDAR");
    const fresh = String(shown.body["code"]);
    expect(results(await scan("North", [{ code: fresh }]))).toEqual(["admitted"]);
    expect((await voidList()).issues).toMatchObject({ [ticket]: 2 });
  });

  it("leaves the giver without the new code, in every form", async () => {
    const { sold, ticket } = await sell();
    await transfer(ticket, await asBuyer(sold));
    expect(await codesOf(sold)).toEqual([""]);
    for (const suffix of ["", ".svg", ".pdf", ".ics"])
      expect((await page(ticket, await asBuyer(sold), suffix)).status).toBe(404);
    expect((await transfer(ticket, await asBuyer(sold))).status).toBe(404);
  });

  it("can go on to a third person, and the second's link is worthless then", async () => {
    const { sold, ticket } = await sell();
    await transfer(ticket, await asBuyer(sold));
    const second = await receive(ticket);
    expect((await transfer(ticket, second.headers)).status).toBe(204);
    expect((await page(ticket, second.headers)).status).toBe(401);
    const third = await receive(ticket);
    expect((await page(ticket, third.headers)).body).toMatchObject({ issue: 3 });
  });

  it("is done once when it is asked for twice at the same moment", async () => {
    const { sold, ticket } = await sell();
    const headers = await asBuyer(sold);
    const replies = await Promise.all(Array.from({ length: 6 }, () => transfer(ticket, headers)));
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    const [row] = await house.deps.db.read<{ issue: number }>(
      "select issue from tickets where id = $1",
      [ticket],
    );
    expect(row?.issue).toBe(2);
  });

  it("is not possible for a ticket that is void or used, nor for a stranger", async () => {
    const { sold, ticket, code } = await sell();
    await scan("North", [{ code }]);
    const used = await transfer(ticket, await asBuyer(sold));
    expect([used.status, used.body["code"]]).toEqual([409, "ticket_not_transferable"]);
    const stranger = await sell();
    expect((await transfer(ticket, await asBuyer(stranger.sold))).status).toBe(404);
    expect((await transfer(ticket, {})).status).toBe(401);
    expect((await transfer(ticket, { authorization: "Ticket e30.e30.e30" })).status).toBe(401);
    expect((await transfer(stranger.ticket, await asBuyer(stranger.sold), {})).status).toBe(422);
  });
});
