// A sale as its organizer plans, rehearses, watches and ends it: in a real browser, with people in it.
import type { Browser, Page } from "playwright-core";
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
import { doneAt, type Organizer, openDesk, organizerOf } from "./console-desk.ts";

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

  async function buy(event: string, seats: readonly string[], email: string): Promise<string> {
    const fan = await joinQueue(sira, event);
    await fan.admit();
    const hold = await fan.callCore<{ id: string }>("POST", `/v1/events/${event}/holds`, {
      body: { seats },
    });
    expect(hold.status).toBe(201);
    const order = await fan.callCore<{ id: string; orderToken: string }>("POST", "/v1/orders", {
      body: { holdId: hold.body.id, buyer: { email, name: "Ayşe Işık" } },
    });
    const paid = await request("POST", `${sira.core}/v1/orders/${order.body.id}/attempts`, {
      body: { method: "pm_ok" },
      headers: { authorization: `Order ${order.body.orderToken}`, "idempotency-key": email },
    });
    expect(paid.status).toBe(201);
    return order.body.id;
  }

  const figureOf = async (page: Page, name: string): Promise<number> => {
    const text = await page.locator(`[data-figure="${name}"]`).first().textContent();
    return Number((text ?? "").replace(/[^\d.]/g, ""));
  };

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

  test("is watched with figures that are those of /figures and of SQL, while a crowd runs", async () => {
    const { event } = await createOpenEvent(sira, { room: { ratePerMinute: 600, activeMax: 40 } });
    const stop = new AbortController();
    const crowd = runCrowd({
      edge: sira.edge,
      event,
      fans: 40,
      ratePerSecond: 4,
      shopMs: { min: 20_000, max: 40_000 },
      absentShare: 0.2,
      signal: stop.signal,
      tally: new Tally(),
    }).catch(() => undefined);
    const { page, context } = await openDesk(browser, sira, { event, view: "live" });
    await page.getByText("Now calling").waitFor();
    await buy(event, ["A-1-1", "A-1-2"], "one@example.com");
    await buy(event, ["A-2-1"], "two@example.com");
    // What the page draws is what the gate answered it, and that lies between two answers to us.
    let heard: Record<string, number> = {};
    let seen: Record<string, number> = {};
    page.on("response", (response) => {
      if (!response.url().includes(`/api/rooms/${event}/figures`)) return;
      response.json().then(
        (body) => {
          heard = body;
        },
        () => undefined,
      );
    });
    const own = async () =>
      (
        await organizer<Record<string, number>>(
          "GET",
          `${sira.edge}/api/rooms/${event}/figures?since=9000000000000`,
        )
      ).body;
    const before = await own();
    const drawn = async () => {
      const names = ["waiting", "door", "inside"] as const;
      const shown = await Promise.all(names.map((name) => figureOf(page, name)));
      seen = heard;
      return Number(seen["issued"]) > 0 && names.every((name, i) => seen[name] === shown[i]);
    };
    await expect.poll(drawn, { ...POLL, interval: 100 }).toBe(true);
    const after = await own();
    for (const name of ["issued", "admitted", "calling"]) {
      expect(seen[name], name).toBeGreaterThanOrEqual(before[name] ?? 0);
      expect(seen[name], name).toBeLessThanOrEqual(after[name] ?? 0);
    }
    const [counted] = await sql<{ orders: number; sold: number; free: number; captured: number }>(
      `select (select count(*)::int from orders where event_id = $1 and state = 'paid') as orders,
         (select count(*)::int from seats where event_id = $1 and status = 'sold') as sold,
         (select count(*)::int from seats where event_id = $1 and status = 'available') as free,
         (select sum(captured_amount)::int from payment_attempts where event_id = $1) as captured`,
      event,
    );
    expect(counted).toEqual({ orders: 2, sold: 3, free: 37, captured: 30_000 });
    await expect.poll(() => figureOf(page, "orders"), POLL).toBe(2);
    await expect.poll(() => figureOf(page, "captured"), POLL).toBe(300);
    const stalls = page.locator('[data-zone="stalls"]');
    expect(await stalls.locator('[data-part="sold"]').textContent()).toBe("3");
    expect(await stalls.locator('[data-part="available"]').textContent()).toBe("37");
    await page.locator(".key", { hasText: "3 sold" }).waitFor();
    const ages = () =>
      page.locator("[data-age-ms]").evaluateAll((all) => {
        const each = all.map((one) => Number(one.getAttribute("data-age-ms")));
        return each.length > 5 && each.every((ms) => ms <= 2_000);
      });
    await expect.poll(ages, { ...POLL, interval: 100 }).toBe(true);
    await page.locator(".charts canvas").first().waitFor();
    stop.abort();
    await crowd;
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
    const order = await buy(event, ["A-1-1", "A-1-2"], "deniz@example.com");
    await buy(event, ["A-3-1"], "other@example.com");
    const { page, context } = await openDesk(browser, sira, { event, view: "orders" });
    await page.getByLabel("Search", { exact: true }).fill("A-1-2");
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator(".rows li").nth(1).waitFor({ state: "detached" });
    await page.locator(".row").click();
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
    const room = await organizer("GET", `${sira.edge}/api/rooms/${event}`);
    expect(room.body["phase"]).toBe("closed");
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
