// What people do with the queue page, and what their browsers do: being woken, putting the page away,
// storage kept from it, another app's browser, several lines at once.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stand, startStand } from "../edge/stand.ts";
import { startPushService } from "../edge/wake/push-service.ts";
import { launchBrowser, mustSkipBrowser } from "../support/browser.ts";
import { takePictures } from "./picture.ts";
import { expectScreen, WAIT_MS } from "./queue-stand.ts";

const INSTAGRAM =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0 Mobile Safari/537.36 Instagram 350.0.0.0";

/** Writes down how the page calls its person, since nobody hears or feels a test's phone. */
function listen(): void {
  const calls: string[] = [];
  Reflect.set(window, "calls", calls);
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    calls.push("tone");
    start.apply(this, when);
  };
  Navigator.prototype.vibrate = (pattern) => {
    calls.push(`vibrate ${[pattern].flat().length}`);
    return true;
  };
  if ("wakeLock" in navigator) {
    const request = navigator.wakeLock.request.bind(navigator.wakeLock);
    navigator.wakeLock.request = (kind) => {
      calls.push("awake");
      return request(kind);
    };
  }
}

/** Chromium without Google's service has none to subscribe to: ours stands in for it. */
function subscribeTo(subscription: object): void {
  const fake = async (options?: PushSubscriptionOptionsInit) => {
    if (typeof options?.applicationServerKey !== "string" || options.userVisibleOnly !== true)
      throw new Error("a subscription names the gate's key, and that it will be seen");
    return { toJSON: () => subscription };
  };
  Reflect.set(PushManager.prototype, "subscribe", fake);
}

const heardIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const calls: unknown = Reflect.get(window, "calls");
    return Array.isArray(calls) ? calls.map(String) : [];
  });

describe.skipIf(mustSkipBrowser())("the queue page in people's hands", () => {
  let stand: Stand;
  let browser: Browser;
  let service: Awaited<ReturnType<typeof startPushService>>;
  beforeAll(async () => {
    service = await startPushService();
    [stand, browser] = await Promise.all([
      startStand({ env: { PUSH_HOSTS: service.origin } }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.stop();
    await service?.stop();
  });

  const act = (event: string, action: string) =>
    stand.call("POST", `/api/rooms/${event}/actions`, { action, reason: "a test" });
  const address = (event: string) => `${stand.gate.origin}/e/${event}`;
  async function openPaused(event: string): Promise<void> {
    await stand.room(event, { branding: { name: `The night of ${event}` } });
    await act(event, "pause");
  }
  async function newContext(
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<{ page: Page; context: BrowserContext }> {
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({ locale: "en-GB", viewport, ...options });
    return { context, page: await context.newPage() };
  }

  test("wakes by sound, vibration, title and push, keeps the screen on, and says what it can do", async () => {
    await openPaused("wake");
    const { page, context } = await newContext({ permissions: ["notifications"] });
    await page.addInitScript(listen);
    await page.addInitScript(subscribeTo, service.subscription("/phone"));
    await page.goto(address("wake"));
    await expectScreen(page, "paused");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByRole("button", { name: "Wake me" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Sound: only after you press").waitFor();
    await dialog.getByText("With the page closed: no.").waitFor();
    await dialog.getByRole("button", { name: "Test the sound" }).click();
    await dialog.getByText("Sound: yes").waitFor();
    expect(await heardIn(page)).toEqual(expect.arrayContaining(["tone", "vibrate 1"]));
    await dialog.getByLabel("Wake me when it is my turn").check();
    await dialog.getByText("With the page closed: yes").waitFor();
    await dialog.getByText("Notification: allowed.").waitFor();
    await takePictures(page, "wake");
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      localStorage.setItem("sira-slow-wake", "1");
    });
    await act("wake", "resume");
    await expect
      .poll(() => service.delivered.map(({ path, word }) => ({ path, word })), { timeout: WAIT_MS })
      .toContainEqual({ path: "/phone", word: { kind: "called", event: "wake", number: 1 } });
    expect(service.faults).toEqual([]);
    await page.evaluate(() => {
      dispatchEvent(new Event("online"));
    });
    await expect.poll(() => page.title(), { timeout: WAIT_MS }).toContain("It is your turn");
    await context.close();
  });

  test("shows a pushed word in the fan's language with no page open", async () => {
    await openPaused("pushed");
    const { page, context } = await newContext({ locale: "de-DE", permissions: ["notifications"] });
    await page.addInitScript(subscribeTo, service.subscription("/asleep"));
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const [first] = registrations;
        if (first) resolve(first.registrationId);
      });
    });
    await session.send("ServiceWorker.enable");
    await page.goto(address("pushed"));
    await expectScreen(page, "paused");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.locator("#wake").click();
    await page.getByRole("dialog").locator("input[type=checkbox]").first().check();
    await expect
      .poll(() => page.evaluate(async () => (await caches.match("/line-words")) !== undefined))
      .toBe(true);
    await session.send("ServiceWorker.deliverPushMessage", {
      origin: stand.gate.origin,
      registrationId: await registered,
      data: JSON.stringify({ kind: "near", event: "pushed", number: 4711 }),
    });
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration("/e/");
        const list = (await registration?.getNotifications()) ?? [];
        return list.map(({ title, body, tag }) => `${tag}: ${title}: ${body}`);
      });
    await expect
      .poll(shown, { timeout: WAIT_MS })
      .toEqual([expect.stringMatching(/^sira-pushed: .* bald .*4711/)]);
    await context.close();
  });

  test("asks once a minute while hidden, at once on return, and never sooner than it was told", async () => {
    await openPaused("polls");
    const { page, context } = await newContext();
    await page.clock.install();
    await page.goto(address("polls"));
    await expectScreen(page, "paused");
    let asked = 0;
    let retryAfter: string | undefined;
    await page.route("**/api/queue/polls/**", async (route) => {
      asked += 1;
      if (retryAfter === undefined) return route.continue();
      await route.fulfill({
        status: 429,
        headers: { "retry-after": retryAfter, "content-type": "application/problem+json" },
        body: JSON.stringify({ code: "rate_limited", status: 429, title: "slow", type: "x" }),
      });
    });
    const hide = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    /** A poll is over with its turn, the second of its two questions. */
    const pollAfter = async (ms: number) => {
      const turned = page.waitForResponse((response) => response.url().endsWith("/turn"));
      asked = 0;
      const run = () => page.clock.runFor(ms).then(() => asked);
      await expect.poll(run, { timeout: WAIT_MS }).toBeGreaterThan(0);
      await turned;
      asked = 0;
    };
    await hide(true);
    // What was due before it was hidden still comes; a minute counts from there.
    await pollAfter(5_000);
    await page.clock.runFor(54_000);
    expect(asked).toBe(0);
    await pollAfter(8_000);
    retryAfter = "40";
    await expect.poll(() => hide(false).then(() => asked), { timeout: WAIT_MS }).toBe(1);
    await page.getByText("Very many people are here").waitFor();
    asked = 0;
    await hide(true);
    await hide(false);
    await page.clock.runFor(39_000);
    expect(asked).toBe(0);
    await page.clock.runFor(12_000);
    await expect.poll(() => asked, { timeout: WAIT_MS }).toBe(1);
    await context.close();
  });

  test("says at once when it cannot keep a place, and offers the way out with it", async () => {
    await openPaused("blocked");
    const { page, context } = await newContext();
    await page.addInitScript(() => {
      Object.defineProperty(window, "indexedDB", {
        get() {
          throw new DOMException("kept from you", "SecurityError");
        },
      });
    });
    await page.goto(address("blocked"));
    await page.getByText("does not let us remember your place").waitFor();
    await expectScreen(page, "paused");
    await takePictures(page, "no-storage");
    await page.getByRole("button", { name: "To another device" }).click();
    const link = await page.getByRole("dialog").locator("input").inputValue();
    await context.close();

    const inside = await newContext({ userAgent: INSTAGRAM });
    await inside.page.goto(link);
    await inside.page.getByRole("button", { name: "Take it here" }).click();
    await inside.page.getByText("You are in the browser of another app").waitFor();
    await expectScreen(inside.page, "paused");
    expect(await inside.page.locator("#number").textContent()).toBe("1");
    await inside.page.getByRole("button", { name: "To another device" }).waitFor();
    await takePictures(inside.page, "in-app");
    await inside.context.close();
  });

  test("lists this browser's places on one page, and tells how to know that it is real", async () => {
    await openPaused("first");
    await openPaused("second");
    const { page, context } = await newContext();
    for (const event of ["first", "second"]) {
      await page.goto(address(event));
      await expectScreen(page, "paused");
    }
    await page.getByRole("button", { name: "My places" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "The night of first" }).waitFor();
    await dialog.getByRole("link", { name: "The night of second" }).waitFor();
    expect(await dialog.getByText("Your number: 1.").count()).toBe(2);
    await takePictures(page, "places");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "How do I know this is real?" }).click();
    await dialog.getByText(new URL(stand.gate.origin).host).waitFor();
    await dialog.getByText("nobody asks for a password").waitFor();
    await takePictures(page, "real");
    await context.close();
  });

  test("opens without a network from what it kept, says so, and shows no turn", async () => {
    await openPaused("offline");
    const { page, context } = await newContext();
    await page.goto(address("offline"));
    await expectScreen(page, "paused");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect
      .poll(() => page.evaluate(async () => (await caches.match("/queue/")) !== undefined))
      .toBe(true);
    await context.setOffline(true);
    await page.reload();
    await page.getByText(/^You are offline/).waitFor();
    await expect.poll(() => page.locator("#number").textContent()).toBe("1");
    expect(await page.title()).not.toContain("turn");
    await takePictures(page, "offline-opened");
    await context.setOffline(false);
    await page.locator("#trouble").waitFor({ state: "hidden", timeout: WAIT_MS });
    await expectScreen(page, "paused");
    await context.close();
  });
});
