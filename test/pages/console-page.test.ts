// The organizer's desk in a real browser: who may sit at it, what is set there bites, and everybody can
// use it.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent, describeSmallEvent } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { type OidcIssuer, startOidcIssuer } from "../support/oidc.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { actAt, buyerOf, doneAt, openDesk, organizerOf, signInAt } from "./console-desk.ts";
import { judge } from "./judge.ts";

const RATE = "Rate, people a minute";
const REASON = "Reason (stands in the audit log)";
const LONG_MS = 240_000;

describe.skipIf(mustSkipBrowser())("the console", () => {
  let sira: Sira;
  let browser: Browser;
  let issuer: OidcIssuer;
  beforeAll(async () => {
    issuer = await startOidcIssuer("sira-console");
    const provider = {
      id: "work",
      name: "Work account",
      issuer: issuer.origin,
      clientId: "sira-console",
      grants: [{ claim: "groups", value: "press", role: "viewer", events: ["*"] }],
    };
    [sira, browser] = await Promise.all([
      startSira({ coreEnv: { OIDC_PROVIDERS: JSON.stringify([provider]) } }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
    issuer?.close();
  });

  const statusOf = async (event: string) =>
    (
      await request<{ phase: string; reason?: string; notice?: string; ratePerMinute: number }>(
        "GET",
        `${sira.edge}/api/queue/${event}/status`,
      )
    ).body;

  test("signs in with the key, sets the rate, publishes a notice, pauses with a reason", async () => {
    const { event } = await createOpenEvent(sira, { description: { name: "The Console's Own" } });
    const { page, context, troubles } = await openPage(browser);
    await page.goto(`${sira.edge}/console#/${event}/live`);
    await page.getByLabel("Organizer key").fill("a-key-that-nobody-has-made");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await signInAt(page, sira);
    await page.getByText("Now calling").waitFor();

    await page.getByRole("spinbutton", { name: RATE }).fill("1234");
    await page.getByText("Nobody is waiting.").waitFor();
    await doneAt(page, "Apply", "more people than thought");
    await expect
      .poll(async () => (await statusOf(event)).ratePerMinute, { timeout: 15_000 })
      .toBe(1234);
    await page.getByLabel("Notice to everybody who waits").fill("A second night");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByLabel(REASON).fill("the band said yes");
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect
      .poll(async () => (await statusOf(event)).notice, { timeout: 15_000 })
      .toBe("A second night");
    await doneAt(page, "Pause", "sound check");
    await expect
      .poll(async () => statusOf(event), { timeout: 15_000 })
      .toMatchObject({ phase: "paused", reason: "sound check" });
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("link", { name: "Audit log" }).click();
    for (const reason of ["sound check", "the band said yes", "more people than thought"])
      await page.locator(".history", { hasText: reason }).waitFor();
    // The refused key is a 401 that the browser writes down by itself.
    expect(troubles.filter((text) => !text.includes("401"))).toEqual([]);
    await context.close();
  });

  test("tells somebody whose view is old that another has changed the room", async () => {
    const { event } = await createOpenEvent(sira);
    const { page, context } = await openDesk(browser, sira, { event, view: "live" });
    const rate = page.getByRole("spinbutton", { name: RATE });
    await rate.waitFor();
    // The room's settings are kept from the page, as on a bad network, while somebody else acts.
    await page.route(`**/api/rooms/${event}`, (route) =>
      route.request().method() === "GET" ? route.abort() : route.continue(),
    );
    const organizer = await organizerOf(sira);
    const room = `${sira.edge}/api/rooms/${event}`;
    expect((await organizer("PATCH", room, { ratePerMinute: 77 })).status).toBe(200);
    await rate.fill("88");
    await actAt(page, "Apply", "mine");
    await page.getByText("Somebody else has changed this meanwhile").waitFor();
    expect((await statusOf(event)).ratePerMinute).toBe(77);
    // As soon as the page hears of it, it says so by itself.
    await page.getByRole("button", { name: "Back" }).click();
    await page.unroute(`**/api/rooms/${event}`);
    await page.getByText("has just changed this room: settings").waitFor();
    // A sign-in that is about to end is renewed where one stands; what was being written stays.
    await page.evaluate(() => {
      const kept = JSON.parse(sessionStorage.getItem("sira-organizer") ?? "{}");
      const expiresAt = new Date(Date.now() + 240_000).toISOString();
      sessionStorage.setItem("sira-organizer", JSON.stringify({ ...kept, expiresAt }));
    });
    await page.reload();
    await page.getByText("Your sign-in ends at").waitFor();
    await page.getByLabel("Notice to everybody who waits").fill("Half a sent");
    await page.getByLabel("Organizer key").fill(sira.organizerKey);
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await page.getByText("Your sign-in ends at").waitFor({ state: "detached" });
    expect(await page.getByLabel("Notice to everybody who waits").inputValue()).toBe("Half a sent");
    await context.close();
  });

  test("signs in by an OpenID provider, and shows a viewer everything but what to press", async () => {
    const { event } = await createOpenEvent(sira);
    issuer.next({ sub: "journalist", groups: ["press"] });
    const { page, context } = await openPage(browser);
    await page.goto(`${sira.edge}/console`);
    await page.getByRole("button", { name: "Sign in with Work account" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.goto(`${sira.edge}/console#/${event}/live`);
    await page.getByText("Now calling").waitFor();
    await page.getByText("Viewer", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "New event" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Access" }).count()).toBe(0);
    const token: string = await page.evaluate(
      () => JSON.parse(sessionStorage.getItem("sira-organizer") ?? "{}").token,
    );
    const headers = { authorization: `Bearer ${token}` };
    const refused = await Promise.all([
      request("PATCH", `${sira.edge}/api/rooms/${event}`, { body: { ratePerMinute: 1 }, headers }),
      request("POST", `${sira.core}/v1/organizer/events/${event}/cancel`, {
        body: { reason: "mischief" },
        headers: { ...headers, "idempotency-key": "k" },
      }),
      request("GET", `${sira.core}/v1/organizer/events/${event}/exports/orders.csv`, { headers }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    await context.close();
  });

  test("gives an operator a key for one event, who finds no more than is theirs, and takes it back", async () => {
    const [{ event }, { event: other }] = [
      await createOpenEvent(sira),
      await createOpenEvent(sira),
    ];
    const { page, context } = await openDesk(browser, sira, { event: "", view: "access" });
    await page.getByText("the deployment's own key is the only one").waitFor();
    await page.getByLabel("Whose key").fill("Front of house");
    await page.getByLabel("Role").selectOption({ label: "Operator" });
    await page.getByLabel("Events").last().fill(event);
    await page.getByRole("button", { name: "Make the key" }).click();
    const key = (await page.locator(".done code").textContent()) ?? "";
    expect(key).toMatch(/^sk_/);

    const { page: desk, context: theirs } = await openPage(browser);
    await desk.goto(`${sira.edge}/console#/${other}/live`);
    await signInAt(desk, sira, key);
    await desk.getByText("Operator", { exact: true }).waitFor();
    // An address of another's event shows their own.
    await desk.getByRole("button", { name: "Pause" }).waitFor();
    expect(await desk.locator(".pick option").count()).toBe(1);
    for (const name of ["New event", "Books", "Access"])
      expect(await desk.getByRole("link", { name, exact: true }).count(), name).toBe(0);
    await desk.getByRole("link", { name: "Afterwards" }).click();
    await desk.getByText("The event is not to be").waitFor();
    expect(await desk.getByRole("button", { name: "Call the event off" }).count()).toBe(0);
    await desk.getByRole("link", { name: "Event", exact: true }).click();
    await desk.getByText("Only an owner may change the event.").waitFor();
    expect(await desk.getByLabel("Venue", { exact: true }).isDisabled()).toBe(true);

    const [owner, operator] = [await organizerOf(sira), await organizerOf(sira, key)];
    const own = `${sira.core}/v1/organizer/events/${event}`;
    const refused = await Promise.all([
      operator("PUT", own, describeSmallEvent()),
      operator("POST", `${own}/cancel`, { reason: "mischief" }),
      operator("GET", `${sira.core}/v1/organizer/keys`),
      operator("POST", `${sira.core}/v1/organizer/reconciliations`, { day: "2026-01-01" }),
      operator("GET", `${sira.core}/v1/organizer/events/${other}/figures`),
      operator("PATCH", `${sira.edge}/api/rooms/${other}`, { ratePerMinute: 1 }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(
      (await operator("PATCH", `${sira.edge}/api/rooms/${event}`, { notice: "Hello" })).status,
    ).toBe(200);

    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Really revoke?" }).click();
    await page.getByText("revoked", { exact: true }).waitFor();
    const again = await request("POST", `${sira.core}/v1/organizer/sessions`, { body: { key } });
    expect(again.status).toBe(401);
    const audit = await owner<{ lines: { action: string }[] }>(
      "GET",
      `${sira.core}/v1/organizer/audit`,
    );
    const acts = audit.body.lines
      .map(({ action }) => action)
      .filter((act) => act.startsWith("key_"));
    expect(acts).toEqual(["key_revoked", "key_created"]);
    await Promise.all([context.close(), theirs.close()]);
  });

  test(
    "is for everybody: the way in, the live desk, its dialogs, its refusals",
    async () => {
      const found: string[] = [];
      const { event } = await createOpenEvent(sira);
      const { page, context } = await openPage(browser);
      const see = async (view: string, ready: string) => {
        await page.goto(`${sira.edge}/console#/${event}/${view}`);
        await page.locator(ready).first().waitFor();
      };
      const look = async (state: string) => found.push(...(await judge(page, state)));
      await page.goto(`${sira.edge}/console`);
      await page.locator("input[name=key]").fill("a-key-that-nobody-has-made");
      await page.locator(".stub button[type=submit]").click();
      await page.getByRole("alert").waitFor();
      await look("sign in, refused");
      await signInAt(page, sira);
      await see("live", ".charts canvas");
      await look("live");
      await page.getByRole("button", { name: "Stop everything" }).click();
      await look("a grave act");
      await page.keyboard.press("Escape");
      await page.getByRole("spinbutton", { name: RATE }).fill("99999");
      await look("a rate beyond what the core bears");
      await page.getByRole("button", { name: "Apply" }).click();
      await look("what is about to change");
      await page.getByLabel(REASON).fill("judged");
      await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await doneAt(page, "Pause", "judged");
      await page.getByRole("button", { name: "Resume" }).waitFor();
      await look("paused");
      await see("rehearse", ".card form");
      await look("rehearse");
      await see("log", ".history li");
      await look("log");
      expect(found).toEqual([]);
      await context.close();
    },
    LONG_MS,
  );

  test(
    "is for everybody: orders, refunds, afterwards, the report that everybody may read",
    async () => {
      const found: string[] = [];
      const { event } = await createOpenEvent(sira, { room: { publishFairness: true } });
      const fan = await joinQueue(sira, event);
      await fan.admit();
      const buyer = buyerOf(sira, fan);
      await buyer.hold({ seats: ["A-1-1", "A-1-2"] });
      await buyer.pay("pm_ok", 201);
      const { page, context } = await openDesk(browser, sira, { event, view: "orders" });
      const look = async (state: string) => found.push(...(await judge(page, state)));
      await page.getByLabel("Search", { exact: true }).fill("nobody at all");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByText("No orders found.").waitFor();
      await look("no orders");
      await page.getByLabel("Search", { exact: true }).fill("");
      await page.getByRole("button", { name: "Search" }).click();
      await page.locator(".row").click();
      await page.locator(".detail .history li").first().waitFor();
      await look("an order");
      await page.getByRole("button", { name: "Refund", exact: true }).click();
      await page.getByLabel("Some tickets").check();
      await look("a refund");
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Afterwards" }).click();
      await doneAt(page, "Call the event off", "judged");
      await page.locator("[data-act=cancelled]").waitFor();
      await look("afterwards, called off");
      await page.goto(`${sira.edge}/fairness/${event}`);
      await page.locator(".fairness li").first().waitFor();
      await look("the published report");
      expect(found).toEqual([]);
      await context.close();
    },
    LONG_MS,
  );
});
