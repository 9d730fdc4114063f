// The organizer's desk in a real browser: who may sit at it, what is set there bites, and everybody can
// use it.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUSE_VIEWS, VIEWS } from "../../edge/pages/console/shell/route.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { request } from "../support/fan.ts";
import { type OidcIssuer, startOidcIssuer } from "../support/oidc.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { findBarriers } from "./axe.ts";
import { actAt, doneAt, openDesk, organizerOf, signInAt } from "./console-desk.ts";

const RATE = "Rate, people a minute";

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
    await page.getByLabel("Reason (stands in the audit log)").fill("the band said yes");
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

  const WAYS = [
    { width: 1280, scheme: "light", forced: "none", locale: "en-GB" },
    { width: 320, scheme: "dark", forced: "none", locale: "ar" },
    { width: 320, scheme: "light", forced: "active", locale: "en-GB" },
    { width: 1280, scheme: "dark", forced: "none", locale: "de" },
    { width: 1280, scheme: "light", forced: "active", locale: "ar" },
    { width: 320, scheme: "light", forced: "none", locale: "ru" },
  ] as const;
  test.each(WAYS)(
    "has no barrier in any view at $width px, $scheme, forced colours $forced, in $locale",
    async (way) => {
      const { width, scheme, forced, locale } = way;
      const { event } = await createOpenEvent(sira);
      const broken: string[] = [];
      const { page, context } = await openPage(browser, locale);
      await page.emulateMedia({ colorScheme: scheme, forcedColors: forced });
      await page.setViewportSize({ width, height: 900 });
      const note = async (what: string) => {
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        const found = await findBarriers(page);
        if (wide > 0) found.push(`scrolls ${wide} px sideways`);
        broken.push(...found.map((each) => `${what}: ${each}`));
      };
      await page.goto(`${sira.edge}/console`);
      await page.locator("input[name=key]").waitFor();
      await note("sign in");
      await page.locator("input[name=key]").fill(sira.organizerKey);
      await page.locator(".stub button[type=submit]").click();
      await page.locator(".tabs").waitFor();
      expect(await page.locator("html").getAttribute("dir")).toBe(locale === "ar" ? "rtl" : "ltr");
      for (const view of [...VIEWS, ...HOUSE_VIEWS]) {
        await page.goto(`${sira.edge}/console#/${event}/${view}`);
        await page.locator(".card, .flow").first().waitFor();
        await note(view);
      }
      await page.goto(`${sira.edge}/console#/${event}/live`);
      await page.locator(".acts button").first().click();
      await page.locator("dialog[open]").waitFor();
      await note("dialog");
      await context.close();
      expect(broken).toEqual([]);
    },
    120_000,
  );
});
