// Pictures of the account and of the scanner: on a phone and a desk, light and dark, and from right to
// left. `node tools/screenshots/people.ts [--out DIR] [--only desk-dark,…]`
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { contextOf, type Look, readWishes } from "./looks.ts";
import { filmCode, launchWithFilm, openPeople, type People } from "./people-stand.ts";

type Shot = (page: Page, name: string) => Promise<void>;

async function takeAccount(people: People, page: Page, shot: Shot): Promise<void> {
  const { edge } = people.stack;
  await page.goto(`${edge}/account?event=${people.event}`);
  await page.locator("input[name=email]").waitFor();
  await shot(page, "01-sign-in");
  const email = `${randomUUID().slice(0, 8)}@example.org`;
  await page.locator("input[name=email]").fill(email);
  await page.locator("button[type=submit]").click();
  await page.locator("input[name=code]").waitFor();
  await page.locator("input[name=code]").fill("1234 5678");
  await page.locator("button[type=submit]").click();
  await page.getByRole("alert").waitFor();
  await shot(page, "02-wrong-code");
  await page.locator("input[name=code]").fill(await people.codeOf(email));
  await page.locator("button[type=submit]").click();
  await page.locator(".stub").first().waitFor();
  await shot(page, "03-new");
  await page.locator(".stub button").first().click();
  await page.locator(".stub.paper").waitFor();
  const cookies = await page.context().cookies(people.stack.core);
  await people.buy(email, cookies.map(({ name, value }) => `${name}=${value}`).join("; "));
  await page.reload();
  await page.locator(".stub.paper").waitFor();
  await shot(page, "04-mine");
  await page.locator(".actions button").last().click();
  await page.locator(".danger").scrollIntoViewIfNeeded();
  await shot(page, "05-forget");
}

async function takeDoor(
  people: People,
  page: Page,
  { codes, shot }: { codes: readonly string[]; shot: Shot },
): Promise<void> {
  await page.goto(`${people.stack.edge}/scan/${people.event}`);
  await page.locator("input[name=key]").waitFor();
  await shot(page, "11-door");
  await page.locator("input[name=key]").fill(await people.scannerKey());
  await page.locator("input[name=gate]").fill("North");
  await page.locator("button[type=submit]").click();
  await page.locator(".verdict.yes").waitFor();
  await shot(page, "12-let-in");
  await page.locator(".by-hand summary").click();
  const byHand = async (code: string) => {
    await page.locator("input[name=code]").fill(code);
    await page.locator(".by-hand button").click();
  };
  await byHand(codes[0] ?? "");
  await page.locator(".verdict.no").waitFor();
  await page.locator(".by-hand summary").click();
  await shot(page, "13-already");
  await page.context().setOffline(true);
  await page.locator(".by-hand summary").click();
  await byHand(codes[1] ?? "");
  await page.locator(".reach.offline").waitFor();
  await page.locator(".by-hand summary").click();
  await shot(page, "14-offline");
  await people.admitElsewhere(codes[1] ?? "");
  await page.context().setOffline(false);
  await page.locator(".after").waitFor();
  await shot(page, "15-look-into");
}

async function takeLook(people: People, look: Look, out: string): Promise<void> {
  // Chromium reads its camera's film once: each look has a ticket, and so a browser, of its own.
  const codes = await people.giveTickets(2);
  filmCode(people.film, codes[0] ?? "");
  const browser: Browser = await launchWithFilm(people.film);
  const context = await browser.newContext(contextOf(look));
  const shot: Shot = async (page, name) => {
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(out, `${name}-${look}.png`), fullPage: true });
  };
  const page = await context.newPage();
  await takeAccount(people, page, shot);
  const door = await context.newPage();
  await takeDoor(people, door, { codes, shot });
  await browser.close();
}

const { out, looks } = readWishes("people");
const people = await openPeople();
try {
  for (const look of looks) {
    await takeLook(people, look, out);
    console.log(`people: ${look} taken`);
  }
} finally {
  await people.stop();
}
