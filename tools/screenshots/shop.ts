// Pictures of every state of the shop, the order and the ticket: on a phone and a desk, light and
// dark, and from right to left. `node tools/screenshots/shop.ts [--out DIR] [--only desk-dark,…]`
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { contextOf, type Look, readWishes } from "./looks.ts";
import {
  admitFan,
  enterShop,
  launchChromium,
  openHouse,
  openStand,
  type Stand,
} from "./shop-stand.ts";

const EVENT = "harbour";
const BIG = "arena";
const BRIEF = "brief";
/** Nobody is called to it. */
const UNCALLED = "uncalled";

/** What stays in sight while the page moves is pictured where it stands on the screen. */
const AS_ON_SCREEN = /wallet|chosen|list|taken/;

type Shot = (name: string) => Promise<void>;

const tab = (page: Page, nth: number) => page.locator(".tabs button").nth(nth);

/** One tap comes near, the next ones take seats. */
async function chooseOnMap(page: Page): Promise<void> {
  const canvas = page.locator(".map canvas");
  const box = await canvas.boundingBox();
  if (!box) throw new Error("the plan has no box");
  await canvas.click({ position: { x: box.width / 2, y: box.height * 0.6 } });
  await page.waitForTimeout(700);
  for (let y = box.height * 0.3; y < box.height - 20; y += 28)
    for (let x = box.width * 0.4; x < box.width * 0.8; x += 27) {
      await canvas.click({ position: { x, y } });
      if ((await page.locator(".chosen li").count()) >= 2) return;
    }
}

async function buy(page: Page): Promise<void> {
  await page.locator(".held").waitFor();
  await page.locator("input[name=email]").fill("fan@example.org");
  await page.locator("input[name=name]").fill("Deniz Aydın");
  await page.locator(".held button[type=submit]").click();
  await page.waitForURL("**/orders/**");
  await page.locator(".choices").waitFor();
}

async function choosing(page: Page, shot: Shot): Promise<void> {
  await page.waitForTimeout(600);
  await shot("01-map");
  await chooseOnMap(page);
  await shot("02-map-chosen");
  await tab(page, 1).click();
  await shot("03-best");
  await tab(page, 2).click();
  await page.locator(".section").nth(1).click();
  await shot("04-list");
  await tab(page, 3).click();
  await shot("05-standing");
}

/** Somebody else is faster with the seats of the choice. */
async function taken(stand: Stand, page: Page, shot: Shot): Promise<void> {
  await tab(page, 0).click();
  await page.waitForTimeout(300);
  if ((await page.locator(".chosen li").count()) === 0) await chooseOnMap(page);
  const labels = await page.locator(".chosen li b").allTextContents();
  const seats = labels.map((label) => label.trim().replace(" ", "-").replace("/", "-"));
  const admission = await admitFan(stand, EVENT);
  const reply = await fetch(`${stand.stack.core}/v1/events/${EVENT}/holds`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${admission.token}`,
    },
    body: JSON.stringify({ seats: seats.slice(0, 1) }),
  });
  if (!reply.ok) throw new Error(`the rival got no ${seats[0]}: ${await reply.text()}`);
  await page.locator(".taken").waitFor({ timeout: 15_000 });
  await page.waitForTimeout(700);
  await shot("06-just-taken");
}

async function paying(page: Page, shot: Shot): Promise<void> {
  await tab(page, 1).click();
  await page.locator(".extras .stepper button").nth(1).click();
  await page.locator(".best button[type=submit]").click();
  await page.locator(".held").waitFor();
  await shot("07-held");
  await buy(page);
  await shot("08-pay");
  await page.locator("input[value=pm_declined]").check();
  await page.locator(".order form button[type=submit]").click();
  await page.locator("[role=alert]").first().waitFor();
  await page.waitForTimeout(1_400);
  await shot("09-declined");
  await page.locator("input[value=pm_slow]").check();
  await page.locator(".order form button[type=submit]").click();
  await page.locator(".checking").waitFor();
  await shot("10-checking");
  await page.locator(".pass").first().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(800);
  await shot("11-tickets");
  await page.locator(".wallet-open").click();
  await page.waitForTimeout(500);
  await shot("12-wallet");
  await page.keyboard.press("Escape");
  await page.locator(".pass-link").first().click();
  await page.locator("img.qr").waitFor();
  await page.waitForTimeout(300);
  await shot("13-ticket");
}

async function edges(stand: Stand, page: Page, shot: Shot): Promise<void> {
  const { edge } = stand.stack;
  await page.goto(`${edge}/orders/ord_AAAAAAAAAAAAAAAAAAAAAA`);
  await page.locator(".say-all").waitFor();
  await shot("20-foreign");
  await page.goto(`${edge}/shop/${UNCALLED}`);
  await page.locator(".say-all .actions").waitFor();
  await shot("21-not-called");
}

async function takeLook(stand: Stand, browser: Browser, look: Look, out: string): Promise<void> {
  const context = await browser.newContext(contextOf(look));
  const on =
    (page: Page): Shot =>
    async (name) => {
      await page.waitForTimeout(300);
      await page.screenshot({
        path: join(out, `${name}-${look}.png`),
        fullPage: !AS_ON_SCREEN.test(name),
      });
    };
  const page = await enterShop(stand, context, EVENT);
  page.setDefaultTimeout(60_000);
  await choosing(page, on(page));
  await taken(stand, page, on(page));
  await paying(page, on(page));
  const short = await enterShop(stand, context, BRIEF);
  await tab(short, 1).click();
  await short.locator(".best button[type=submit]").click();
  await short.locator(".held").waitFor();
  await short.waitForTimeout(600);
  await on(short)("14-held-soon");
  const big = await enterShop(stand, context, BIG);
  await big.waitForTimeout(1_200);
  await on(big)("15-arena");
  await edges(stand, page, on(page));
  await context.close();
}

const { out, looks } = readWishes("shop");
const stand = await openStand({ pspEnv: { PSP_TIME_SCALE: "0.1" } });
const browser = await launchChromium();
try {
  await openHouse(stand, EVENT, { seats: 3_000, sold: 0.45 });
  await openHouse(stand, BIG, { seats: 60_000 });
  await openHouse(stand, UNCALLED, { seats: 500 });
  await openHouse(stand, BRIEF, { seats: 500, changes: { holdMs: 60_000 } });
  for (const look of looks) {
    await takeLook(stand, browser, look, out);
    console.log(`shop: ${look} taken`);
  }
} finally {
  await browser.close();
  await stand.stop();
}
