// Headless Chromium of the system, driven by playwright-core. Where there is none, browser tests say
// so and are skipped; in CI a missing browser is a failure.
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

// Chromium must not look for anything outside this machine, and root has no sandbox.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  const found = [...(named === undefined ? [] : [named]), ...PLACES].find((path) =>
    existsSync(path),
  );
  if (found === undefined && process.env["CI"] === undefined) {
    console.warn("Browser tests are skipped: no Chromium here (set CHROMIUM_PATH).");
  }
  return found;
}

/** For `describe.skipIf`: true where a person has no browser, never in CI. */
export function mustSkipBrowser(): boolean {
  return findChromium() === undefined && process.env["CI"] === undefined;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("CI needs Chromium: none was found");
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong in the page: exceptions, errors on the console, policy violations. */
  readonly troubles: string[];
}

/** A person's browser: a context of its own, with everything that goes wrong written down. */
export async function openPage(browser: Browser, locale = "en-GB"): Promise<WatchedPage> {
  const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(`console: ${message.text()}`);
  });
  return { page, context, troubles };
}
