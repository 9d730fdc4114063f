// Pictures of the queue page in every state, by the page's own preview, of the list of events and of the
// page that checks a draw. `node tools/screenshots/queue.ts [--out DIR] [--only desk-dark,…]`
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { LANGUAGES } from "../../edge/pages/kit/i18n.ts";
import { statesAt } from "../../edge/pages/queue/preview/states.ts";
import { contextOf, LOOKS, type Look, readWishes } from "./looks.ts";
import { launchChromium, openHouse, openStand, type Stand } from "./shop-stand.ts";

const EVENT = "harbour";

async function takeLook(stand: Stand, browser: Browser, look: Look, out: string): Promise<void> {
  const context = await browser.newContext({ ...contextOf(look), reducedMotion: "reduce" });
  const page = await context.newPage();
  const { edge } = stand.stack;
  const shot = async (name: string) => {
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(out, `${name}-${look}.png`), fullPage: true });
  };
  await page.goto(edge);
  await page.getByText("Harbour").first().waitFor();
  await shot("01-events");
  await page.goto(`${edge}/verify/${EVENT}`);
  await page.locator("main").waitFor();
  await shot("02-verify");
  const wanted = LOOKS[look].locale.slice(0, 2);
  const language = wanted in LANGUAGES ? wanted : "en";
  await page.goto(`${edge}/preview?bare`);
  for (const state of Object.keys(statesAt(Date.now()))) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URLSearchParams({ state, language }).toString());
    await page.locator("html[data-shown]").waitFor();
    await shot(`10-${state}`);
  }
  await context.close();
}

const { out, looks } = readWishes("queue");
const stand = await openStand();
const browser = await launchChromium();
try {
  await openHouse(stand, EVENT, { seats: 500 });
  for (const look of looks) {
    await takeLook(stand, browser, look, out);
    console.log(`queue: ${look} taken`);
  }
} finally {
  await browser.close();
  await stand.stop();
}
