// The organizer's console in a real browser: what is set there bites, and is written down.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { findBarriers } from "./axe.ts";

describe.skipIf(mustSkipBrowser())("the console", () => {
  let sira: Sira;
  let browser: Browser;
  beforeAll(async () => {
    [sira, browser] = await Promise.all([startSira(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
  });

  const statusOf = async (event: string) =>
    (
      await request<{ phase: string; reason?: string; notice?: string; ratePerMinute: number }>(
        "GET",
        `${sira.edge}/api/queue/${event}/status`,
      )
    ).body;

  test("signs in with the key, sets the rate, publishes a notice, pauses with a reason", async () => {
    const name = "The Console's Own";
    const { event } = await createOpenEvent(sira, { description: { name } });
    const { page, context } = await openPage(browser);
    await page.goto(`${sira.edge}/console`);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("Organizer key").fill("a-key-that-nobody-has-made");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Organizer key").fill(sira.organizerKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name }).click();
    await page.getByText("Now calling").waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("spinbutton", { name: "Rate, people a minute" }).fill("1234");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect
      .poll(async () => (await statusOf(event)).ratePerMinute, { timeout: 15_000 })
      .toBe(1234);
    await page.getByLabel("Notice to everybody who waits").fill("A second night");
    await page.getByRole("button", { name: "Publish" }).click();
    await expect
      .poll(async () => (await statusOf(event)).notice, { timeout: 15_000 })
      .toBe("A second night");

    await page.getByRole("button", { name: "Pause" }).click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("Reason (stands in the audit log)").fill("sound check");
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await expect
      .poll(async () => statusOf(event), { timeout: 15_000 })
      .toMatchObject({ phase: "paused", reason: "sound check" });
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.locator(".rows", { hasText: "sound check" }).waitFor();
    await context.close();
  });

  test("tells somebody whose view is old that another has changed the room", async () => {
    const name = "Two at One Desk";
    const { event } = await createOpenEvent(sira, { description: { name } });
    const { page, context } = await openPage(browser);
    await page.goto(`${sira.edge}/console#${event}`);
    await page.getByLabel("Organizer key").fill(sira.organizerKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name }).waitFor();
    const rate = page.getByRole("spinbutton", { name: "Rate, people a minute" });
    await rate.waitFor();
    // The room's settings are kept from the page, as on a bad network, while somebody else acts.
    await page.route(`**/api/rooms/${event}`, (route) =>
      route.request().method() === "GET" ? route.abort() : route.continue(),
    );
    const session = await request<{ token: string }>("POST", `${sira.core}/v1/organizer/sessions`, {
      body: { key: sira.organizerKey },
    });
    const changed = await request("PATCH", `${sira.edge}/api/rooms/${event}`, {
      body: { ratePerMinute: 77 },
      headers: { authorization: `Bearer ${session.body.token}` },
    });
    expect(changed.status).toBe(200);
    await rate.fill("88");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Somebody else has changed this meanwhile").waitFor();
    expect((await statusOf(event)).ratePerMinute).toBe(77);
    await context.close();
  });
});
