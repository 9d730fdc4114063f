// Every state of shop, order and ticket for everybody: axe, targets, no pushing from side to side, in
// light, dark and forced colours, from left to right and from right to left, on 320 and 1280 pixels.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { findBarriers, findSmallTargets, isWiderThanScreen } from "./axe.ts";
import { enterShop } from "./enter-shop.ts";
import { orderStanding, pay, tickets } from "./shop-order.ts";

const WAIT = { timeout: 20_000 };
const LONG_MS = 240_000;

/** Each state sees every colouring, direction and width; the states take the two halves by turns. */
const LOOKS = [
  [
    { colours: "light", language: "en", width: 320 },
    { colours: "dark", language: "ar", width: 1280 },
    { colours: "forced", language: "en", width: 1280 },
  ],
  [
    { colours: "light", language: "ar", width: 1280 },
    { colours: "dark", language: "en", width: 320 },
    { colours: "forced", language: "ar", width: 320 },
  ],
] as const;
let judged = 0;

async function judge(page: Page, state: string): Promise<void> {
  judged += 1;
  for (const { colours, language, width } of LOOKS[judged % 2 === 0 ? 0 : 1]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({
      colorScheme: colours === "dark" ? "dark" : "light",
      forcedColors: colours === "forced" ? "active" : "none",
      reducedMotion: "reduce",
    });
    const switcher = page.locator("#language");
    // A dialog stands before the switch; the language is then the one it was opened in.
    if (!(await page.locator("dialog[open]").isVisible())) {
      await switcher.selectOption(language);
      await page.locator(`html[lang=${language}]`).waitFor();
    }
    // At the end nothing lies behind the bar that stays in sight.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const where = `${state}: ${colours}, ${language}, ${width}`;
    expect(await findBarriers(page), where).toEqual([]);
    expect(await findSmallTargets(page), where).toEqual([]);
    expect(await isWiderThanScreen(page), where).toBe(false);
  }
  await page.locator("#language").evaluate((element) => {
    if (element instanceof HTMLSelectElement && !document.querySelector("dialog[open]")) {
      element.value = "en";
      element.dispatchEvent(new Event("change"));
    }
  });
}

describe.skipIf(mustSkipBrowser())("for everybody", () => {
  let sira: Sira;
  let browser: Browser;
  let event: string;
  let brief: string;
  beforeAll(async () => {
    [sira, browser] = await Promise.all([
      startSira({ pspEnv: { PSP_TIME_SCALE: "0.3" } }),
      launchBrowser(),
    ]);
    const room = { binding: "none" };
    const addons = [{ id: "parking", name: "Parking", price: 2_000, stock: 30 }];
    const rows = [
      { id: "1", zone: "stalls", seats: 10 },
      { id: "2", zone: "stalls", seats: 10, accessible: [1], companions: [2] },
    ];
    const sections = [
      { id: "A", name: "Section A", rows },
      { id: "B", name: "Section B", rows },
    ];
    const description = { addons, sections };
    ({ event } = await createOpenEvent(sira, { room, description }));
    ({ event: brief } = await createOpenEvent(sira, {
      room,
      description: { ...description, holdMs: 60_000 },
    }));
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
  });

  test(
    "map, best seats, list, standing, a choice, and what was just taken",
    async () => {
      const { page, context } = await enterShop(browser, sira, { event });
      for (const [tab, name] of ["map", "best", "list", "standing"].entries()) {
        await page.locator(".tabs button").nth(tab).click();
        if (name === "list") {
          await page.locator(".section").first().click();
          await page.locator(".seat").nth(3).click();
        }
        await judge(page, name);
      }
      const rival = await enterShop(browser, sira, { event });
      await page.locator(".tabs button").nth(2).click();
      await page.locator(".chosen").waitFor(WAIT);
      const taken = (await page.locator(".chosen li b").first().textContent()) ?? "";
      const seat = taken.trim().replace(" ", "-").replace("/", "-");
      await rival.fan.callCore("POST", `/v1/events/${event}/holds`, { body: { seats: [seat] } });
      await page.locator(".taken").waitFor(WAIT);
      await judge(page, "just taken");
      for (const each of [context, rival.context]) await each.close();
    },
    LONG_MS,
  );

  test(
    "the hold, its last minute, its end, and a shop that nobody was called to",
    async () => {
      const { page, context } = await enterShop(browser, sira, { event: brief });
      await page.locator(".tabs button").nth(1).click();
      await page.locator(".best button[type=submit]").click();
      await page.locator(".held").waitFor(WAIT);
      await judge(page, "held");
      await page.getByRole("button", { name: "Give the seats back" }).click();
      await page.locator(".tabs").waitFor(WAIT);
      await page.route("**/holds", (route) =>
        route.fulfill({
          status: 409,
          contentType: "application/problem+json",
          headers: { "access-control-allow-origin": sira.edge },
          body: JSON.stringify({ code: "sold_out" }),
        }),
      );
      await page.locator(".tabs button").nth(1).click();
      await page.locator(".best button[type=submit]").click();
      await page.locator("[data-code=sold_out]").waitFor(WAIT);
      await judge(page, "sold out");
      await page.evaluate(() => indexedDB.deleteDatabase("sira"));
      await page.goto(`${sira.edge}/shop/${brief}`);
      await page.locator(".say-all").waitFor(WAIT);
      await judge(page, "not called");
      await context.close();
    },
    LONG_MS,
  );

  test(
    "paying, a refusal, the checking page, tickets, the wallet, a ticket, a stranger's order",
    async () => {
      const shop = await enterShop(browser, sira, { event });
      const { page, context } = shop;
      await orderStanding(shop);
      await judge(page, "paying");
      await page.locator("input[value=pm_declined]").check();
      await pay(page).click();
      await page.locator(".pay [role=alert]").waitFor(WAIT);
      await judge(page, "declined");
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route("**/attempts", async (route) => {
        if (route.request().method() === "POST") await held;
        await route.continue();
      });
      await page.locator("input[value=pm_ok]").check();
      await pay(page).click();
      await page.locator(".checking").waitFor(WAIT);
      await judge(page, "checking");
      answer();
      await tickets(page);
      await judge(page, "tickets");
      await page.locator(".wallet-open").click();
      await page.locator("dialog[open] img.qr").first().waitFor(WAIT);
      await judge(page, "wallet");
      await page.keyboard.press("Escape");
      await page.locator(".pass-link").first().click();
      await page.locator("img.qr").waitFor(WAIT);
      await judge(page, "ticket");
      await page.locator(".panel > summary").click();
      await judge(page, "handing on");
      await page.goto(`${sira.edge}/orders/ord_AAAAAAAAAAAAAAAAAAAAAA`);
      await page.locator(".say-all").waitFor(WAIT);
      await judge(page, "a stranger's order");
      await context.close();
    },
    LONG_MS,
  );
});
