// What the tests of the console share: somebody at the desk, and the organizer's own calls beside it.
import type { Browser, Page } from "playwright-core";
import { openPage, type WatchedPage } from "../support/browser.ts";
import { type Answer, request } from "../support/fan.ts";
import type { Sira } from "../support/sira.ts";

export async function signInAt(page: Page, sira: Sira, key = sira.organizerKey): Promise<void> {
  await page.getByLabel("Organizer key").fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

/** A desk that is signed in and shows a view of an event. */
export async function openDesk(
  browser: Browser,
  sira: Sira,
  at: { event: string; view: string },
): Promise<WatchedPage> {
  const watched = await openPage(browser);
  await watched.page.setViewportSize({ width: 1280, height: 900 });
  await watched.page.goto(`${sira.edge}/console#/${at.event}/${at.view}`);
  await signInAt(watched.page, sira);
  return watched;
}

/** Presses, gives the reason, and presses again. */
export async function actAt(page: Page, name: string, reason: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByLabel("Reason (stands in the audit log)").fill(reason);
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

/** The same, and it was done: what lies behind a dialog cannot be typed into before it has gone. */
export async function doneAt(page: Page, name: string, reason: string): Promise<void> {
  await actAt(page, name, reason);
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

export type Organizer = <Body = Record<string, unknown>>(
  method: string,
  url: string,
  body?: unknown,
) => Promise<Answer<Body>>;

export async function organizerOf(sira: Sira, key = sira.organizerKey): Promise<Organizer> {
  const session = await request<{ token: string }>("POST", `${sira.core}/v1/organizer/sessions`, {
    body: { key },
  });
  const headers = { authorization: `Bearer ${session.body.token}` };
  return (method, url, body) =>
    request(method, url, { headers, ...(body === undefined ? {} : { body }) });
}
