// The pages of people with an account, and of whoever stands at the door: from the line that asks for
// an entry pass to the ticket that is read by a camera, with and without a network.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filmCode, launchWithFilm } from "../../tools/screenshots/people-stand.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { findBarriers } from "./axe.ts";

const WAIT_MS = 20_000;
const EMAIL = "ayse@example.com";

describe.skipIf(mustSkipBrowser())("people", () => {
  let sira: Sira;
  let browser: Browser;
  let page: Page;
  let troubles: readonly string[];
  let event: string;
  let codes: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "sira-film-"));
  beforeAll(async () => {
    [sira, browser] = await Promise.all([startSira(), launchBrowser()]);
    ({ event } = await createOpenEvent(sira, { room: { entry: "pass" } }));
    ({ page, troubles } = await openPage(browser));
    page.setDefaultTimeout(WAIT_MS);
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const button = (name: string | RegExp, on = page) => on.getByRole("button", { name });
  async function codeOf(email: string): Promise<string> {
    let code: string | undefined;
    await expect
      .poll(
        async () => {
          const { body } = await request<{ mails: { to: string[]; text: string }[] }>(
            "GET",
            `${sira.mailbox}/mails.json`,
          );
          const mail = body.mails.findLast(({ to }) => to.includes(email));
          code = /(\d{4} \d{4})/.exec(mail?.text ?? "")?.[1];
          return code;
        },
        { timeout: WAIT_MS },
      )
      .toBeDefined();
    return code ?? "";
  }
  /** The person's session, for calls that stand for a purchase on another page. */
  async function ours(): Promise<Record<string, string>> {
    const cookies = await page.context().cookies(sira.core);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    return { origin: sira.edge, cookie };
  }
  const organizer = async (): Promise<Record<string, string>> => {
    const { body } = await request<{ token: string }>(
      "POST",
      `${sira.core}/v1/organizer/sessions`,
      { body: { key: sira.organizerKey } },
    );
    return { authorization: `Bearer ${body.token}` };
  };

  test("a line for registered people leads to the account, and the account back into the line", async () => {
    await page.goto(`${sira.edge}/e/${event}`);
    await page.getByRole("link", { name: "Sign in and register" }).click();
    await page.getByRole("heading", { name: "Sign in for A small event" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("E-mail").fill(EMAIL);
    await button("Send me a code").click();
    await page.getByText(`A code is on its way to ${EMAIL}`).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("Code from the e-mail").fill("0000 0000");
    await button("Sign in").click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Code from the e-mail").fill(await codeOf(EMAIL));
    await button("Sign in").click();
    await page.getByText(`Signed in as ${EMAIL}`).waitFor();
    await button(/Register/).click();
    await page.getByText("You are registered").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await button(/To the line/).click();
    await page.waitForURL(`**/shop/${event}`);
    // A wrong code and a missing session are refusals that the page has answered.
    expect(troubles.filter((each) => !each.includes("401") && !each.includes("403"))).toEqual([]);
  });

  test("what was bought with the account opens from it, in a browser that never saw the order", async () => {
    const other = await createOpenEvent(sira, { room: { entry: "pass" } });
    const base = `${sira.core}/v1/events/${other.event}`;
    const { body } = await request<{ pass: string }>("POST", `${base}/registrations`, {
      headers: await ours(),
    });
    const fan = await joinQueue(sira, other.event, { pass: body.pass });
    await fan.admit();
    const hold = await fan.callCore<{ id: string }>("POST", `/v1/events/${other.event}/holds`, {
      body: { seats: ["A-1-1", "A-1-2", "A-1-3"] },
    });
    const order = await fan.callCore<{ id: string; orderToken: string }>("POST", "/v1/orders", {
      body: { holdId: hold.body.id, buyer: { email: EMAIL, name: "Ayşe", locale: "en" } },
    });
    const authorization = `Order ${order.body.orderToken}`;
    await request("POST", `${sira.core}/v1/orders/${order.body.id}/attempts`, {
      body: { method: "pm_ok", origin: "press" },
      headers: { authorization, "idempotency-key": randomUUID() },
    });
    const tickets = await request<{ tickets: { code: string }[] }>(
      "GET",
      `${sira.core}/v1/orders/${order.body.id}/tickets`,
      { headers: { authorization } },
    );
    codes = tickets.body.tickets.map(({ code }) => code);
    expect(codes).toHaveLength(3);
    event = other.event;
    await page.goto(`${sira.edge}/account`);
    await button(/Open the tickets/).click();
    await page.waitForURL(`**/orders/${order.body.id}`);
    await page.locator(".pass img.qr").first().waitFor();
    expect(page.url()).not.toContain("token");
  });

  test("the door's phone reads tickets by its camera, and goes on without a network", async () => {
    const key = await request<{ key: string }>("POST", `${sira.core}/v1/organizer/keys`, {
      body: { name: "north door", role: "scanner", events: [event] },
      headers: await organizer(),
    });
    const film = join(folder, "ticket.y4m");
    filmCode(film, codes[0] ?? "");
    const phone = await launchWithFilm(film);
    try {
      const door = await openPage(phone);
      door.page.setDefaultTimeout(WAIT_MS);
      const verdict = door.page.locator(".verdict");
      const byHand = async (code: string) => {
        await door.page.locator("input[name=code]").fill(code);
        await button("Check", door.page).click();
      };
      const says = (text: string | RegExp) => verdict.filter({ hasText: text }).waitFor();
      const start = async () => {
        await door.page.getByLabel("Name of this door").fill("North");
        await button("Start scanning", door.page).click();
      };
      // The link that an organizer hands out: the key leaves the address at once.
      await door.page.goto(`${sira.edge}/scan/${event}#token=${key.body.key}`);
      await door.page.getByLabel("Name of this door").waitFor();
      expect(door.page.url()).not.toContain(key.body.key);
      expect(await findBarriers(door.page)).toEqual([]);
      await start();
      await says("Let in");
      await says("A-1-1");
      expect(await findBarriers(door.page)).toEqual([]);
      await door.page.locator(".by-hand summary").click();
      await byHand(codes[0] ?? "");
      await says(/Already inside.*North/);
      await byHand("9 770000 000000");
      await says("Not a ticket for this event");
      expect(await findBarriers(door.page)).toEqual([]);
      expect(door.troubles).toEqual([]);

      // The kept page is complete when its cache has the page itself.
      await expect
        .poll(() => door.page.evaluate(async () => (await caches.match("/scan/")) !== undefined), {
          timeout: WAIT_MS,
        })
        .toBe(true);
      // Chromium is offline in a page that is reloaded only from a moment after its beginning.
      await door.context.route("**/v1/**", (route) => route.abort());
      await door.context.setOffline(true);
      await byHand(codes[1] ?? "");
      await says(/Let in.*Checked on this phone/);
      await door.page.getByText("No network: this phone decides").waitFor();
      await byHand(codes[1] ?? "");
      await says(/Already inside.*North/);
      const forged = (codes[2] ?? "").replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
      await byHand(forged);
      await says("Not a ticket for this event");
      expect(await findBarriers(door.page)).toEqual([]);
      // The phone slept and its browser was closed: page, list, key and scans are still there.
      await door.page.reload();
      await start();
      await door.page.getByText("No network: this phone decides").waitFor();
      await door.page.getByText(/scans? to be sent/).waitFor();

      // Meanwhile the same ticket goes in at another door, with a network.
      const other = await request<{ scans: { result: string }[] }>(
        "POST",
        `${sira.core}/v1/organizer/events/${event}/checkins`,
        {
          body: { gate: "South", scans: [{ id: randomUUID(), code: codes[1] }] },
          headers: await organizer(),
        },
      );
      expect(other.body.scans.map(({ result }) => result)).toEqual(["admitted"]);
      await door.context.unroute("**/v1/**");
      await door.context.setOffline(false);
      await door.page.getByText("Online", { exact: true }).waitFor();
      await door.page.getByText(/Also let in at .* South/).waitFor();
      const list = await request<{ used: string[] }>(
        "GET",
        `${sira.core}/v1/organizer/events/${event}/void-list`,
        { headers: await organizer() },
      );
      expect(list.body.used).toHaveLength(2);
      expect(await findBarriers(door.page)).toEqual([]);
    } finally {
      await phone.close();
    }
  });

  test("a key that may do more is not kept by the phone, and one of another event opens nothing", async () => {
    const { page: door, context } = await openPage(browser, "de-DE");
    door.setDefaultTimeout(WAIT_MS);
    const enter = async (key: string) => {
      await door.getByLabel("Schlüssel dieser Tür").fill(key);
      await door.getByLabel("Name dieser Tür").fill("Süd");
      await button("Scannen beginnen", door).click();
    };
    const foreign = await request<{ key: string }>("POST", `${sira.core}/v1/organizer/keys`, {
      body: { name: "elsewhere", role: "scanner", events: ["elsewhere"] },
      headers: await organizer(),
    });
    await door.goto(`${sira.edge}/scan/${event}`);
    await enter(foreign.body.key);
    await door.getByRole("alert").waitFor();
    await enter(sira.organizerKey);
    await door.getByText("Dieser Schlüssel kann mehr als scannen").waitFor();
    await door.reload();
    await door.getByLabel("Schlüssel dieser Tür").waitFor();
    await context.close();
  });

  test("whoever asks to be forgotten is, and is signed out", async () => {
    await page.goto(`${sira.edge}/account`);
    await button("Forget me").click();
    expect(await findBarriers(page)).toEqual([]);
    await button("Forget everything about me").click();
    await page.getByRole("heading", { name: "You are forgotten" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  });
});
