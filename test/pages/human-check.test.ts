// The check before the line, with a stand-in for Turnstile on an origin of its own: its script, and
// its verifier, which answers what the token says.
import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEXTS } from "../../edge/pages/check/texts.ts";
import { LANGUAGES, type Language } from "../../edge/pages/kit/i18n.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { type Stand, startStand } from "../edge/stand.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { findBarriers, findSmallTargets, isWiderThanScreen } from "./axe.ts";

const WAIT_MS = 20_000;

const SCRIPT = `
window.turnstile = {
  render: (place, asked) => {
    const press = (name, answer) => {
      const button = document.createElement("button");
      button.textContent = name;
      button.addEventListener("click", answer);
      place.append(button);
    };
    const { action, cData: cdata, language } = asked;
    place.dataset.language = language;
    const token = (answer) => asked.callback(JSON.stringify({ hostname: location.hostname, action, cdata, ...answer }));
    press("I am a person", () => token({ success: true }));
    press("I am a machine", () => token({ success: false, "error-codes": ["invalid-input-response"] }));
    press("I am somebody else", () => token({ success: true, cdata: "plc_00_AAAAAAAAAAAAAAAAAAAAAA" }));
    press("I am stuck", () => asked["error-callback"]());
    return "1";
  },
};`;

describe.skipIf(mustSkipBrowser())("the check before the line", () => {
  let stand: Stand;
  let browser: Browser;
  let page: Page;
  let outside: Server;
  /** What the stand-in does: its script may be kept away, and its verifier out of order. */
  let isBlocked = false;
  let isAway = false;
  beforeAll(async () => {
    outside = createServer(async (incoming, outgoing) => {
      outgoing.setHeader("cross-origin-resource-policy", "cross-origin");
      if (incoming.method === "GET") {
        if (isBlocked) return void outgoing.writeHead(404).end();
        return void outgoing.setHeader("content-type", "text/javascript").end(SCRIPT);
      }
      let body = "";
      for await (const chunk of incoming) body += String(chunk);
      if (isAway) return void outgoing.writeHead(500).end();
      outgoing.end(new URLSearchParams(body).get("response"));
    });
    const port = await findFreePort();
    outside.listen(port, "127.0.0.1");
    const origin = `http://127.0.0.1:${port}`;
    [stand, browser] = await Promise.all([
      startStand({
        env: {
          TURNSTILE_SECRET: "a secret",
          TURNSTILE_SITE_KEY: "a-site",
          TURNSTILE_URL: `${origin}/siteverify`,
          TURNSTILE_SCRIPT: `${origin}/api.js?render=explicit`,
        },
      }),
      launchBrowser(),
    ]);
    ({ page } = await openPage(browser));
    page.setDefaultTimeout(WAIT_MS);
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.stop();
    outside.closeAllConnections();
    outside.close();
  });

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const toCheck = () => page.getByRole("link", { name: "Do the check" });
  async function openRoom(event: string): Promise<void> {
    await stand.room(event, { challenge: "turnstile", ratePerMinute: 1 });
    const pause = { action: "pause", reason: "so that the place stays where it is" };
    await stand.call("POST", `/api/rooms/${event}/actions`, pause);
    await page.goto(`${stand.gate.origin}/e/${event}`);
    await toCheck().click();
    await page.waitForURL(`**/check/${event}`);
  }
  const waitForNumber = () => page.locator("#number").getByText("1", { exact: true }).waitFor();

  test("a person is back in the line with a place, and is not asked again", async () => {
    // Longer than Turnstile takes an action.
    const event = "an-event-whose-name-is-longer-than-an-action-may-be";
    await openRoom(event);
    expect(await findBarriers(page)).toEqual([]);
    expect(await findSmallTargets(page)).toEqual([]);
    await press("I am a person");
    await page.waitForURL(`**/e/${event}`);
    await waitForNumber();
    await page.reload();
    await waitForNumber();
    // Whoever opens the check without being asked is sent to the line.
    await page.goto(`${stand.gate.origin}/check/${event}`);
    await page.waitForURL(`**/e/${event}`);
    await waitForNumber();
  });

  test("a failed check costs nothing: it is told, and the next one is good", async () => {
    await openRoom("second-try");
    await press("I am stuck");
    await page.getByText("The check did not finish").waitFor();
    await press("Try again");
    await press("I am a machine");
    await page.waitForURL("**/e/second-try");
    await toCheck().click();
    await press("I am somebody else");
    await page.waitForURL("**/e/second-try");
    await toCheck().click();
    await press("I am a person");
    await waitForNumber();
  });

  test("speaks every language, also on the smallest phone", async () => {
    await openRoom("languages");
    await page.setViewportSize({ width: 320, height: 640 });
    const others = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== "en");
    for (const language of [...others, "en"] as const) {
      await page.locator("#language").selectOption(language);
      await page.getByRole("heading", { name: TEXTS[language].heading }).waitFor();
      await page.locator(`#widget [data-language="${language}"]`).waitFor();
      expect(await isWiderThanScreen(page), language).toBe(false);
      expect(await findBarriers(page), language).toEqual([]);
    }
  });

  // Last, since the gate then asks for work until the verifier has had time to come back.
  test("a script that is kept away is named, and a verifier that is away lets everybody in by work", async () => {
    isBlocked = true;
    await openRoom("troubles");
    await page.getByText("The check could not be loaded").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    isBlocked = false;
    await press("Try again");
    isAway = true;
    await press("I am a person");
    await page.waitForURL("**/e/troubles");
    await waitForNumber();
    isAway = false;
  });
});
