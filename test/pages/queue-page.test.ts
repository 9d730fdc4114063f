// The queue page in a real browser before the real gate: each state by its real cause.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Organizer } from "../../tools/demo/organizer.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { findBarriers } from "./axe.ts";

const WAIT_MS = 20_000;

const screenOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.getElementById("main")?.dataset["screen"]);

const expectScreen = (page: Page, screen: string): Promise<void> =>
  expect.poll(() => screenOf(page), { timeout: WAIT_MS }).toBe(screen);

/** As when the network comes back: the page asks now, instead of after its seconds between polls. */
const expectSoon = (page: Page, read: () => Promise<unknown>, wanted: unknown): Promise<void> =>
  expect
    .poll(
      async () => {
        await page.evaluate(() => dispatchEvent(new Event("online")));
        return read();
      },
      { timeout: WAIT_MS, interval: 250 },
    )
    .toBe(wanted);

describe.skipIf(mustSkipBrowser())("the queue page", () => {
  let sira: Sira;
  let browser: Browser;
  beforeAll(async () => {
    [sira, browser] = await Promise.all([startSira(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
  });

  async function openQueue(
    room: object,
    options: { locale?: string; pause?: string } = {},
  ): Promise<{ page: Page; context: BrowserContext; event: string; organizer: Organizer }> {
    const { event, organizer } = await createOpenEvent(sira, { room });
    if (options.pause !== undefined) await organizer.act(event, "pause", options.pause);
    const { page, context } = await openPage(browser, options.locale);
    await page.goto(`${sira.edge}/e/${event}`);
    return { page, context, event, organizer };
  }
  /** Everybody waits: the room is paused before anybody comes. */
  const openWaiting = (options: { locale?: string } = {}) =>
    openQueue({}, { ...options, pause: "sound check until 20:15" });

  test("draws a number at the opening that it has computed by itself", async () => {
    const opensAt = new Date(Date.now() + 6_000).toISOString();
    const { page, context, event } = await openQueue({ opensAt, early: "draw", ratePerMinute: 1 });
    await expectScreen(page, "pool");
    expect(await page.locator("#lamps").getAttribute("aria-label")).toBeTruthy();
    expect(await findBarriers(page)).toEqual([]);
    await expect.poll(() => page.locator("#number").textContent(), { timeout: WAIT_MS }).toBe("1");
    await page.goto(`${sira.edge}/verify/${event}`);
    await page.getByRole("heading", { name: "The draw is right" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await context.close();
  });

  test("says that the line is paused and why, then goes on by itself to the shop", async () => {
    const { page, context, event, organizer } = await openWaiting({ locale: "de-DE" });
    await expectScreen(page, "paused");
    expect(await page.locator("#reason").textContent()).toBe("sound check until 20:15");
    // What the core sells, as it tells the gate each second.
    await page.locator("#tiers li", { hasText: "Standing" }).first().waitFor({ timeout: WAIT_MS });
    expect(await page.locator("h2#headline").textContent()).toBe("Die Schlange ist angehalten");
    expect(await findBarriers(page)).toEqual([]);
    await organizer.act(event, "resume", "sound check done");
    await page.waitForURL(`**/shop/${event}`, { timeout: WAIT_MS });
    await context.close();
  });

  test("says what the organizer says, that all is sold, and that it is over", async () => {
    const { page, context, event, organizer } = await openWaiting({ locale: "ar" });
    await expectScreen(page, "paused");
    expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
    const notice = '<b>A second night</b> & "more"';
    const patched = await fetch(`${sira.edge}/api/rooms/${event}`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${await organizerToken(sira)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ notice }),
    });
    expect(patched.status).toBe(200);
    await expectSoon(page, () => page.locator("#notice").textContent(), notice);
    await organizer.act(event, "sold_out", "all gone");
    await expectSoon(page, () => screenOf(page), "sold_out");
    expect(await findBarriers(page)).toEqual([]);
    const late = await openPage(browser);
    await late.page.goto(`${sira.edge}/e/${event}`);
    await expectScreen(late.page, "too_late");
    await late.page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await findBarriers(late.page)).toEqual([]);
    await late.context.close();
    await organizer.act(event, "close", "over");
    await expectSoon(page, () => screenOf(page), "closed");
    await context.close();
  });

  test("keeps one number through reloads and tabs, and asks only once for all of them", async () => {
    const { page, context, event } = await openWaiting();
    await expectScreen(page, "paused");
    const number = await page.locator("#number").textContent();
    for (let i = 0; i < 5; i += 1) await page.reload();
    const tabs = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const tab = await context.newPage();
        await tab.goto(`${sira.edge}/e/${event}`);
        return tab;
      }),
    );
    for (const tab of [page, ...tabs])
      await expect
        .poll(() => tab.locator("#number").textContent(), { timeout: WAIT_MS })
        .toBe(number);
    let asking = new Set<Page>();
    for (const tab of [page, ...tabs])
      tab.on("request", (request) => {
        if (request.url().endsWith("/status")) asking.add(tab);
      });
    await page.waitForTimeout(1_000);
    asking = new Set();
    await expect.poll(() => asking.size, { timeout: WAIT_MS }).toBe(1);
    await page.waitForTimeout(3_000);
    expect(asking.size).toBe(1);
    const [leader] = asking;
    await leader?.close();
    asking = new Set();
    await expect.poll(() => asking.size, { timeout: WAIT_MS }).toBe(1);
    await context.close();
  });

  test("leaves the line only after asking, and joins again at the end", async () => {
    const { page, context } = await openWaiting();
    await expectScreen(page, "paused");
    const before = await page.locator("#number").textContent();
    await page.getByRole("button", { name: "Leave the line" }).click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Stay in the line" }).click();
    expect(await screenOf(page)).toBe("paused");
    await page.getByRole("button", { name: "Leave the line" }).click();
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await expectScreen(page, "left");
    await page.reload();
    await expectScreen(page, "left");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Join again at the end" }).click();
    await expectScreen(page, "paused");
    const after = await page.locator("#number").textContent();
    expect(Number(after)).toBeGreaterThan(Number(before));
    await context.close();
  });

  test("answers the gate's check by itself, and gets its place", async () => {
    const { page, context } = await openQueue({ challenge: "pow" }, { pause: "not yet" });
    await expectScreen(page, "paused");
    expect(Number(await page.locator("#number").textContent())).toBe(1);
    await context.close();
  });

  test("asks before it gives up a place that this browser can no longer prove", async () => {
    const { page, context, event } = await openWaiting();
    await expectScreen(page, "paused");
    // The key is lost, the cookie is not.
    await page.goto(`${sira.edge}/robots.txt`);
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase("sira");
          deletion.onsuccess = () => resolve();
          deletion.onerror = () => reject(deletion.error);
        }),
    );
    await page.goto(`${sira.edge}/e/${event}`);
    await expectScreen(page, "conflict");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Give up the old place and go on" }).click();
    await expectScreen(page, "paused");
    await expect.poll(() => page.locator("#number").textContent()).toBe("2");
    await context.close();
  });

  test("is not misled by a phone clock that is ten minutes off", async () => {
    const { event } = await createOpenEvent(sira);
    const walk = async (minutes: number) => {
      const { page, context } = await openPage(browser);
      await page.addInitScript((offset) => {
        const real = Date.now.bind(Date);
        Date.now = () => real() + offset;
      }, minutes * 60_000);
      await page.goto(`${sira.edge}/e/${event}`);
      await page.waitForURL(`**/shop/${event}`, { timeout: WAIT_MS });
      await page.getByRole("button", { name: "Standing", exact: true }).click();
      await page.getByRole("button", { name: /^Hold 2 places/ }).click();
      await page.getByText("Held for you").waitFor();
      await context.close();
    };
    await Promise.all([walk(-10), walk(10)]);
  });
});

async function organizerToken(sira: Sira): Promise<string> {
  const reply = await fetch(`${sira.core}/v1/organizer/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: sira.organizerKey }),
  });
  const { token }: { token: string } = await reply.json();
  return token;
}
