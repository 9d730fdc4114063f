// The first view of the queue page as a phone gets it: weighed on the wire by Chromium, in each
// language, and timed on a bad network.
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../../edge/pages/kit/i18n.ts";
import { type Stand, startStand } from "../edge/stand.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";

/** Page, styles, code, words and icons, as they come over the wire. */
const FIRST_VIEW_BYTES_MAX = 20_000;
const BAD_NETWORK = { latency: 300, downloadThroughput: 400_000, uploadThroughput: 400_000 };
const FIRST_PAINT_MS_MAX = 2_000;

type Fetched = { url: string; bytes: number; encoding: string | undefined };

async function watchWire(page: Page): Promise<{ session: CDPSession; fetched: Fetched[] }> {
  const session = await page.context().newCDPSession(page);
  const fetched: Fetched[] = [];
  const open = new Map<string, Fetched & { head: number }>();
  await session.send("Network.enable");
  session.on("Network.responseReceived", ({ requestId, response }) => {
    const encoding = response.headers["content-encoding"] ?? response.headers["Content-Encoding"];
    open.set(requestId, {
      url: response.url,
      bytes: 0,
      encoding,
      head: response.encodedDataLength,
    });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const known = open.get(requestId);
    if (known) fetched.push({ ...known, bytes: Math.max(0, encodedDataLength - known.head) });
  });
  return { session, fetched };
}

const isAsset = ({ url }: Fetched): boolean => !new URL(url).pathname.startsWith("/api/");

describe.skipIf(mustSkipBrowser())("the first view of the queue page", () => {
  let stand: Stand;
  let browser: Browser;
  beforeAll(async () => {
    [stand, browser] = await Promise.all([startStand(), launchBrowser()]);
    await stand.room("first", { ratePerMinute: 6, early: "fifo" });
    await stand.call("POST", "/api/rooms/first/actions", { action: "pause", reason: "a test" });
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.stop();
  });
  const showsNumber = (page: Page) =>
    page.locator("main[data-screen=paused] #number:not(.blank)").waitFor();

  test.each(Object.keys(LANGUAGES))("is under 20 kB on the wire: %s", async (locale) => {
    const { page, context, troubles } = await openPage(browser, locale);
    const { fetched } = await watchWire(page);
    await page.goto(`${stand.gate.origin}/e/first`);
    await showsNumber(page);
    expect(await page.locator("html").getAttribute("lang")).toBe(locale);
    const assets = fetched.filter(isAsset);
    // Page, style sheet, two scripts and the language, compressed by the gate.
    expect(assets.filter(({ encoding }) => encoding === "br").length).toBeGreaterThanOrEqual(5);
    // What is counted is what came from the network; the worker's copies come from the cache.
    const bytes = assets.reduce((sum, each) => sum + each.bytes, 0);
    expect(bytes, JSON.stringify(assets, null, 1)).toBeLessThan(FIRST_VIEW_BYTES_MAX);
    for (const { url } of fetched) expect(new URL(url).origin).toBe(stand.gate.origin);
    expect(troubles).toEqual([]);
    await context.close();
  });

  test("paints within two seconds at 400 kB a second and 300 ms of latency", async () => {
    const { page, context } = await openPage(browser, "tr-TR");
    const { session } = await watchWire(page);
    await session.send("Network.emulateNetworkConditions", { offline: false, ...BAD_NETWORK });
    await page.goto(`${stand.gate.origin}/e/first`);
    await showsNumber(page);
    const paintedMs = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    expect(paintedMs).toBeGreaterThan(2 * BAD_NETWORK.latency - 50);
    expect(paintedMs).toBeLessThan(FIRST_PAINT_MS_MAX);
    await context.close();
  });
});
