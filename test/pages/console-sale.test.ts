// A sale as its organizer plans, rehearses, watches and ends it: in a real browser, with people in it.
import type { Browser } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FairnessReport } from "../../shared/contract/rooms.ts";
import type { RehearsalView, SaleFigures } from "../../shared/contract/sales.ts";
import { runCrowd } from "../../tools/crowd/run-crowd.ts";
import { Tally } from "../../tools/crowd/tally.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent, makeEventId } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { buyAt, buyerOf, doneAt, type Organizer, openDesk, organizerOf } from "./console-desk.ts";
import { readDesk, watchDesk } from "./console-figures.ts";

const POLL = { timeout: 45_000, interval: 500 };

describe.skipIf(mustSkipBrowser())("a sale at the console", { timeout: 120_000 }, () => {
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

  const sql = async <Row extends object>(text: string, event: string): Promise<Row[]> => [
    ...(await database.unsafe<Row[]>(text, [event])),
  ];

  test("is planned with rows by numbers, painted seats and a price, and its room is made", async () => {
    const event = makeEventId();
    const { page, context } = await openDesk(browser, sira, { event: "", view: "new" });
    await page.getByLabel("Id", { exact: true }).first().fill(event);
    await page.getByLabel("Name", { exact: true }).first().fill("A night by numbers");
    await page.getByLabel("Venue", { exact: true }).fill("A hall");
    await page.getByLabel("Price", { exact: true }).first().fill("42.50");
    await page.getByRole("button", { name: "Add a section" }).click();
    await page.getByLabel("From row").fill("A");
    await page.getByLabel("To row").fill("D");
    await page.getByLabel("Seats each").fill("6");
    await page.getByRole("button", { name: "Make 4 rows" }).click();
    // By keyboard, as somebody paints who has no mouse: A1 for a wheelchair, A2 off sale.
    await page.getByRole("button", { name: "Wheelchair" }).click();
    await page.locator(".paint-box canvas").focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Blocked" }).click();
    await page.locator(".paint-box canvas").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.locator('[data-figure="draft"]', { hasText: "24 places" }).waitFor();
    await doneAt(page, "Create", "the tour comes here");
    await page.getByText("Ready for the sale?").waitFor();
    const seats = await sql<{ seat_id: string; kind: string; status: string }>(
      "select seat_id, kind, status from seats where event_id = $1 order by seat_id",
      event,
    );
    expect(seats).toHaveLength(24);
    expect(seats[0]).toEqual({ seat_id: "A-A-1", kind: "accessible", status: "available" });
    expect(seats[1]).toEqual({ seat_id: "A-A-2", kind: "general", status: "blocked" });
    expect((await organizer("GET", `${sira.edge}/api/rooms/${event}`)).body["phase"]).toBe(
      "upcoming",
    );
    // The check names what is still missing, and the schedule takes a change.
    await page.locator('[data-finding="never_rehearsed"]').waitFor();
    await page.getByLabel("At", { exact: true }).fill("2031-06-01T10:30");
    await page.getByLabel("Rate, people a minute").last().fill("300");
    await page.getByRole("button", { name: "Plan it" }).click();
    await page.getByLabel("Reason (stands in the audit log)").fill("a slow start");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.locator(".timeline li").waitFor();
    // A copy of it, from the file bar.
    const clone = `${event}-2`;
    await page.goto(`${sira.edge}/console#/${event}/event`);
    await page.getByRole("button", { name: "Clone this event" }).click();
    await doneAt(page, "Create", "a second night");
    await expect
      .poll(async () => (await sql("select 1 from seats where event_id = $1", clone)).length, POLL)
      .toBe(24);
    await context.close();
  });

  test("is watched with figures of which each one is SQL's or the gate's, while a crowd runs", async () => {
    const room = { ratePerMinute: 600, activeMax: 40, sessionMs: 600_000 };
    const { event } = await createOpenEvent(sira, { room });
    const fans = await Promise.all([1, 2, 3].map(() => joinQueue(sira, event)));
    await Promise.all(fans.map((fan) => fan.admit()));
    const stop = new AbortController();
    const crowd = runCrowd({
      edge: sira.edge,
      event,
      fans: 150,
      ratePerSecond: 5,
      shopMs: { min: 20_000, max: 40_000 },
      absentShare: 0.2,
      signal: stop.signal,
      tally: new Tally(),
    }).catch(() => undefined);
    const { page, context } = await openDesk(browser, sira, { event, view: "live" });
    const desk = watchDesk(page, { database, event, room });
    const check = () => expect.poll(desk.agrees, { timeout: 45_000, interval: 50 }).toBe("agrees");
    await page.locator(".house-map [data-at]").waitFor();
    await page.locator(".charts canvas").first().waitFor();
    await check();
    const [first, second, third] = fans.map((fan) => buyerOf(sira, fan));
    await first?.hold({ seats: ["A-1-1", "A-1-2"] });
    await check();
    await first?.pay("pm_declined", 402);
    await check();
    await first?.pay("pm_ok", 201);
    await check();
    await second?.hold({ zone: "floor", quantity: 3 });
    await second?.pay("pm_ok", 201);
    await check();
    await third?.hold({ seats: ["A-3-1"] });
    await third?.pay("pm_error", 202);
    await check();
    const [ticket] = await sql<{ id: string; order: string }>(
      `select id, order_id as "order" from tickets where event_id = $1 and seat_id = 'A-1-2'`,
      event,
    );
    await organizer("POST", `${sira.core}/v1/organizer/orders/${ticket?.order}/refunds`, {
      tickets: [ticket?.id],
      reason: "one is ill",
    });
    const at = `${sira.core}/v1/organizer/events/${event}`;
    await organizer("POST", `${at}/seats/block`, { seats: ["A-4-9"], reason: "a camera" });
    await check();
    expect(desk.wrong).toEqual([]);
    expect(desk.moments.size).toBeGreaterThan(5);
    // Each card says how old it is, and none of them is older than two seconds.
    const ages = async () => (await readDesk(page)).ages;
    await expect
      .poll(async () => (await ages()).every(({ ms }) => ms <= 2_000), { ...POLL, interval: 100 })
      .toBe(true);
    expect(
      await page.locator(".live .card-head:not(:has([data-age-ms]))").allTextContents(),
    ).toEqual(["Health"]);
    stop.abort();
    await crowd;
    await context.close();
  });

  test("is stopped, sold out, closed and begun anew, each for a reason that stands in the log", async () => {
    const { event } = await createOpenEvent(sira);
    const fan = await joinQueue(sira, event);
    await fan.admit();
    const { page, context } = await openDesk(browser, sira, { event, view: "live" });
    const at = `${sira.edge}/api/rooms/${event}`;
    const hold = () =>
      fan.callCore("POST", `/v1/events/${event}/holds`, { body: { seats: ["A-1-1"] } });
    for (const [act, phase] of [
      ["Stop everything", "paused"],
      ["Resume", "open"],
      ["Sold out", "sold_out"],
      ["Reopen", "open"],
      ["Close", "closed"],
      ["Reset", undefined],
    ] as const) {
      await doneAt(page, act, `because of ${act}`);
      if (phase)
        await expect.poll(async () => (await organizer("GET", at)).body["phase"], POLL).toBe(phase);
      // Who was inside is inside no more, and cannot buy.
      if (act === "Stop everything")
        await expect.poll(async () => (await hold()).status, POLL).toBe(401);
    }
    expect((await organizer("GET", at)).body["epoch"]).toBe(2);
    const log = await organizer<{ entries: { reason?: string }[] }>("GET", `${at}/log`);
    const reasons = log.body.entries.flatMap(({ reason }) =>
      reason?.startsWith("because") ? [reason] : [],
    );
    expect(reasons).toHaveLength(6);
    await context.close();
  });

  test("lets one in round the line, which everybody may read in the published report", async () => {
    const { event } = await createOpenEvent(sira, { room: { ratePerMinute: 1, activeMax: 100 } });
    await joinQueue(sira, event);
    const last = await joinQueue(sira, event);
    const { page, context } = await openDesk(browser, sira, { event, view: "live" });
    await page.getByRole("button", { name: "Let one in" }).click();
    await page.getByLabel("Place id").fill(last.joined.place.id);
    await page.getByLabel("Reason (stands in the audit log)").fill("in a wheelchair, in the rain");
    await page.getByRole("dialog").getByRole("button", { name: "Let one in" }).click();
    await page.locator('[data-figure="letIn"]').waitFor();
    const { page: fan } = await openPage(browser);
    await fan.goto(`${sira.edge}/fairness/${event}`);
    await fan.getByText("There is no published report").waitFor();
    await page.getByRole("link", { name: "Afterwards" }).click();
    await doneAt(page, "Publish the report", "people asked");
    await fan.reload();
    await fan.getByText("People let in round the line: 1").waitFor();
    await fan.getByText("in a wheelchair, in the rain").waitFor();
    const { body } = await request<FairnessReport>(
      "GET",
      `${sira.edge}/api/queue/${event}/fairness`,
    );
    expect(body.overAdmissions.count).toBe(0);
    expect(body.letIn.count).toBe(1);
    await Promise.all([context.close(), fan.context().close()]);
  });

  test("has orders that are found, refunded in part, mailed again, and an end for all of them", async () => {
    const { event } = await createOpenEvent(sira);
    const order = await buyAt(sira, event, ["A-1-1", "A-1-2"], "deniz@example.com");
    await buyAt(sira, event, ["A-3-1"], "other@example.com");
    const { page, context } = await openDesk(browser, sira, { event, view: "orders" });
    const rows = page.locator(".row");
    await expect.poll(() => rows.count(), POLL).toBe(2);
    await page.getByLabel("Search", { exact: true }).fill("A-1-2");
    await page.getByRole("button", { name: "Search" }).click();
    await expect.poll(() => rows.count(), POLL).toBe(1);
    await rows.click();
    await page.locator(".history", { hasText: "Payment succeeded" }).waitFor();
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByLabel("Some tickets").check();
    await page.getByLabel("A-1-2").check();
    await page.getByLabel("Reason (stands in the audit log)").fill("one is ill");
    await page.getByRole("dialog").getByRole("button", { name: "Refund" }).click();
    await page.getByText("The refund is on its way.").waitFor();
    await expect
      .poll(() => sql("select state from orders where id = $1", order), POLL)
      .toEqual([{ state: "part_refunded" }]);
    await doneAt(page, "Send the tickets again", "lost the phone");
    await page.getByText("The mail is on its way.").waitFor();

    await page.getByRole("link", { name: "Afterwards" }).click();
    await doneAt(page, "Call the event off", "the roof leaks");
    await page.getByText("The event is off.").waitFor();
    await expect
      .poll(
        async () =>
          (await organizer<SaleFigures>("GET", `${sira.core}/v1/organizer/events/${event}/figures`))
            .body.orders,
        POLL,
      )
      .toEqual({ refunded: 2 });
    await page.locator('[data-act="cancelled"]', { hasText: "2 mails sent" }).waitFor();
    const room = () => organizer("GET", `${sira.edge}/api/rooms/${event}`);
    await expect.poll(() => room().then(({ body }) => body["phase"]), POLL).toBe("closed");
    await context.close();
  });

  test("is rehearsed by a crowd on a copy, refused where people are, and leaves no trace", async () => {
    const { event: busy } = await createOpenEvent(sira);
    await joinQueue(sira, busy);
    const at = (event: string) => `${sira.core}/v1/organizer/events/${event}/rehearsals`;
    const wish = { fans: 12, arriveMs: 2_000, absentPercent: 25, buyPercent: 100, reason: "test" };
    const refused = await organizer("POST", at(busy), wish);
    expect([refused.status, refused.body["code"]]).toEqual([409, "rehearsal_refused"]);

    const opensAt = new Date(Date.now() + 3_600_000).toISOString();
    const { event } = await createOpenEvent(sira, { room: { opensAt, early: "draw" } });
    const { page, context } = await openDesk(browser, sira, { event, view: "rehearse" });
    await page.getByLabel("Fans").fill("12");
    await page.getByLabel("Seconds in which they arrive").fill("2");
    await page.getByLabel("Of 100, how many close the tab").fill("25");
    await page.getByLabel("Of 100 let in, how many buy").fill("100");
    await doneAt(page, "Rehearse", "before the big day");
    await page.locator(".mark", { hasText: "Rehearsal" }).waitFor();
    const list = async () =>
      (await organizer<{ rehearsals: RehearsalView[] }>("GET", at(event))).body.rehearsals;
    const [running] = await list();
    const copy = running?.copy ?? "";
    // Nobody but the crowd gets a place in the copy, and no list shows it.
    const stranger = await request("POST", `${sira.edge}/api/queue/${copy}/places`, { body: {} });
    expect(stranger.status).toBeGreaterThanOrEqual(400);
    const events = await request<{ events: { id: string }[] }>("GET", `${sira.core}/v1/events`);
    expect(events.body.events.map(({ id }) => id)).not.toContain(copy);
    await expect.poll(async () => (await list())[0]?.state, POLL).toBe("ended");
    const [done] = await list();
    expect(done?.report).toMatchObject({
      joined: 12,
      absent: 3,
      admitted: 9,
      bought: 9,
      wrong: [],
    });
    for (const table of ["events", "orders", "holds", "seats", "tickets", "outbox", "admissions"])
      expect(await sql(`select 1 from ${table} where event_id = $1`, copy), table).toEqual([]);
    expect((await organizer("GET", `${sira.edge}/api/rooms/${copy}`)).status).toBe(404);
    const gone = await organizer("DELETE", `${sira.edge}/api/rooms/${event}`);
    expect([gone.status, gone.body["code"]]).toEqual([409, "action_not_possible"]);
    const log = await sql<{ action: string }>(
      "select action from audit_log where event_id = $1 and action like 'rehearsal%' order by seq",
      event,
    );
    expect(log.map(({ action }) => action)).toEqual(["rehearsal.start", "rehearsal.end"]);
    await context.close();
  });
});
