// Pictures of every view of the console: on a phone and a desk, light and dark, and from right to left.
// `node tools/screenshots/console.ts [--out DIR] [--only desk-dark,…]`
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { EVENT, openSale, type Sale, SOON } from "./console-stand.ts";
import { contextOf, type Look, readWishes } from "./looks.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** What is to be seen: where, and what must be there before the picture is taken. */
const VIEWS: readonly [name: string, event: string, view: string, waitFor: string][] = [
  ["02-live", EVENT, "live", ".charts canvas"],
  ["03-orders", EVENT, "orders", ".row"],
  ["05-event", EVENT, "event", ".paint-box canvas"],
  ["06-room", SOON, "room", ".timeline li"],
  ["07-rehearse", SOON, "rehearse", ".card"],
  ["08-after", EVENT, "after", ".fairness li"],
  ["09-log", EVENT, "log", ".history li"],
  ["10-new", EVENT, "new", ".poster"],
  ["11-books", EVENT, "books", ".card"],
  ["12-access", EVENT, "access", ".card"],
];

async function takeLook(sale: Sale, browser: Browser, look: Look, out: string): Promise<void> {
  const context = await browser.newContext(contextOf(look));
  const page = await context.newPage();
  const shot = async (name: string) => {
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(out, `${name}-${look}.png`), fullPage: true });
  };
  const { edge, organizerKey } = sale.stack;
  await page.goto(`${edge}/console`);
  await page.locator("input[name=key]").waitFor();
  await shot("01-sign-in");
  await page.locator("input[name=key]").fill(organizerKey);
  await page.locator(".stub button[type=submit]").click();
  await page.locator(".tabs").waitFor();
  for (const [name, event, view, waitFor] of VIEWS) {
    await page.goto(`${edge}/console#/${event}/${view}`);
    await page.locator(waitFor).first().waitFor();
    await page.waitForTimeout(view === "live" ? 3_000 : 0);
    if (view === "room") await seePreview(page);
    await shot(name);
    if (view === "live") await takeDialog(page, shot);
    if (view === "orders") await takeOrder(page, shot);
  }
  await page.goto(`${edge}/fairness/${EVENT}`);
  await page.locator(".fairness li").first().waitFor();
  await shot("13-fairness");
  await context.close();
}

/** A frame far below the fold is painted when it has been seen. */
async function seePreview(page: Page): Promise<void> {
  await page.locator("iframe").scrollIntoViewIfNeeded();
  await page.frameLocator("iframe").locator("main").waitFor();
  await page.waitForTimeout(500);
}

async function takeDialog(page: Page, shot: (name: string) => Promise<void>): Promise<void> {
  await page.locator(".acts button").nth(1).click();
  await page.locator("dialog[open]").waitFor();
  await shot("02-stop-dialog");
  await page.keyboard.press("Escape");
}

async function takeOrder(page: Page, shot: (name: string) => Promise<void>): Promise<void> {
  await page.locator(".row").nth(1).click();
  await page.locator(".detail .history li").first().waitFor();
  await shot("04-order");
}

const { out, looks } = readWishes("console");
const executablePath = CHROMIUM.find((path) => existsSync(path));
if (executablePath === undefined) throw new Error("no Chromium here");
const sale = await openSale();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  for (const look of looks) {
    await takeLook(sale, browser, look, out);
    console.log(`console: ${look} taken`);
  }
} finally {
  await browser.close();
  await sale.stop();
}
