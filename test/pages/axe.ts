// axe-core in the page under test, as a person's own browser extension would run it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const require = createRequire(import.meta.url);
const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Rules of WCAG 2.2 AA that the page breaks, with the elements that break them. */
export async function findBarriers(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => Reflect.has(window, "axe"));
  if (!isThere) await page.evaluate(source);
  return page.evaluate(async () => {
    const axe: unknown = Reflect.get(window, "axe");
    if (typeof axe !== "object" || axe === null) throw new Error("axe did not load");
    const run: unknown = Reflect.get(axe, "run");
    if (typeof run !== "function") throw new Error("axe cannot run");
    const { violations } = await run.call(axe, document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"],
      preload: false,
    });
    return violations.map(
      (each: { id: string; nodes: { target: string[] }[] }) =>
        `${each.id}: ${each.nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  });
}

/** WCAG 2.5.8: what can be pressed and is smaller than 24 by 24 pixels, but for words in a sentence. */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("a, button, input, select, summary, [tabindex='0']")]
      .filter((element) => element.checkVisibility() && !element.closest("p"))
      .map((element) => {
        // A label's whole surface presses its box.
        const box = (element.closest("label") ?? element).getBoundingClientRect();
        return { name: `${element.tagName} ${element.textContent.trim().slice(0, 30)}`, box };
      })
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );
}

/** WCAG 1.4.10: nobody has to push a page from side to side to read it. */
export const isWiderThanScreen = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
