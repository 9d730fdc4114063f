// One fan's walk in a real browser: events, queue, shop, hold, payment, tickets with their codes.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser, openPage, type WatchedPage } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { type Sira, startSira } from "../support/sira.ts";

describe.skipIf(mustSkipBrowser())("one fan's walk in a browser", () => {
  let sira: Sira;
  let browser: Browser;
  beforeAll(async () => {
    [sira, browser] = await Promise.all([startSira(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
  });

  test("from the list of events to tickets that can be scanned", async () => {
    const name = "Walk of the Fan";
    const { event } = await createOpenEvent(sira, { description: { name } });
    const { page, context, troubles } = await openPage(browser);

    await page.goto(`${sira.edge}/`);
    await page.getByRole("link", { name }).click();
    await page.waitForURL(`**/e/${event}`);
    await page.getByText("Your number").first().waitFor();
    await page.waitForURL(`**/shop/${event}`);

    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.getByRole("button", { name: /^Section A/ }).click();
    for (const seat of ["row 1, seat 1,", "row 1, seat 2,"]) {
      await page.getByRole("button", { name: new RegExp(`Section A, ${seat}`) }).click();
    }
    await page.getByRole("button", { name: "Hold these seats" }).click();

    await page.getByText("Held for you").waitFor();
    await page.getByLabel("E-mail").fill("fan@example.org");
    await page.getByLabel("Name", { exact: true }).fill("A Fan");
    await page.getByRole("button", { name: /^Continue to payment/ }).click();
    await page.waitForURL("**/orders/**");
    await page.getByRole("button", { name: /^Pay / }).click();

    await page.getByRole("heading", { name: "Here are your tickets" }).waitFor();
    const codes = page.getByRole("img", { name: /code/i });
    await expect.poll(() => codes.count(), { timeout: 20_000 }).toBe(2);
    for (const code of await codes.all()) {
      const isDrawn = await code.evaluate(
        (image) => image instanceof HTMLImageElement && image.naturalWidth > 0,
      );
      expect(isDrawn).toBe(true);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });

  test("a reload keeps the number, and a second browser gets one of its own", async () => {
    const { event, organizer } = await createOpenEvent(sira);
    await organizer.act(event, "pause", "Nobody is called, so that numbers can be compared.");
    const browsers = [await openPage(browser), await openPage(browser)];
    const readNumber = async (watched: WatchedPage): Promise<string> => {
      const number = watched.page.locator("#number");
      await expect.poll(() => number.textContent(), { timeout: 20_000 }).toMatch(/\d/);
      return (await number.textContent()) ?? "";
    };
    const numbers: string[] = [];
    for (const watched of browsers) {
      await watched.page.goto(`${sira.edge}/e/${event}`);
      const number = await readNumber(watched);
      await watched.page.reload();
      expect(await readNumber(watched)).toBe(number);
      numbers.push(number);
    }
    expect(new Set(numbers).size).toBe(2);
    for (const { context } of browsers) await context.close();
  });
});
