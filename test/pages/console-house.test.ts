// What a house keeps at the console besides the sale that runs: who may come, the books, files, how the
// queue page looks, what was drawn; in a real browser, and again by those who must not.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent, makeEventId } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { actAt, buyerOf, doneAt, type Organizer, openDesk, organizerOf } from "./console-desk.ts";
import { judge } from "./judge.ts";

const POLL = { timeout: 30_000, interval: 250 };
const REASON = "Reason (stands in the audit log)";

describe.skipIf(mustSkipBrowser())("a house at the console", { timeout: 120_000 }, () => {
  let sira: Sira;
  let browser: Browser;
  let organizer: Organizer;
  let database: postgres.Sql;
  beforeAll(async () => {
    [sira, browser] = await Promise.all([startSira(), launchBrowser()]);
    organizer = await organizerOf(sira);
    database = postgres(sira.services.databaseUrl, { max: 1, onnotice: () => {} });
  });
  afterAll(async () => {
    await browser?.close();
    await database?.end();
    await sira?.stop();
  });

  const sql = async <Row extends object>(text: string, ...args: string[]): Promise<Row[]> => [
    ...(await database.unsafe<Row[]>(text, args)),
  ];
  /** @param status of the attempt's answer. */
  async function order(event: string, seats: string[], method = "pm_ok", status = 201) {
    const fan = await joinQueue(sira, event);
    await fan.admit();
    const buyer = buyerOf(sira, fan);
    await buyer.hold({ seats });
    return { id: await buyer.pay(method, status), buyer };
  }
  const fileOf = async (page: Page, press: string): Promise<string> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: press, exact: true }).click();
    return readFileSync(await (await download).path(), "utf8");
  };

  test("keeps books whose differences end with one press each, and counts doubles by cause", async () => {
    const { event } = await createOpenEvent(sira);
    const wrong = await order(event, ["A-1-1"], "pm_wrong_amount", 202);
    const bare = await order(event, ["A-1-2"]);
    const twice = await order(event, ["A-1-3"], "pm_declined", 402);
    await twice.buyer.pay("pm_ok", 201);
    // The declined card was charged after all.
    await sql(
      `update payment_attempts set state = 'succeeded', reason = null, settled = 'refund',
         captured_amount = amount, captured_currency = currency
       where order_id = $1 and state = 'failed'`,
      twice.id,
    );
    await sql(
      `update payment_attempts set ended_at = date_trunc('day', now() at time zone 'utc')
         at time zone 'utc' where order_id = $1`,
      wrong.id,
    );
    const { page, context } = await openDesk(browser, sira, { event: "", view: "books" });
    await page.getByRole("button", { name: "Compare now" }).click();
    const differs = page.locator("[data-difference=amount_differs]");
    await differs.waitFor(POLL);
    // A night that found this one and could not repair it; now it can be.
    await sql("delete from tickets where order_id = $1", bare.id);
    await sql(
      `insert into discrepancies (id, run_id, provider, day, class, reference, order_id, state)
       select 'dis_' || kind, r.id, r.provider, r.day, kind, $1, $1, 'queued'
       from (select * from reconciliation_runs order by started_at desc limit 1) r,
         unnest(array['order_without_tickets', 'double_charge']) kind`,
      bare.id,
    );
    await page.getByRole("link", { name: "Access" }).click();
    await page.getByRole("link", { name: "Books" }).click();
    const press = async (difference: string, way: string) => {
      const row = page.locator(`[data-difference=${difference}]`);
      await row.getByRole("button", { name: way, exact: true }).click();
      await page.getByLabel(REASON).fill(`seen to: ${difference}`);
      await page.getByRole("dialog").getByRole("button", { name: way, exact: true }).click();
      await row.waitFor({ state: "detached" });
    };
    await press("order_without_tickets", "Repair");
    expect(await sql("select 1 from tickets where order_id = $1", bare.id)).toHaveLength(1);
    await press("double_charge", "Lay aside");
    await press("amount_differs", "Refund the charge");
    await expect
      .poll(() => sql("select state from refunds where order_id = $1", wrong.id), POLL)
      .toEqual([{ state: "succeeded" }]);
    const log = await sql<{ action: string; reason: string }>(
      `select action, details->>'reason' as reason from audit_log
       where action like 'reconciliation.%' order by seq`,
    );
    expect(log).toEqual([
      { action: "reconciliation.repair", reason: "seen to: order_without_tickets" },
      { action: "reconciliation.dismiss", reason: "seen to: double_charge" },
      { action: "reconciliation.refund", reason: "seen to: amount_differs" },
    ]);
    await page
      .locator(".rows li", { hasText: "first press" })
      .getByText("1", { exact: true })
      .waitFor();
    await context.close();
  });

  test("gives lists as files, the evidence of the draw, and moves an event in one act", async () => {
    const opensAt = new Date(Date.now() + 2_500).toISOString();
    const { event } = await createOpenEvent(sira, { room: { opensAt, early: "draw" } });
    const early = await joinQueue(sira, event);
    await early.admit();
    const buyer = buyerOf(sira, early, "deniz@example.com");
    await buyer.hold({ seats: ["A-1-1", "A-1-2"] });
    const id = await buyer.pay("pm_ok", 201);
    const { page, context } = await openDesk(browser, sira, { event, view: "orders" });
    for (const [name, lines] of [
      ["Orders", 1],
      ["Tickets", 2],
      ["Payments", 1],
      ["Refunds", 0],
    ] as const) {
      const csv = await fileOf(page, name);
      expect(csv.trim().split("\r\n").length - 1, name).toBe(lines);
      if (lines > 0) expect(csv).toContain(id);
    }
    await page.getByRole("link", { name: "Afterwards" }).click();
    const kept = JSON.parse(await fileOf(page, "Save the evidence"));
    const told = await request("GET", `${sira.edge}/api/queue/${event}/draw`);
    expect(kept).toMatchObject({ event, seed: told.body["seed"], pool: { count: 1 } });
    await page.getByText(String(told.body["seed"])).waitFor();

    await page.getByRole("button", { name: "Move the event" }).click();
    await page.getByLabel("New time, by the clocks at the venue").fill("2031-07-02T20:30");
    await page.getByLabel(REASON).fill("the singer is ill");
    await page.getByRole("dialog").getByRole("button", { name: "Move the event" }).click();
    await page.getByText("The event is moved. The mails go out by themselves.").waitFor();
    await expect
      .poll(() => page.locator('[data-act="postponed"]').textContent(), POLL)
      .toContain("1 mails sent");
    const [row] = await sql<{ at: string }>(
      "select iso_time(starts_at) as at from events where event_id = $1",
      event,
    );
    expect(row?.at).toBe("2031-07-02T17:30:00.000Z");
    expect(
      await sql("select 1 from tickets where event_id = $1 and state = 'valid'", event),
    ).toHaveLength(2);
    await context.close();
  });

  test("dresses the queue page as the preview showed it, and takes the rate that it works out", async () => {
    const { event } = await createOpenEvent(sira, { room: { ratePerMinute: 5, activeMax: 5 } });
    const { page, context, troubles } = await openDesk(browser, sira, { event, view: "room" });
    const preview = page.frameLocator("iframe");
    await page.getByLabel("Name on the queue page").fill("Deniz at the harbour");
    await page.getByLabel("Buttons").fill("#b3202a");
    await page.getByLabel("The queue page says when the event begins").check();
    await page.getByLabel("While people wait").fill("Doors at seven. Bring a coat.");
    await page.getByRole("button", { name: "Add a link" }).click();
    await page.getByLabel("Link, its words").fill("Help");
    await page.getByLabel("Link, its address").fill("https://help.example/");
    for (const text of ["Deniz at the harbour", "Doors at seven. Bring a coat.", "Help"])
      await preview.getByText(text).first().waitFor();
    await page.getByLabel("Shown as").selectOption({ label: "sold out" });
    await preview.getByText("Doors at seven. Bring a coat.").waitFor({ state: "hidden" });
    await page.locator(".branding").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByLabel(REASON).fill("the tour's colours");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { page: fan } = await openPage(browser);
    await fan.goto(`${sira.edge}/e/${event}`);
    await fan.getByText("Doors at seven. Bring a coat.").waitFor(POLL);
    await fan.getByRole("link", { name: "Help" }).waitFor();

    // Somebody else changes the room while this desk works out a rate: it is told, and is not written over.
    await page.getByLabel("Tickets an order, on average").fill("2");
    await page.getByLabel("Of 100 visits, how many buy").fill("50");
    await page.getByLabel("The core bears, a minute").fill("10");
    await page.locator(".answer", { hasText: "8 a minute" }).waitFor();
    await organizer("PATCH", `${sira.edge}/api/rooms/${event}`, { notice: "Hello" });
    await page.getByText("Somebody else has changed this room.").waitFor(POLL);
    await page.getByRole("button", { name: "Take this rate" }).click();
    await page.getByLabel(REASON).fill("as it reckons");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody else has changed this meanwhile").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Read it again" }).click();
    await page.getByLabel("The core bears, a minute").fill("10");
    await page.getByRole("button", { name: "Take this rate" }).click();
    await page.getByLabel(REASON).fill("as it reckons");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await organizer("GET", `${sira.edge}/api/rooms/${event}`)).body, POLL)
      .toMatchObject({ ratePerMinute: 8, notice: "Hello", branding: { accent: "#b3202a" } });
    expect(troubles.filter((text) => !/40[49]|412/.test(text))).toEqual([]);
    await Promise.all([context.close(), fan.context().close()]);
  });

  test("takes a seat map from a file, paints a price onto it, and tells who comes second", async () => {
    const event = makeEventId();
    const { page, context } = await openDesk(browser, sira, { event: "", view: "new" });
    await page.getByLabel("Id", { exact: true }).first().fill(event);
    await page.getByLabel("Name", { exact: true }).first().fill("From a file");
    await page.getByLabel("Venue", { exact: true }).fill("A hall");
    const file = (name: string, text: string) => ({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    });
    const input = page.locator(".file input");
    const csv = "section,row,number,zone,kind\nA,1,1,P1,\nA,1,2,P1,accessible\nA,2,1,P1,\n";
    await input.setInputFiles(file("bad.csv", `${csv}A,2,1,P1,\n`));
    await page.getByText("5: seat A-2-1 stands in line 4 already").waitFor();
    await input.setInputFiles(file("house.csv", csv));
    await page.locator('[data-figure="draft"]', { hasText: "3 places · €150.00" }).waitFor();
    await page.getByRole("button", { name: "Add a price" }).click();
    await page.getByLabel("Price", { exact: true }).nth(1).fill("10");
    await page.locator(".brushes").getByRole("button", { name: "2", exact: true }).click();
    // The second row, below the first one: a cell is 22 pixels.
    await page.locator(".paint-box canvas").click({ position: { x: 6 + 40 + 22, y: 6 + 22 + 11 } });
    await page.locator('[data-figure="draft"]', { hasText: "3 places · €110.00" }).waitFor();
    await page.locator(".poster", { hasText: "From a file" }).waitFor();
    await doneAt(page, "Create", "a new hall");
    await page.getByText("Ready for the sale?").waitFor();
    expect(
      await sql(
        "select zone_id, kind, count(*)::int as n from seats where event_id = $1 group by 1, 2 order by 1, 2",
        event,
      ),
    ).toEqual([
      { zone_id: "P1", kind: "accessible", n: 1 },
      { zone_id: "P1", kind: "general", n: 1 },
      { zone_id: "P2", kind: "general", n: 1 },
    ]);
    await page.goto(`${sira.edge}/console#/${event}/event`);
    await page.getByLabel("Venue", { exact: true }).fill("Another hall");
    const at = `${sira.core}/v1/organizer/events/${event}`;
    const put = await organizer("GET", at);
    expect((await organizer("PUT", at, { ...put.body, name: "Renamed meanwhile" })).status).toBe(
      200,
    );
    await actAt(page, "Save", "a mistake");
    await page.getByText("Somebody else has changed this meanwhile").waitFor();
    const [row] = await sql("select name, venue from events where event_id = $1", event);
    expect(row).toEqual({ name: "Renamed meanwhile", venue: "A hall" });
    await page.getByRole("button", { name: "Back" }).click();
    const whole = { ...put.body, name: "From JSON", sections: [] };
    await input.setInputFiles(file("event.json", JSON.stringify(whole)));
    await page.locator(".poster", { hasText: "From JSON" }).waitFor();
    await context.close();
  });

  test("is for everybody: planning an event and its room, books, keys", async () => {
    const found: string[] = [];
    const { event } = await createOpenEvent(sira);
    const { page, context } = await openDesk(browser, sira, { event, view: "event" });
    const look = async (state: string) => found.push(...(await judge(page, state)));
    await page.locator(".paint-box canvas").waitFor();
    const bad = { name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from("section,row\nA") };
    await page.locator(".file input").setInputFiles(bad);
    await page.getByRole("alert").waitFor();
    await look("the event, with a file that is none");
    await page.goto(`${sira.edge}/console#/${event}/room`);
    await page.locator(".findings li").first().waitFor();
    await page.getByRole("button", { name: "Add a link" }).click();
    await organizer("PATCH", `${sira.edge}/api/rooms/${event}`, { notice: "Hello" });
    await page.getByText("Somebody else has changed this room.").waitFor();
    await look("the room, changed by somebody else");
    await page.goto(`${sira.edge}/console#//books`);
    await page.getByRole("button", { name: "Compare now" }).click();
    await page.getByText("The day has been compared.").waitFor();
    await look("books");
    await page.goto(`${sira.edge}/console#//access`);
    await page.getByLabel("Whose key").fill("The press");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.locator(".done code").waitFor();
    await look("a key, shown once");
    expect(found).toEqual([]);
    await context.close();
  }, 240_000);
});
