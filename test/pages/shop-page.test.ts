// The shop and the order in a real browser: one charge whatever happens to the page.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { waitFor } from "../support/wait-for.ts";
import { findBarriers } from "./axe.ts";
import { enterShop, type Shop } from "./enter-shop.ts";
import { orderStanding, pay, readCharges, tickets } from "./shop-order.ts";

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
  const chargesOf = (order: string) => readCharges(sira, order);

  /** The buyer's fields as a phone fills them in, and the choice of other seats; @returns what was sent. */
  async function orderWithEqualSeats(page: Page): Promise<unknown> {
    const email = page.getByRole("textbox", { name: "E-mail" });
    const name = page.getByRole("textbox", { name: "Name" });
    expect(await email.getAttribute("type")).toBe("email");
    expect(await email.getAttribute("inputmode")).toBe("email");
    expect(await email.getAttribute("autocomplete")).toBe("email");
    expect(await name.getAttribute("autocomplete")).toBe("name");
    await email.fill("fan@example.org");
    await name.fill("A Fan");
    await page.getByRole("checkbox", { name: /equal ones at the same price/ }).check();
    const sent = page.waitForRequest((call) => call.url().endsWith("/orders"));
    await page.getByRole("button", { name: /Continue to payment/ }).click();
    return (await sent).postDataJSON();
  }

  test("names a seat that somebody was faster with, and holds nothing then", async () => {
    // Without stream, and with one look at the map, the other cannot know before the core says so.
    const prepare = async (page: Page) => {
      await page.route("**/stream*", (route) => route.abort());
      await page.route("**/seats", (route) => route.abort());
      await page.route("**/seats", (route) => route.continue(), { times: 1 });
    };
    const [one, other] = await Promise.all([
      openShop(),
      enterShop(browser, sira, { event, prepare }),
    ]);
    for (const { page } of [one, other]) {
      await page.getByRole("button", { name: "List", exact: true }).click();
      await page.getByRole("button", { name: /^Section A/ }).click();
      await page.getByRole("button", { name: /row 1, seat 3,/ }).click();
    }
    await one.page.getByRole("button", { name: "Hold these seats" }).click();
    await other.page.getByRole("button", { name: "Hold these seats" }).click();
    await one.page.locator(".held").waitFor({ timeout: WAIT_MS });
    expect(await orderWithEqualSeats(one.page)).toMatchObject({
      buyer: { email: "fan@example.org", name: "A Fan" },
      acceptEqualSeats: true,
    });
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

  test("explains that lost seats are refunded by themselves", async () => {
    const shop = await openShop();
    const { page, context } = shop;
    const order = await orderStanding(shop);
    await page.route(`**/v1/orders/${order}`, async (route) => {
      if (route.request().method() === "OPTIONS") return route.continue();
      const reply = await route.fetch();
      const body = await reply.json();
      const refunds = [{ id: "ref_1", state: "sent", amount: body.total }];
      await route.fulfill({ response: reply, json: { ...body, state: "expired", refunds } });
    });
    await page.reload();
    await page.getByText("Your money is on its way back by itself").waitFor({ timeout: WAIT_MS });
    await page.getByText("Refund: ₺100.00").waitFor({ timeout: WAIT_MS });
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
