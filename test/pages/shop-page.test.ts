// The shop and the order in a real browser: one charge whatever happens to the page.
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { waitFor } from "../support/wait-for.ts";
import { findBarriers } from "./axe.ts";
import { enterShop, type Shop } from "./enter-shop.ts";

const WAIT_MS = 20_000;

/** The slow card answers after six seconds instead of half a minute: time to reload in between. */
const PSP_TIME_SCALE = "0.2";

describe.skipIf(mustSkipBrowser())("the shop", () => {
  let sira: Sira;
  let browser: Browser;
  let event: string;
  beforeAll(async () => {
    [sira, browser] = await Promise.all([
      startSira({ pspEnv: { PSP_TIME_SCALE } }),
      launchBrowser(),
    ]);
    ({ event } = await createOpenEvent(sira, { room: { binding: "none" } }));
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
  });

  const openShop = (locale?: string): Promise<Shop> =>
    enterShop(browser, sira, { event, ...(locale === undefined ? {} : { locale }) });

  async function orderStanding({ page }: Shop): Promise<string> {
    await page.locator(".tabs button").last().click();
    await page.locator(".panel button[type=submit]").click();
    await page.locator(".held").waitFor({ timeout: WAIT_MS });
    await page.locator("input[name=email]").fill("fan@example.org");
    await page.locator("input[name=name]").fill("A Fan");
    await page.locator(".held button[type=submit]").click();
    await page.waitForURL("**/orders/**", { timeout: WAIT_MS });
    await page.locator(".choices").waitFor({ timeout: WAIT_MS });
    return page.url().split("/").at(-1) ?? "";
  }
  async function chargesOf(
    order: string,
  ): Promise<{ state: string; calls: { confirm: number } }[]> {
    const { body } = await request<{
      charges: { reference: string; state: string; calls: { confirm: number } }[];
    }>("GET", `${sira.psp}/_charges`);
    return body.charges.filter(({ reference }) => reference === order);
  }
  /** The newest link of the mails to this address that leads there. */
  async function linkOf(to: string, path: string): Promise<string> {
    let found: string | undefined;
    await waitFor(async () => {
      const { body } = await request<{ mails: { to: string[]; text: string }[] }>(
        "GET",
        `${sira.mailbox}/mails.json`,
      );
      const texts = body.mails.filter((mail) => mail.to.includes(to)).map(({ text }) => text);
      found = texts
        .join("\n")
        .split(/\s+/)
        .findLast((word) => word.startsWith(`${sira.edge}${path}`));
      return found !== undefined;
    });
    return found ?? "";
  }
  const pay = (page: Page) => page.locator(".order form button[type=submit]");
  const tickets = (page: Page) => page.locator(".pass").first().waitFor({ timeout: 40_000 });

  test("has no barriers on the map, the list, the best seats, the hold and the payment", async () => {
    const shop = await openShop();
    const { page, context } = shop;
    for (let tab = 0; tab < 4; tab += 1) {
      await page.locator(".tabs button").nth(tab).click();
      expect(await findBarriers(page), `tab ${tab}`).toEqual([]);
    }
    await page.locator(".panel button[type=submit]").click();
    await page.locator(".held").waitFor({ timeout: WAIT_MS });
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await page.locator(".held").waitFor({ timeout: WAIT_MS });
    await page.getByRole("button", { name: "Give the seats back" }).click();
    await page.locator(".tabs").waitFor({ timeout: WAIT_MS });
    await orderStanding(shop);
    expect(await findBarriers(page)).toEqual([]);
    await pay(page).click();
    await tickets(page);
    expect(await findBarriers(page)).toEqual([]);
    await context.close();
  });

  test("names a seat that somebody was faster with, and holds nothing then", async () => {
    const [one, other] = await Promise.all([openShop(), openShop()]);
    // Without stream and map the other cannot know before the core says so.
    await other.page.route(/\/(seats|stream)(\?|$)/, (route) => route.abort());
    await other.page.reload();
    await other.page.unroute(/\/(seats|stream)(\?|$)/);
    await other.page.locator(".tabs").waitFor({ timeout: WAIT_MS });
    for (const { page } of [one, other]) {
      await page.getByRole("button", { name: "List", exact: true }).click();
      await page.getByRole("button", { name: /^Section A/ }).click();
      await page.getByRole("button", { name: /row 1, seat 3,/ }).click();
    }
    await one.page.getByRole("button", { name: "Hold these seats" }).click();
    await other.page.getByRole("button", { name: "Hold these seats" }).click();
    await one.page.locator(".held").waitFor({ timeout: WAIT_MS });
    const alert = other.page.getByRole("alert").filter({ hasText: "A 1/3" });
    await alert.waitFor({ timeout: WAIT_MS });
    expect(await findBarriers(other.page)).toEqual([]);
    for (const { context } of [one, other]) await context.close();
  });

  test("charges once though the button is pressed twice", async () => {
    const shop = await openShop();
    const order = await orderStanding(shop);
    await pay(shop.page).dblclick();
    await tickets(shop.page);
    expect(await chargesOf(order)).toMatchObject([{ state: "succeeded", calls: { confirm: 1 } }]);
    await shop.context.close();
  });

  test("opens order and ticket from the mails, and hands a ticket on for good", async () => {
    const shop = await openShop("de-DE");
    const order = await orderStanding(shop);
    await pay(shop.page).click();
    await tickets(shop.page);
    await shop.context.close();

    const mailed = await openPage(browser, "de-DE");
    await mailed.page.goto(await linkOf("fan@example.org", `/orders/${order}#token=`));
    await tickets(mailed.page);
    expect(new URL(mailed.page.url()).hash).toBe("");
    await mailed.page.reload();
    await mailed.page.getByRole("link", { name: "Öffnen oder weitergeben" }).first().click();
    await mailed.page.locator("img.qr").waitFor({ timeout: WAIT_MS });
    expect(await findBarriers(mailed.page)).toEqual([]);
    const ticket = mailed.page.url();
    const before = await mailed.page.locator("img.qr").getAttribute("src");
    const saved = mailed.page.waitForEvent("download");
    await mailed.page.getByRole("button", { name: "In den Kalender" }).click();
    expect((await saved).suggestedFilename()).toMatch(/^tkt_.*\.ics$/);
    await mailed.page.getByText("Dieses Ticket weitergeben").click();
    await mailed.page.locator("input[name=name]").fill("A Friend");
    await mailed.page.locator("input[name=email]").fill("friend@example.org");
    await mailed.page.getByRole("button", { name: "Weiter", exact: true }).click();
    expect(await findBarriers(mailed.page)).toEqual([]);
    await mailed.page.getByRole("button", { name: "Weitergeben", exact: true }).click();
    await mailed.page.getByRole("heading", { name: "Das Ticket ist weitergegeben" }).waitFor();
    await mailed.page.goto(ticket);
    await mailed.page.getByRole("heading", { name: "Dieses Ticket ist nicht bei Ihnen" }).waitFor();
    expect(await findBarriers(mailed.page)).toEqual([]);
    await mailed.page.goto(`${sira.edge}/orders/${order}`);
    await mailed.page.locator(".stamp", { hasText: "Weitergegeben" }).waitFor();
    await mailed.context.close();

    const friend = await openPage(browser, "ar");
    const link = await linkOf("friend@example.org", `${new URL(ticket).pathname}#token=`);
    await friend.page.goto(link);
    await friend.page.locator("img.qr").waitFor({ timeout: WAIT_MS });
    expect(await friend.page.locator("img.qr").getAttribute("src")).not.toBe(before);
    expect(new URL(friend.page.url()).hash).toBe("");
    expect(await findBarriers(friend.page)).toEqual([]);
    await friend.context.close();
  });

  test("charges once though the page is reloaded in mid-payment, and says not to pay again", async () => {
    const shop = await openShop();
    const { page, context } = shop;
    const order = await orderStanding(shop);
    await page.locator("input[value=pm_slow]").check();
    await pay(page).click();
    await page.getByText("We are checking your payment").waitFor({ timeout: WAIT_MS });
    await page.reload();
    await Promise.race([
      page.getByText("Please do not pay again").waitFor({ timeout: WAIT_MS }),
      tickets(page),
    ]);
    await tickets(page);
    expect(await chargesOf(order)).toMatchObject([{ state: "succeeded", calls: { confirm: 1 } }]);
    await context.close();
  });

  test("sends the very same attempt again when the first never arrived", async () => {
    const shop = await openShop();
    const { page, context } = shop;
    const order = await orderStanding(shop);
    const keys: string[] = [];
    await page.route("**/attempts", async (route) => {
      if (route.request().method() === "OPTIONS") return route.continue();
      keys.push(route.request().headers()["idempotency-key"] ?? "");
      return keys.length === 1 ? route.abort() : route.continue();
    });
    await pay(page).click();
    await tickets(page);
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keys).size).toBe(1);
    expect(await chargesOf(order)).toMatchObject([{ state: "succeeded", calls: { confirm: 1 } }]);
    await context.close();
  });

  /** Everything that may be going on when a tab dies, from the press to the last answer. */
  const MOMENTS: Readonly<
    Record<string, (page: Page, kill: () => Promise<void>) => Promise<void>>
  > = {
    "as soon as the button is pressed": async (page, kill) => {
      await pay(page).click({ noWaitAfter: true });
      await kill();
    },
    "when the last attempt is asked about, before anything is stored": (page, kill) =>
      killAt(page, (request) => request.method() === "GET", kill),
    "when the attempt is stored and not yet sent": (page, kill) => killAt(page, isAttempt, kill),
    "when it has arrived and its answer is on the way": (page, kill) =>
      killAt(page, isAttempt, kill, "after"),
    "when the answer is there and the order is read again": async (page, kill) => {
      let isSent = false;
      page.on("request", (request) => {
        isSent ||= isAttempt(request);
      });
      await killAt(page, (request) => isSent && request.method() === "GET", kill);
    },
    "while a slow card is being asked": async (page, kill) => {
      await page.locator("input[value=pm_slow]").check();
      await pay(page).click();
      await page.getByText("We are checking your payment").waitFor({ timeout: WAIT_MS });
      await kill();
    },
  };
  const isAttempt = (request: Request): boolean =>
    request.method() === "POST" && request.url().endsWith("/attempts");
  /** Presses, and kills the tab when a request of this kind is about to go, or has been answered. */
  async function killAt(
    page: Page,
    which: (request: Request) => boolean,
    kill: () => Promise<void>,
    when: "before" | "after" = "before",
  ): Promise<void> {
    const killed = new Promise<void>((resolve) => {
      void page.route("**/v1/orders/**", async (route) => {
        if (!which(route.request())) return route.continue();
        if (when === "after") await route.fetch();
        await kill();
        resolve();
      });
    });
    await pay(page).click({ noWaitAfter: true });
    await killed;
  }

  test.each(Object.keys(MOMENTS))("charges once though the tab is killed %s", async (moment) => {
    const shop = await openShop();
    const order = await orderStanding(shop);
    const { page, context } = shop;
    await MOMENTS[moment]?.(page, () => page.close());
    // Opened again, and in a second tab at the same moment, as people do who are afraid for their money.
    const again = await Promise.all([context.newPage(), context.newPage()]);
    for (const tab of again) await tab.goto(`${sira.edge}/orders/${order}`);
    const [first, second] = again;
    if (!first || !second) throw new Error("no tabs");
    const form = first.locator(".pay button[type=submit]");
    await Promise.race([form.waitFor({ timeout: WAIT_MS }), tickets(first)]).catch(() => undefined);
    if (await form.isVisible()) {
      // Nothing was sent: the press is the fan's own.
      expect(await chargesOf(order)).toEqual([]);
      await form.click();
    }
    await tickets(first);
    await tickets(second);
    expect(await chargesOf(order)).toMatchObject([{ state: "succeeded", calls: { confirm: 1 } }]);
    await context.close();
  });

  test("tells when somebody leaves while the payment is being checked", async () => {
    const shop = await openShop();
    const { page, context } = shop;
    await orderStanding(shop);
    await page.locator("input[value=pm_slow]").check();
    await pay(page).click();
    await page.getByText("We are checking your payment").waitFor({ timeout: WAIT_MS });
    const count = async () => {
      const { text } = await request("GET", `${sira.core}/metrics`);
      return Number(/^sira_payment_left_checking(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? 0);
    };
    const before = await count();
    await page.goto("about:blank");
    await waitFor(async () => (await count()) > before);
    await context.close();
  });

  test("shows the tickets one by one, prints a receipt, and gives the evening to a calendar", async () => {
    const shop = await openShop();
    const { page, context } = shop;
    const order = await orderStanding(shop);
    await pay(page).click();
    await tickets(page);
    await page.getByRole("button", { name: "Show one by one" }).click();
    await page.locator("dialog img.qr").first().waitFor({ timeout: WAIT_MS });
    await page.getByText("Ticket 1 of 2").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    await page.getByRole("button", { name: "Print the receipt" }).click();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".receipt").isVisible()).toBe(true);
    expect(await page.locator(".receipt").textContent()).toContain(order);
    expect(await page.locator(".passes").isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Add to calendar" }).click();
    expect((await saved).suggestedFilename()).toMatch(/\.ics$/);
    await context.close();
  });

  test("offers another card after a refusal, in the fan's language", async () => {
    const shop = await openShop("tr-TR");
    const { page, context } = shop;
    const order = await orderStanding(shop);
    await page.locator("input[value=pm_declined]").check();
    await pay(page).click();
    await page.getByText("Ödeme reddedildi").first().waitFor({ timeout: WAIT_MS });
    expect(await findBarriers(page)).toEqual([]);
    await page.locator("input[value=pm_ok]").check();
    await pay(page).click();
    await tickets(page);
    const states = (await chargesOf(order)).map(({ state }) => state).sort();
    expect(states).toEqual(["failed", "succeeded"]);
    await context.close();
  });

  test("sends whoever was not called to the line, and strangers away from an order", async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${sira.edge}/shop/${event}`);
    await page.getByRole("heading", { name: "First the line, then the shop" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(`${sira.edge}/orders/ord_AAAAAAAAAAAAAAAAAAAAAA`);
    await page.getByRole("heading", { name: "This order is not in this browser" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await context.close();
  });
});
