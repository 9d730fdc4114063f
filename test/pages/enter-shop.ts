// A browser that stands in the shop. The way through the line is walked by the queue page's own tests
// and costs seconds each time; here a fan without a key is called over HTTP, and the browser is left
// what the queue page would have left it.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openPage } from "../support/browser.ts";
import { type Fan, joinQueue } from "../support/fan.ts";
import type { Sira } from "../support/sira.ts";

export type Shop = {
  page: Page;
  context: BrowserContext;
  event: string;
  /** The same fan over HTTP. */
  fan: Fan;
  troubles: string[];
};

const WAIT_MS = 30_000;

/** Needs a room with `binding: none`. `prepare` sees the page before it opens the shop. */
export async function enterShop(
  browser: Browser,
  sira: Sira,
  visit: { event: string; locale?: string; prepare?: (page: Page) => Promise<unknown> },
): Promise<Shop> {
  const { event, locale } = visit;
  const fan = await joinQueue(sira, event, { bound: false });
  const admission = await fan.admit();
  const { page, context, troubles } = await openPage(browser, locale);
  await visit.prepare?.(page);
  await page.goto(`${sira.edge}/robots.txt`);
  await page.evaluate(
    ([key, value]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("sira", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("kv");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("kv", "readwrite");
          transaction.objectStore("kv").put(value, key);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    [`admission:${event}`, admission] as const,
  );
  await page.goto(`${sira.edge}/shop/${event}`);
  await page.locator(".tabs").waitFor({ timeout: WAIT_MS });
  return { page, context, event, fan, troubles };
}
