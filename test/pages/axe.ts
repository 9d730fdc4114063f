// axe-core in the page under test, as a person's own browser extension would run it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const require = createRequire(import.meta.url);
const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Rules of WCAG 2.2 AA that the page breaks, with the elements that break them. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Parsing it takes longer than running it: once a page is enough.
  if (!(await page.evaluate(() => Reflect.has(window, "axe")))) await page.evaluate(source);
  return page.evaluate(async () => {
    const axe: unknown = Reflect.get(window, "axe");
    if (typeof axe !== "object" || axe === null) throw new Error("axe did not load");
    const run: unknown = Reflect.get(axe, "run");
    if (typeof run !== "function") throw new Error("axe cannot run");
    const { violations } = await run.call(axe, document, {
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    return violations.map(
      (each: { id: string; nodes: { target: string[] }[] }) =>
        `${each.id}: ${each.nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  });
}
