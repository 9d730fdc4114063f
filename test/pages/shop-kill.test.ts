// A tab that dies in the middle of a payment, at each moment there is: one charge, and the truth.
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { waitFor } from "../support/wait-for.ts";
import { enterShop, type Shop } from "./enter-shop.ts";
import { orderStanding, pay, readCharges, tickets } from "./shop-order.ts";

const WAIT_MS = 20_000;
/** The slow card answers after six seconds instead of half a minute. */
const PSP_TIME_SCALE = "0.2";

/** Everything that may be going on when a tab dies, from the press to the last answer. */
const MOMENTS: Readonly<Record<string, (page: Page, kill: () => Promise<void>) => Promise<void>>> =
  {
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

describe.skipIf(mustSkipBrowser())("a payment", () => {
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
  const openShop = (): Promise<Shop> => enterShop(browser, sira, { event });
  const chargesOf = (order: string) => readCharges(sira, order);

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
    } else await tickets(second);
    await tickets(first);
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
});
