import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { codeMailHandler } from "../../../core/accounts/mail-code.ts";
import { linksMailHandler } from "../../../core/buyers/ask-links.ts";
import { createLoad } from "../../../core/http/load.ts";
import type { OutboxEvent, OutboxHandler } from "../../../core/jobs/registry.ts";
import { jobCtx, startJobs } from "../../../core/jobs/schedule.ts";
import { orderMailHandler } from "../../../core/mail/handlers.ts";
import { sendOnce } from "../../../core/mail/send-once.ts";
import { signOrderToken } from "../../../core/orders/token.ts";
import { type Mailbox, startMailbox } from "../../../tools/mailbox/server.ts";
import { waitFor } from "../../support/wait-for.ts";
import { CORE_ORIGIN, type House, openHouse, type Reply } from "../house.ts";
import { type Sold, sellSeats } from "../sold.ts";
import { dumpStores } from "./dump.ts";

let house: House;
let mailbox: Mailbox;
let logged = "";
beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, smtpPort: 0 });
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  house = await openHouse({
    env: { SMTP_URL: mailbox.smtpUrl },
    log: pino({ level: "trace" }, sink),
  });
  await waitFor(() => house.deps.redis.locks.available());
});
afterAll(async () => {
  await house.close();
  await mailbox.stop();
});
beforeEach(() => mailbox.clear());

const HANDLERS: readonly OutboxHandler[] = [orderMailHandler, linksMailHandler, codeMailHandler];
/** Everything that waits in the outbox, handled as the queues would. */
async function runOutbox(): Promise<void> {
  const rows = await house.deps.db.write<{
    id: string;
    kind: string;
    payload: OutboxEvent["payload"];
    order_id: string | null;
  }>("delete from outbox where enqueued_at is null returning id, kind, payload, order_id");
  for (const { order_id: order, ...row } of rows)
    for (const handler of HANDLERS)
      if (handler.kinds.includes(row.kind))
        await handler.handle(jobCtx(house.deps, handler.name, "req_test"), {
          ...row,
          ...(order === null ? {} : { order }),
        });
}
const tokenOf = async (sold: Sold) => ({
  authorization: `Order ${await signOrderToken(house.deps, sold.order)}`,
});
const call = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Reply> =>
  house.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
const lastText = () => mailbox.mails().at(-1)?.parts[0]?.content.toString("utf8") ?? "";

describe("the way back to an order", () => {
  const ask = (email: string) => call("POST", "/v1/orders/links", {}, { email, locale: "fr" });

  it("is a mail to its address, with the order's own token, also while it is pending", async () => {
    const email = "way.back@example.com";
    const sold = await sellSeats(house, { email });
    const other = await sellSeats(house, { email: "someone@example.com" });
    await runOutbox();
    mailbox.clear();
    await house.deps.db.write("update orders set state = 'pending' where id = $1", [sold.order]);
    expect((await ask(email.toUpperCase())).status).toBe(202);
    await runOutbox();
    expect(mailbox.mails().map(({ to }) => to)).toEqual([[email]]);
    const [, token] = new RegExp(`/orders/${sold.order}#token=(\\S+)`).exec(lastText()) ?? [];
    expect(lastText()).not.toContain(other.order);
    const read = await call("GET", `/v1/orders/${sold.order}`, { authorization: `Order ${token}` });
    expect(read.body).toMatchObject({ id: sold.order, state: "pending" });
  });

  it("answers strangers the same and mails them nothing", async () => {
    const stranger = await ask("nobody@example.com");
    expect([stranger.status, stranger.text]).toEqual([202, "{}"]);
    await runOutbox();
    expect(mailbox.mails()).toEqual([]);
    const foreign = await call(
      "POST",
      "/v1/orders/links",
      { origin: "https://evil.example" },
      { email: "nobody@example.com" },
    );
    expect(foreign.body["code"]).toBe("foreign_origin");
  });
});

describe("a mistyped address", () => {
  it("can be corrected, and the tickets go to the right one", async () => {
    const sold = await sellSeats(house, { email: "wrong@example.com" });
    await runOutbox();
    const headers = await tokenOf(sold);
    const path = `/v1/orders/${sold.order}/buyer`;
    const body = { email: "right@example.com" };
    expect((await call("PATCH", path, headers, body)).status).toBe(200);
    expect((await call("PATCH", path, headers, { name: "Only The Name" })).status).toBe(200);
    await runOutbox();
    expect(mailbox.mails().map(({ to }) => to[0])).toEqual([
      "wrong@example.com",
      "right@example.com",
    ]);
    const ids = mailbox.mails().map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(2);
  });

  it("and a lost mail can be asked for again, within bounds", async () => {
    const sold = await sellSeats(house);
    await runOutbox();
    mailbox.clear();
    const headers = await tokenOf(sold);
    expect((await call("POST", `/v1/orders/${sold.order}/mail`, headers)).status).toBe(202);
    await runOutbox();
    expect(mailbox.mails()).toHaveLength(1);
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => call("POST", `/v1/orders/${sold.order}/mail`, headers)),
    );
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect((await call("POST", `/v1/orders/${sold.order}/mail`)).status).toBe(401);
  });
});

/** All that is stored anywhere, and the log. */
const dumpEverything = async () => `${await dumpStores(house)}\n${logged}`;
const moneyOf = async () =>
  house.deps.db.read(
    `select o.id, o.state, o.total_amount, o.currency, o.paid_at, o.hold_id, t.id as ticket,
       t.seat_id, t.state as ticket_state
     from orders o left join tickets t on t.order_id = o.id order by o.id, t.id`,
  );

describe("a buyer's data", () => {
  const NAME = "Ayşe Işık";

  async function signedIn(email: string): Promise<{ cookie: string }> {
    await call("POST", "/v1/accounts", {}, { email });
    await runOutbox();
    const [, code = ""] = /(\d{4} \d{4})/.exec(lastText()) ?? [];
    const reply = await call("POST", "/v1/accounts/verify", {}, { email, code });
    return { cookie: (reply.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
  }

  it("can be had whole, by the order's token or by the account, and nobody else's is in it", async () => {
    const email = "export.me@example.com";
    const sold = await sellSeats(house, { email, seats: 2 });
    const other = await sellSeats(house, { email: "other@example.com" });
    await runOutbox();
    const one = await call("GET", `/v1/orders/${sold.order}/export`, await tokenOf(sold));
    expect(one.body["orders"]).toMatchObject([
      {
        id: sold.order,
        buyer: { email, name: NAME },
        mails: [{ kind: "tickets", recipient: email }],
      },
    ]);
    const whole = await call("GET", "/v1/accounts/me/export", await signedIn(email));
    expect(whole.body).toMatchObject({ account: { email }, orders: [{ id: sold.order }] });
    expect(whole.text).not.toContain(other.order);
    expect((await call("GET", "/v1/accounts/me/export")).status).toBe(401);
    expect((await call("GET", `/v1/orders/${sold.order}/export`)).status).toBe(401);
  });

  it("is nowhere after the erasure, and the money records are as they were", async () => {
    const email = "erase.me@example.com";
    const busy = "erase.me@busy.test";
    const jobs = startJobs(house.deps, createLoad());
    const sold = await sellSeats(house, { email, seats: 2 });
    await waitFor(() => mailbox.mails().some(({ to }) => to.includes(email)));
    // A server that repeats the address in its refusal must not leave it in errors and logs.
    const failing = await sellSeats(house, { email: busy });
    await waitFor(() => logged.includes("451"));
    // A relay stopped between its two steps would leave the refused mail to this test's outbox.
    const open = "select 1 from outbox where order_id = $1 and enqueued_at is null";
    await waitFor(async () => !(await house.deps.db.read(open, [failing.order])).length);
    await jobs.stop();
    const session = await signedIn(email);
    const byAccount = await sellSeats(house, {
      email: "third@example.com",
      account: `${CORE_ORIGIN}|${(await call("GET", "/v1/accounts/me", session)).body["id"]}`,
    });
    const handedOn = await sellSeats(house, { email });
    await call("POST", `/v1/tickets/${handedOn.tickets[0]}/transfer`, await tokenOf(handedOn), {
      name: "Deniz Deniz",
      email: "deniz@example.com",
    });
    await runOutbox();
    await call("POST", "/v1/orders/links", {}, { email });

    const before = await dumpEverything();
    expect(before).toContain(email);
    const money = await moneyOf();
    expect((await call("DELETE", "/v1/accounts/me", session)).status).toBe(204);
    const path = `/v1/orders/${failing.order}/buyer`;
    expect((await call("DELETE", path, await tokenOf(failing))).status).toBe(204);
    await runOutbox();

    const after = await dumpEverything();
    for (const personal of [email, busy, "third@example.com", "erase.me"])
      expect(after).not.toContain(personal);
    const left = await house.deps.db.read(
      `select 1 from orders where id = any ($1) and (buyer_name is not null or buyer_email is not null)
       union all select 1 from tickets where order_id = any ($1) and holder_name = $2`,
      [[sold.order, failing.order, byAccount.order, handedOn.order], NAME],
    );
    expect(left).toEqual([]);
    expect(after).toContain("deniz@example.com");
    expect(await moneyOf()).toEqual(money);
    expect((await call("GET", "/v1/accounts/me", session)).status).toBe(401);
    // The tickets themselves still admit.
    const tickets = await call("GET", `/v1/orders/${sold.order}/tickets`, await tokenOf(sold));
    expect((tickets.body["tickets"] as { state: string }[]).map(({ state }) => state)).toEqual([
      "valid",
      "valid",
    ]);
  });

  it("of a ticket that was handed on is its holder's: to have, and to be erased", async () => {
    const email = "holder@example.com";
    const giver = await sellSeats(house, { email: "giver@example.com" });
    const own = await sellSeats(house, { email: "myself@example.com" });
    const handOn = async (sold: Sold, to: string) =>
      call("POST", `/v1/tickets/${sold.tickets[0]}/transfer`, await tokenOf(sold), {
        name: "Derya Deniz",
        email: to,
        locale: "tr",
      });
    expect((await handOn(giver, email)).status).toBe(204);
    expect((await handOn(own, "Myself@example.com")).status).toBe(204);
    await runOutbox();
    const session = await signedIn(email);
    const { body, text } = await call("GET", "/v1/accounts/me/export", session);
    expect(body["received"]).toMatchObject([
      { id: giver.tickets[0], holder: "Derya Deniz", email },
    ]);
    expect(text).not.toContain("giver@example.com");

    expect((await call("DELETE", "/v1/accounts/me", session)).status).toBe(204);
    const path = `/v1/orders/${own.order}/buyer`;
    expect((await call("DELETE", path, await tokenOf(own))).status).toBe(204);
    const after = (await dumpEverything()).toLowerCase();
    for (const personal of [email, "myself@example.com", "derya"])
      expect(after).not.toContain(personal);
    expect(after).toContain("giver@example.com");
  });

  it("is not written down again by a mail that was being made meanwhile", async () => {
    const email = "too.late@example.com";
    const sold = await sellSeats(house, { email });
    await house.deps.db.write("delete from outbox where order_id = $1", [sold.order]);
    const session = await signedIn(email);
    const account = String((await call("GET", "/v1/accounts/me", session)).body["id"]);
    mailbox.clear();
    expect((await call("DELETE", "/v1/accounts/me", session)).status).toBe(204);
    const said = { subject: "Tickets", language: "en", text: "", html: "", attachments: [] };
    const mail = { ...said, messageId: "<late@test>", to: { name: NAME, address: email } };
    const ctx = jobCtx(house.deps, "mail", "req_test");
    const { order } = sold;
    const records = [
      { kind: "tickets", order },
      { kind: "transfer", order },
      { kind: "code", account },
    ];
    for (const record of records)
      expect(await sendOnce(ctx, mail, { ...record, outbox: "out_1" })).toBe("gone");
    expect(mailbox.mails()).toEqual([]);
    const kept = await house.deps.db.read("select 1 from mails where recipient = $1", [email]);
    expect(kept).toEqual([]);
  });

  it("is kept while a payment may still end", async () => {
    const sold = await sellSeats(house);
    await house.deps.db.write("update orders set state = 'pending' where id = $1", [sold.order]);
    const reply = await call("DELETE", `/v1/orders/${sold.order}/buyer`, await tokenOf(sold));
    expect([reply.status, reply.body["code"]]).toEqual([409, "attempt_in_flight"]);
  });

  it("is erased by nobody else", async () => {
    const sold = await sellSeats(house);
    const stranger = await sellSeats(house);
    const path = `/v1/orders/${sold.order}/buyer`;
    expect((await call("DELETE", path)).status).toBe(401);
    expect((await call("DELETE", path, await tokenOf(stranger))).status).toBe(404);
    expect((await call("DELETE", "/v1/accounts/me")).status).toBe(401);
  });
});
