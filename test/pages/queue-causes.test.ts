// Every state of the queue page in a real browser, brought about at the real gate by its real cause.
// With SIRA_PICTURES=folder each is pictured as well (`npm run screenshots`).
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CapacityReport } from "../../shared/contract/rooms.ts";
import { joinAs, type Stand, startStand, until } from "../edge/stand.ts";
import { type FakeBeacon, fakeChain, startFakeBeacon } from "../shared/draw/fake-beacon.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { takePictures } from "./picture.ts";
import {
  expectScreen,
  keepReportingCapacity,
  nudge,
  reportCapacity,
  WAIT_MS,
} from "./queue-stand.ts";

const HOUR_MS = 3_600_000;
const REDIS = { args: ["--maxmemory-policy", "noeviction"] };
const fake = fakeChain("beacon of the queue page", {
  genesisSeconds: 1_700_000_000,
  periodSeconds: 1,
});
const branding = {
  name: "Deniz Aydın",
  venue: "Harbiye Open Air",
  startsAt: new Date(Date.now() + 60 * 24 * HOUR_MS).toISOString(),
  timeZone: "Europe/Istanbul",
};

describe.skipIf(mustSkipBrowser())("the queue page, by its causes", () => {
  let redis: RunningRedis;
  let beacon: FakeBeacon;
  let stand: Stand;
  let browser: Browser;
  beforeAll(async () => {
    [redis, beacon, browser] = await Promise.all([
      startRedis(REDIS),
      startFakeBeacon(fake),
      launchBrowser(),
    ]);
    stand = await startStand({
      redisUrl: redis.url,
      env: {
        BEACON_CHAIN: JSON.stringify(fake.chain),
        BEACON_HOSTS: new URL(beacon.url).host,
        TURNSTILE_SITE_KEY: "site",
        TURNSTILE_SECRET: "secret",
      },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.stop();
    await Promise.all([beacon?.close(), redis?.stop()]);
  });

  const act = (event: string, action: string, reason = "sound check until 20:15") =>
    stand.call("POST", `/api/rooms/${event}/actions`, { action, reason });
  const patch = (event: string, settings: object) =>
    stand.call("PATCH", `/api/rooms/${event}`, settings);
  const makeRoom = (event: string, settings: Record<string, unknown> = {}) =>
    stand.room(event, { branding, ratePerMinute: 60, ...settings });
  const report = (event: string, seats: Partial<CapacityReport> = {}) =>
    reportCapacity(stand, event, seats);
  const keepReporting = (event: string, seats: Partial<CapacityReport> = {}) =>
    keepReportingCapacity(stand, event, seats);
  async function visit(event: string): Promise<{ page: Page; context: BrowserContext }> {
    const { page, context } = await openPage(browser);
    await page.goto(`${stand.gate.origin}/e/${event}`);
    return { page, context };
  }

  test("before the sale: a countdown, and what an early arrival is worth", async () => {
    const opensAt = new Date(Date.now() + 3 * HOUR_MS).toISOString();
    await makeRoom("early", { opensAt, early: "fifo" });
    await makeRoom("pool", { opensAt, early: "draw" });
    for (let others = 0; others < 8; others += 1) await joinAs(stand, "pool");
    for (const [event, promise] of [
      ["early", "in the order in which they came"],
      ["pool", "Arriving earlier gives no advantage"],
    ] as const) {
      const { page, context } = await visit(event);
      await expectScreen(page, event);
      expect(await page.locator("#body").textContent()).toContain(promise);
      expect(await page.locator("#board-label").textContent()).toBe("Opens in");
      expect(await page.locator("#board-line").textContent()).toContain("where you are");
      await takePictures(page, event);
      await context.close();
    }
  });

  test("in the draw: waits for the beacon and says so, then shows the number and how it was drawn", async () => {
    await makeRoom("draw", {
      opensAt: new Date(Date.now() + HOUR_MS).toISOString(),
      early: "draw",
      ratePerMinute: 1,
      activeMax: 1,
      beacon: { kind: "drand", url: beacon.url },
    });
    beacon.behave("missing");
    for (let others = 0; others < 60; others += 1) await joinAs(stand, "draw");
    const { page, context } = await visit("draw");
    await expectScreen(page, "pool");
    await act("draw", "open", "everybody is here");
    await expectScreen(page, "drawing");
    await expect
      .poll(() => page.locator("#reason").textContent(), { timeout: WAIT_MS })
      .toMatch(/round [\d,]+ of a public beacon/);
    await takePictures(page, "drawing");
    beacon.behave("right");
    await page.locator("#number:not(.blank)").waitFor({ timeout: WAIT_MS + 10_000 });
    await page.getByRole("link", { name: "How your number was drawn" }).waitFor();
    await takePictures(page, "number");
    await page.getByRole("link", { name: "How your number was drawn" }).click();
    await page.waitForURL("**/verify/draw");
    await context.close();
  }, 90_000);

  test("waiting, near, called, missed, called again, and in: each when it is so", async () => {
    await makeRoom("line", { ratePerMinute: 1 });
    await report("line", {});
    const stop = keepReporting("line");
    for (let others = 0; others < 60; others += 1) await joinAs(stand, "line");
    const far = await visit("line");
    await expectScreen(far.page, "waiting");
    expect(await far.page.locator("#ahead").textContent()).toMatch(/\d+ people/);
    expect(await far.page.locator("#wait").textContent()).toMatch(/^about .+ estimate$/);
    expect(await far.page.locator("#seats").textContent()).toContain("2,400 tickets");
    const tiers = await far.page.locator("#tiers li").allTextContents();
    expect(tiers).toEqual(["Floorsold out", expect.stringMatching(/^Stands.*950/)]);
    await takePictures(far.page, "waiting");
    await far.context.close();
    stop();
    await makeRoom("door", { activeMax: 1, claimMs: 10_000 });
    await (await joinAs(stand, "door")).admit();
    await act("door", "pause");
    const { page, context } = await visit("door");
    await expectScreen(page, "paused");
    expect(await page.locator("#reason").textContent()).toBe("sound check until 20:15");
    await takePictures(page, "paused");
    await act("door", "resume");
    await expectScreen(page, "ready");
    expect(await page.title()).toContain("It is your turn");
    expect(await page.locator("#icon").getAttribute("href")).toBe("/called.svg");
    await takePictures(page, "called");
    // The turn comes while the phone has no network, and nobody claims it in time.
    await context.setOffline(true);
    await patch("door", { activeMax: 2 });
    await until(async () => (await stand.status("door")).inside === 2);
    await page.locator("#trouble").waitFor();
    expect(await page.locator("#trouble").textContent()).toMatch(/^You are offline/);
    await until(async () => (await stand.status("door")).inside === 1, 300);
    await patch("door", { activeMax: 1 });
    // What was true at the last hearing is no call any more.
    await expectScreen(page, "near");
    await takePictures(page, "offline");
    await context.setOffline(false);
    await expectScreen(page, "missed");
    await takePictures(page, "missed");
    // With more time asked for, the shop opens at a press and not by itself.
    await page.evaluate(() => localStorage.setItem("sira-slow-door", "1"));
    await patch("door", { activeMax: 2 });
    await expectScreen(page, "going");
    await takePictures(page, "going");
    await page.getByRole("link", { name: "Go to the shop" }).click();
    await page.waitForURL("**/shop/door");
    await context.close();
  }, 90_000);

  test("near: asks to stay", async () => {
    await makeRoom("near", { ratePerMinute: 1 });
    // More than the door calls at once, fewer than make a page a far one.
    for (let others = 0; others < 30; others += 1) await joinAs(stand, "near");
    const { page, context } = await visit("near");
    await expectScreen(page, "near");
    await takePictures(page, "near");
    await context.close();
  });

  test("what the organizer says, baskets, sold out, and the end", async () => {
    await makeRoom("end");
    await act("end", "pause", "not yet");
    const { page, context } = await visit("end");
    await expectScreen(page, "paused");
    await patch("end", { notice: "Doors open at 18:00. A second night is being prepared." });
    await expectScreen(page, "paused");
    await page.getByText("A second night").waitFor();
    await takePictures(page, "notice");
    await report("end", { available: 0 });
    const stop = keepReporting("end", { available: 0 });
    await act("end", "resume", "now");
    await expectScreen(page, "baskets");
    await takePictures(page, "baskets");
    stop();
    await act("end", "sold_out", "all gone");
    await expectScreen(page, "sold_out");
    await takePictures(page, "sold-out");
    const late = await visit("end");
    await expectScreen(late.page, "too_late");
    await takePictures(late.page, "too-late");
    await late.context.close();
    await act("end", "close", "over");
    await expectScreen(page, "closed");
    await takePictures(page, "closed");
    await context.close();
  });

  test("left, moved away, a used link, a check, a pass, and an event nobody knows", async () => {
    await makeRoom("ways");
    await act("ways", "pause", "not yet");
    const { page, context } = await visit("ways");
    await expectScreen(page, "paused");
    const url = await page.evaluate(async () => {
      document.getElementById("takeAlong")?.click();
      return new Promise<string>((resolve) => {
        const timer = setInterval(() => {
          const field = document.querySelector<HTMLInputElement>("dialog.more input");
          if (!field) return;
          clearInterval(timer);
          resolve(field.value);
        }, 50);
      });
    });
    await takePictures(page, "take-along");
    const other = await openPage(browser);
    await other.page.goto(url);
    await other.page.getByRole("button", { name: "Take it here" }).click();
    await expectScreen(other.page, "paused");
    expect(await other.page.locator("#number").textContent()).toBe("1");
    await page.keyboard.press("Escape");
    await act("ways", "resume", "now");
    await expectScreen(page, "moved");
    await takePictures(page, "moved");
    await act("ways", "pause", "not yet");
    const third = await openPage(browser);
    await third.page.goto(url);
    await third.page.getByRole("button", { name: "Take it here" }).click();
    await expectScreen(third.page, "link");
    await takePictures(third.page, "link");
    await third.page.getByRole("button", { name: "Try again" }).click();
    await expectScreen(third.page, "paused");
    await third.page.getByRole("button", { name: "Leave the line" }).click();
    await takePictures(third.page, "leaving");
    await third.page.getByRole("button", { name: "Leave", exact: true }).click();
    await expectScreen(third.page, "left");
    await takePictures(third.page, "left");
    await third.context.close();
    await other.context.close();
    await context.close();
    await makeRoom("checked", { challenge: "turnstile" });
    await makeRoom("passes", { entry: "pass" });
    for (const [event, screen] of [
      ["checked", "challenge"],
      ["passes", "pass"],
      ["nobody-knows", "unknown"],
    ] as const) {
      const visited = await visit(event);
      await expectScreen(visited.page, screen);
      await takePictures(visited.page, screen);
      await visited.context.close();
    }
  });

  test("Redis trouble: the place is kept, and the page says so; then it goes on", async () => {
    await makeRoom("trouble");
    await act("trouble", "pause", "not yet");
    const { page, context } = await visit("trouble");
    await expectScreen(page, "paused");
    await redis.kill();
    await until(async () => (await stand.status("trouble")).stale);
    await nudge(page);
    await page.getByText("Your place is kept; please just wait").waitFor({ timeout: WAIT_MS });
    expect(await page.locator("#number").textContent()).toBe("1");
    await takePictures(page, "redis-trouble");
    const late = await visit("trouble");
    await late.page.getByText("Your number follows").waitFor();
    await takePictures(late.page, "kept");
    await late.context.close();
    redis = await startRedis({ port: redis.port, ...REDIS });
    await until(async () => !(await stand.status("trouble")).stale);
    await nudge(page);
    await page.locator("#trouble").waitFor({ state: "hidden", timeout: WAIT_MS });
    expect(await page.locator("#number").textContent()).toBe("1");
    await context.close();
  });
});
