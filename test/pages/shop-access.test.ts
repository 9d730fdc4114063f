// Every state of shop, order and ticket for everybody: axe, targets, no pushing from side to side, in
// light, dark and forced colours, from left to right and from right to left, on 320 and 1280 pixels.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { enterShop } from "./enter-shop.ts";
import { judge } from "./judge.ts";
import { orderStanding, pay, tickets } from "./shop-order.ts";
import { STAND_IN } from "./stripe-stand-in.ts";

const WAIT = { timeout: 20_000 };
const LONG_MS = 240_000;

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
      const found: string[] = [];
      const { page, context } = await enterShop(browser, sira, { event });
      for (const [tab, name] of ["map", "best", "list", "standing"].entries()) {
        await page.locator(".tabs button").nth(tab).click();
        if (name === "list") {
          await page.locator(".section").first().click();
          await page.locator(".seat").nth(3).click();
        }
        found.push(...(await judge(page, name)));
      }
      const rival = await enterShop(browser, sira, { event });
      await page.locator(".tabs button").nth(2).click();
      await page.locator(".section").first().click();
      await page.locator(".seat", { hasText: "+" }).first().click();
      await page.locator(".chosen .hint").waitFor(WAIT);
      found.push(...(await judge(page, "a companion alone")));
      await page.locator(".seat", { hasText: "+" }).first().click();
      await page.locator(".chosen").waitFor(WAIT);
      const taken = (await page.locator(".chosen li b").first().textContent()) ?? "";
      const seat = taken.trim().replace(" ", "-").replace("/", "-");
      await rival.fan.callCore("POST", `/v1/events/${event}/holds`, { body: { seats: [seat] } });
      await page.locator(".taken").waitFor(WAIT);
      found.push(...(await judge(page, "just taken")));
      expect(found).toEqual([]);
      for (const each of [context, rival.context]) await each.close();
    },
    LONG_MS,
  );

  test(
    "the hold, its last minute, its end, and a shop that nobody was called to",
    async () => {
      const found: string[] = [];
      const { page, context } = await enterShop(browser, sira, { event: brief });
      await page.locator(".tabs button").nth(1).click();
      await page.locator(".best button[type=submit]").click();
      await page.locator(".held").waitFor(WAIT);
      found.push(...(await judge(page, "held")));
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
      found.push(...(await judge(page, "sold out")));
      await page.evaluate(() => indexedDB.deleteDatabase("sira"));
      await page.goto(`${sira.edge}/shop/${brief}`);
      await page.locator(".say-all .actions").waitFor(WAIT);
      found.push(...(await judge(page, "not called")));
      expect(found).toEqual([]);
      await context.close();
    },
    LONG_MS,
  );

  test(
    "paying, a refusal, the checking page, tickets, the wallet, a ticket, a stranger's order",
    async () => {
      const found: string[] = [];
      const shop = await enterShop(browser, sira, { event });
      const { page, context } = shop;
      await orderStanding(shop);
      found.push(...(await judge(page, "paying")));
      await page.locator("input[value=pm_declined]").check();
      await pay(page).click();
      await page.locator(".pay [role=alert]").waitFor(WAIT);
      found.push(...(await judge(page, "declined")));
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
      found.push(...(await judge(page, "checking")));
      answer();
      await tickets(page);
      found.push(...(await judge(page, "tickets")));
      await page.locator(".wallet-open").click();
      await page.locator("dialog[open] img.qr").first().waitFor(WAIT);
      found.push(...(await judge(page, "wallet")));
      await page.keyboard.press("Escape");
      await page.locator(".pass-link").first().click();
      await page.locator("img.qr").waitFor(WAIT);
      found.push(...(await judge(page, "ticket")));
      await page.locator(".panel > summary").click();
      found.push(...(await judge(page, "handing on")));
      await page.goto(`${sira.edge}/orders/ord_AAAAAAAAAAAAAAAAAAAAAA`);
      await page.locator(".say-all .actions").waitFor(WAIT);
      found.push(...(await judge(page, "a stranger's order")));
      expect(found).toEqual([]);
      await context.close();
    },
    LONG_MS,
  );

  test(
    "a card's form, also when it does not load, and each end of an order",
    async () => {
      const found: string[] = [];
      const shop = await enterShop(browser, sira, { event });
      const { page, context } = shop;
      const order = await orderStanding(shop);
      const script = `${sira.edge}/stand-in.js`;
      const stripe = { key: "pk_test_standin", script };
      await page.route("**/api/config", (route) =>
        route.fulfill({ json: { core: sira.core, stripe } }),
      );
      await page.route(script, (route) => route.abort());
      await page.goto(`${sira.edge}/pay/${order}`);
      await page.locator(".pay [role=alert]").waitFor(WAIT);
      found.push(...(await judge(page, "no card form")));
      await page.route(script, (route) =>
        route.fulfill({ contentType: "text/javascript", body: STAND_IN }),
      );
      await page.reload();
      await page.locator("#card-number").waitFor(WAIT);
      await page.locator(".pay button[type=submit]").click();
      await page.getByText("Your card number is incomplete.").waitFor(WAIT);
      found.push(...(await judge(page, "card form")));
      const shown = { state: "expired", refunds: [] as object[] };
      await page.route(`**/v1/orders/${order}`, async (route) => {
        const reply = await route.fetch();
        await route.fulfill({ response: reply, json: { ...(await reply.json()), ...shown } });
      });
      await page.goto(`${sira.edge}/orders/${order}`);
      await page.getByRole("link", { name: "To the line" }).waitFor(WAIT);
      found.push(...(await judge(page, "expired")));
      Object.assign(shown, {
        state: "refunded",
        refunds: [{ id: "ref_1", state: "sent", amount: { amount: 10_000, currency: "TRY" } }],
      });
      await page.reload();
      await page.getByText("on its way back").first().waitFor(WAIT);
      found.push(...(await judge(page, "lost and refunded")));
      expect(found).toEqual([]);
      await context.close();
    },
    LONG_MS,
  );
});
