// One state of a page, looked at as everybody may see it: light, dark and in forced colours, from left to
// right and from right to left, narrow and wide, and with text twice as large.
import type { Page } from "playwright-core";
import { findBarriers, findSmallTargets, isWiderThanScreen } from "./axe.ts";

const LANGUAGES = ["en", "ar"] as const;
const WIDTHS = [320, 1280] as const;
const COLOURS = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  forced: { colorScheme: "light", forcedColors: "active" },
} as const;
const TWICE_PX = 34;

/** What breaks a rule, and in which look; the page is in English afterwards. */
export async function judge(page: Page, state: string): Promise<string[]> {
  const found: string[] = [];
  const say = (where: string, what: readonly string[]) =>
    found.push(...what.map((each) => `${state}, ${where}: ${each}`));
  // A dialog stands before the switch; its language is then turned by the choice itself.
  for (const language of LANGUAGES.toReversed()) {
    await speak(page, language);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      // At the end nothing lies behind the bar that stays in sight.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      for (const [colours, media] of Object.entries(COLOURS)) {
        await page.emulateMedia({ ...media, reducedMotion: "reduce" });
        say(`${language} ${width} ${colours}`, await findBarriers(page));
      }
      say(`${language} ${width}`, await findSmallTargets(page));
      if (await isWiderThanScreen(page)) say(`${language} ${width}`, ["is wider than the screen"]);
    }
    const textSize = (size: string) =>
      page.evaluate((wanted) => {
        document.documentElement.style.fontSize = wanted;
      }, size);
    await textSize(`${TWICE_PX}px`);
    if (await isWiderThanScreen(page)) say(`${language} 200 %`, ["is wider than the screen"]);
    say(`${language} 200 %`, await findCutText(page));
    await textSize("");
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  return found;
}

async function speak(page: Page, language: string): Promise<void> {
  await page.locator("#language").evaluate((element, wanted) => {
    if (!(element instanceof HTMLSelectElement) || element.value === wanted) return;
    element.value = wanted;
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }, language);
  await page.locator(`html[lang=${language}]`).waitFor();
}

/** WCAG 1.4.4: words that end at an edge behind which the rest of them lies. */
const findCutText = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, a, h1, h2, p, dt, dd, small, b, legend, label")]
      .filter((element) => element.checkVisibility() && !element.closest(".sr"))
      .filter((element) => {
        const { overflowX, display } = getComputedStyle(element);
        const hides = overflowX === "hidden" || overflowX === "clip";
        return hides && display !== "inline" && element.scrollWidth > element.clientWidth + 1;
      })
      .map((element) => `cut: ${element.textContent.trim().slice(0, 40)}`),
  );
