import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLoad } from "../../../core/http/load.ts";
import type { OutboxEvent } from "../../../core/jobs/registry.ts";
import { jobCtx, startJobs } from "../../../core/jobs/schedule.ts";
import { calendarOf } from "../../../core/mail/calendar.ts";
import { orderMailHandler } from "../../../core/mail/handlers.ts";
import { fill, languageOf } from "../../../core/mail/language.ts";
import { WORDS } from "../../../core/mail/words.ts";
import { type Mailbox, startMailbox } from "../../../tools/mailbox/server.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type House, openHouse } from "../house.ts";
import { giveTickets, sellSeats } from "../sold.ts";

let mailbox: Mailbox;
let house: House;
beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, smtpPort: 0 });
  house = await openHouse({
    env: { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: "Sıra <tickets@sira.example>" },
  });
});
afterAll(async () => {
  await house.close();
  await mailbox.stop();
});
beforeEach(() => mailbox.clear());

const paid = (order: string, event: string): OutboxEvent => ({
  id: `out_${randomUUID()}`,
  kind: "order.paid",
  event,
  order,
  payload: { order },
});
const handle = (event: OutboxEvent, at: House = house) =>
  orderMailHandler.handle(jobCtx(at.deps, "mail", "req_test"), event);
const rowOf = async (order: string) =>
  (
    await house.deps.db.read<{ state: string; tries: number; recipient: string; error: string }>(
      "select state, tries, recipient, error from mails where order_id = $1",
      [order],
    )
  )[0];

describe("the mail with the tickets", () => {
  it("has a plain and an HTML part, a picture for each ticket and the date", async () => {
    const { order, event } = await sellSeats(house, { locale: "tr", seats: 2 });
    await handle(paid(order, event));
    const [mail] = mailbox.mails();
    expect(mail?.subject).toBe("Biletleriniz: Şenlik <1>");
    expect(mail?.to).toEqual(["fan@example.com"]);
    expect(mail?.headers.get("content-language")).toBe("tr");
    const types = mail?.parts.map(({ type }) => type);
    expect(types).toEqual(["text/plain", "text/html", "image/png", "image/png", "text/calendar"]);
    const [text, html] = (mail?.parts ?? []).map(({ content }) => content.toString("utf8"));
    expect(text).toContain("Merhaba Ayşe Işık");
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/orders\/ord_[\w-]+#token=ey/);
    expect(html).toContain("Şenlik &#60;1&#62;");
    expect(html).not.toContain("<script");
    expect(mail?.parts.at(-1)?.content.toString("utf8")).toContain("BEGIN:VEVENT");
  });

  it("says what of the sum are fees and tax", async () => {
    const { order, event } = await sellSeats(house, { locale: "de" });
    await house.deps.db.write(
      `insert into order_lines (order_id, line_no, event_id, kind, label, quantity, unit_amount,
          amount, currency)
        select $1, 10 + n, $2, kind, kind, 2, 250 * n, 500 * n, 'TRY'
        from (values (1, 'fee'), (2, 'tax')) l (n, kind)`,
      [order, event],
    );
    await handle(paid(order, event));
    const [text, html] = (mailbox.mails()[0]?.parts ?? []).map(({ content }) => String(content));
    for (const part of [text, html])
      expect(part).toMatch(/Gebühren: 5,00[\s\S]*Steuer: 10,00[\s\S]*Summe/);
  });

  it("is in the buyer's language, from right to left where that is so", async () => {
    for (const [language, words] of Object.entries(WORDS)) {
      const { order, event } = await sellSeats(house, { locale: `${language}-XX` });
      await handle(paid(order, event));
      const mail = mailbox.mails().at(-1);
      expect(mail?.subject).toBe(fill(words.ticketsSubject, { event: "Şenlik <1>" }));
      const html = mail?.parts[1]?.content.toString("utf8");
      expect(html).toContain(`<html lang="${language}" dir="${words.direction}">`);
      expect(`${html}${mail?.parts[0]?.content}`).not.toMatch(/\{\w+\}/);
    }
  });

  it("is sent once, however often and from however many processes it is asked for", async () => {
    const { order, event } = await sellSeats(house);
    const asked = paid(order, event);
    await handle(asked);
    const other = await openHouse({
      beside: house,
      env: { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: "tickets@sira.example" },
    });
    await Promise.all([handle(asked), handle(paid(order, event)), handle(asked, other)]);
    // Also when nothing was sent before: one begins it, the others are told to come again.
    const fresh = await sellSeats(house);
    const askedAtOnce = [house, other, house].map((at) => handle(paid(fresh.order, event), at));
    const ends = await Promise.allSettled(askedAtOnce);
    expect(ends.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
    await other.close();
    expect(mailbox.mails().map(({ messageId }) => messageId)).toEqual([
      `<tickets.${order}@sira.example>`,
      `<tickets.${fresh.order}@sira.example>`,
    ]);
    expect(await rowOf(order)).toMatchObject({ state: "sent", tries: 1 });
  });

  it("is tried again after trouble that passes, with the same Message-ID", async () => {
    const { order, event } = await sellSeats(house, { email: "fan@cut.test" });
    await expect(handle(paid(order, event))).rejects.toThrow();
    expect(await rowOf(order)).toMatchObject({ state: "sending", tries: 1 });
    await house.deps.db.write("update orders set buyer_email = $2 where id = $1", [
      order,
      "fan@example.com",
    ]);
    await handle(paid(order, event));
    expect(await rowOf(order)).toMatchObject({ state: "sent", tries: 2, error: null });
    // The first was taken by the server before the connection broke: two copies of one mail.
    const ids = mailbox.mails().map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("is not tried again at an address that does not exist, and says so", async () => {
    const { order, event } = await sellSeats(house, { email: "fan@refused.test" });
    await handle(paid(order, event));
    await handle(paid(order, event));
    expect(await rowOf(order)).toMatchObject({ state: "failed", tries: 1 });
    expect((await rowOf(order))?.error).toContain("550");
    const busy = await sellSeats(house, { email: "fan@busy.test" });
    await expect(handle(paid(busy.order, busy.event))).rejects.toThrow("451");
    expect(mailbox.mails()).toEqual([]);
  });

  it("is not written to nobody", async () => {
    const { order, event } = await giveTickets(house);
    await handle(paid(order, event));
    expect(mailbox.mails()).toEqual([]);
  });
});

describe("the running jobs", () => {
  it("mail the tickets by themselves, an order's mails in order, and show them in the mailbox", async () => {
    const jobs = startJobs(house.deps, createLoad());
    try {
      const { order } = await sellSeats(house);
      await waitFor(() => mailbox.mails().some(({ messageId }) => messageId.includes(order)));
    } finally {
      await jobs.stop();
    }
    const list = await (await fetch(`${mailbox.origin}/mails.json`)).json();
    const [first] = list.mails;
    expect(first.attachments).toContain("event.ics");
    const view = await fetch(`${mailbox.origin}/mails/${first.id}`);
    expect(view.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await (await fetch(`${mailbox.origin}/mails/${first.id}/html`)).text();
    const [, picture] = /<img src="(\/mails\/[^"]+)"/.exec(page) ?? [];
    const png = await fetch(mailbox.origin + picture);
    expect(png.headers.get("content-type")).toBe("image/png");
  });
});

describe("the mail about a refund", () => {
  it("names the amount and our reason, not the organizer's note", async () => {
    const { order, event } = await sellSeats(house, { locale: "de" });
    const refund = (id: string, reason: string): OutboxEvent => ({
      id: `out_${id}`,
      kind: "refund.succeeded",
      event,
      order,
      payload: { refund: id, attempt: "att_1", amount: 1_050, currency: "EUR", reason },
    });
    await handle(refund("ref_1", "duplicate"));
    await handle(refund("ref_1", "duplicate"));
    await handle(refund("ref_2", "he shouted at us"));
    const texts = mailbox.mails().map((mail) => mail.parts[0]?.content.toString("utf8") ?? "");
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain("10,50\u00a0€");
    expect(texts[0]).toContain(WORDS.de.refundDuplicate);
    expect(texts[1]).not.toContain("shouted");
  });
});

describe("the calendar entry", () => {
  it("escapes what has a meaning, folds long lines by bytes and ends them as the RFC says", () => {
    const text = calendarOf({
      uid: "a@b",
      startsAt: "2026-12-01T19:00:00.000+03:00",
      madeAt: "2026-01-01T00:00:00Z",
      summary: `Çok; uzun, bir ${"ş".repeat(80)}`,
      location: "Hall\nEast",
      description: "back\\slash",
      url: "https://sira.example/orders/ord_1",
    });
    expect(text).toContain("DTSTART:20261201T160000Z\r\n");
    expect(text).toContain("LOCATION:Hall\\nEast\r\n");
    expect(text).toContain("DESCRIPTION:back\\\\slash\r\n");
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.replace(/\r\n /g, "")).toContain(`SUMMARY:Çok\\; uzun\\, bir ${"ş".repeat(80)}`);
  });
});

it("an unknown language gets English", () => {
  expect([
    languageOf("pt-BR"),
    languageOf(null),
    languageOf("TR"),
    languageOf("constructor"),
  ]).toEqual(["en", "en", "tr", "en"]);
});

it("every sentence has the same marks in every language", () => {
  const marks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([mark]) => mark).sort();
  for (const words of Object.values(WORDS))
    for (const [key, sentence] of Object.entries(words))
      expect(marks(sentence), key).toEqual(marks(WORDS.en[key as keyof typeof words]));
});
