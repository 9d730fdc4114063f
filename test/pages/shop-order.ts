// From the shop to an order that can be paid, and what the payment simulator says of its charges.
import type { Page } from "playwright-core";
import { request } from "../support/fan.ts";
import type { Sira } from "../support/sira.ts";
import type { Shop } from "./enter-shop.ts";

const WAIT_MS = 20_000;

/** Two standing places; @returns the order's id, with its page open. */
export async function orderStanding({ page }: Shop): Promise<string> {
  await page.locator(".tabs button").last().click();
  await page.locator(".panel button[type=submit]").click();
  await page.locator(".held").waitFor({ timeout: WAIT_MS });
  await page.locator("input[name=email]").fill("fan@example.org");
  await page.locator("input[name=name]").fill("A Fan");
  await page.locator(".held button[type=submit]").click();
  await page.waitForURL("**/orders/**", { timeout: WAIT_MS });
  await page.locator(".choices").waitFor({ timeout: WAIT_MS });
  return page.url().split("/").at(-1) ?? "";
}

export async function readCharges(
  { psp }: Pick<Sira, "psp">,
  order: string,
): Promise<{ state: string; calls: { confirm: number } }[]> {
  const { body } = await request<{
    charges: { reference: string; state: string; calls: { confirm: number } }[];
  }>("GET", `${psp}/_charges`);
  return body.charges.filter(({ reference }) => reference === order);
}

export const pay = (page: Page) => page.locator(".order form button[type=submit]");
export const tickets = (page: Page) => page.locator(".pass").first().waitFor({ timeout: 40_000 });
