// Every state of the queue page in every language, drawn by the built page itself from facts alone: at
// 320 px, in both directions, light, dark and with forced colours, for people and for axe.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../edge/pages/kit/i18n.ts";
import { statesAt } from "../../edge/pages/queue/preview/states.ts";
import { texts as english } from "../../edge/pages/queue/texts/en.ts";
import { launchBrowser, mustSkipBrowser } from "../support/browser.ts";
import { startTestGate, type TestGate } from "../support/gate.ts";
import { findBarriers } from "./axe.ts";

const CODES = Object.keys(LANGUAGES) as Language[];
const STATES = Object.keys(statesAt(Date.now()));
const COUNTS = [0, 1, 2, 3, 5, 11, 21, 101];

/** Names, the brand, and what is the same word in both languages. */
const SAME = /^(Sıra|Deniz Aydın|Harbiye.*|preview|Parterre|Balkon|[\d\s.,:–—€%#●·-]*)$/;

type Seen = { overflow: string[]; texts: string[] };

/** Runs in the page: what sticks out of the window, and every piece of text that is shown. */
function lookAround(): Seen {
  const overflow: string[] = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    overflow.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const texts: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (!parent || text === "" || parent.closest("select, noscript, script, dialog, .sr, .brand"))
      continue;
    if (!parent.checkVisibility()) continue;
    texts.push(text);
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right } = range.getBoundingClientRect();
    if (left < -1 || right > width + 1) overflow.push(`${parent.id || parent.tagName}: ${text}`);
    const box = parent.getBoundingClientRect();
    const isBlock = getComputedStyle(parent).display !== "inline";
    if (isBlock && (right > box.right + 2 || left < box.left - 2))
      overflow.push(`out of ${parent.id || parent.tagName}: ${text}`);
  }
  return { overflow, texts };
}

/** A state of the preview: it draws what its address names, and says so when it has. */
type Look = { state: string; language: string; n?: number };

/** Shows one state after the other and looks at each; all in the page, since each step out of it costs. */
async function lookAtAll(page: Page, looks: readonly Look[]): Promise<(Look & Seen)[]> {
  await page.evaluate(`window.lookAround = ${lookAround.toString()}`);
  return page.evaluate(async (wanted) => {
    const look: unknown = Reflect.get(window, "lookAround");
    if (typeof look !== "function") throw new Error("nothing to look with");
    const seen: (Look & Seen)[] = [];
    for (const each of wanted) {
      const { n, ...names } = each;
      const hash = new URLSearchParams({ ...names, ...(n === undefined ? {} : { n: String(n) }) });
      location.hash = hash.toString();
      while (document.documentElement.dataset["shown"] !== `#${hash}`)
        await new Promise((resolve) => setTimeout(resolve, 1));
      seen.push({ ...each, ...look() });
    }
    return seen;
  }, looks);
}

describe.skipIf(mustSkipBrowser())("the queue page in every state", () => {
  let gate: TestGate;
  let browser: Browser;
  beforeAll(async () => {
    [gate, browser] = await Promise.all([startTestGate(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await gate?.stop();
  });

  async function openPreview(
    options: Parameters<Browser["newContext"]>[0],
  ): Promise<{ page: Page; context: BrowserContext }> {
    const context = await browser.newContext({ viewport: { width: 320, height: 700 }, ...options });
    const page = await context.newPage();
    await page.goto(`${gate.origin}/preview?bare`);
    return { page, context };
  }

  test("says everything in each language, and nothing sticks out at 320 px", async () => {
    const { page, context } = await openPreview({ locale: "en-GB" });
    const said = new Set<string>();
    const faults: string[] = [];
    for (const language of ["en", ...CODES.filter((code) => code !== "en")]) {
      const looks = STATES.map((state) => ({ state, language }));
      for (const { state, overflow, texts } of await lookAtAll(page, looks)) {
        faults.push(...overflow.map((fault) => `${language} ${state}: ${fault}`));
        for (const text of texts) {
          if (/[{}]|undefined|NaN|Invalid/.test(text)) faults.push(`${language} ${state}: ${text}`);
          if (language === "en") said.add(text);
          else if (said.has(text) && !SAME.test(text) && /\p{L}{4}/u.test(text))
            faults.push(`${language} ${state} is not translated: ${text}`);
        }
      }
      expect(await page.locator("html").getAttribute("dir")).toBe(
        language === "ar" ? "rtl" : "ltr",
      );
    }
    expect(said).toContain(english.waiting[0]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("counts 0, 1, 2, 3, 5, 11, 21 and 101 in each language without a blank or an overflow", async () => {
    const { page, context } = await openPreview({ locale: "en-GB" });
    const looks = CODES.flatMap((language) =>
      COUNTS.flatMap((n) => ["waiting", "pool"].map((state) => ({ language, n, state }))),
    );
    const faults = (await lookAtAll(page, looks)).flatMap(({ overflow, texts, ...look }) =>
      [...overflow, ...texts.filter((text) => /[{}]|undefined|NaN/.test(text))].map((fault) => [
        look,
        fault,
      ]),
    );
    expect(faults).toEqual([]);
    await context.close();
  });

  const SCHEMES = [
    { colorScheme: "light" },
    { colorScheme: "dark" },
    { colorScheme: "light", forcedColors: "active" },
    { colorScheme: "dark", forcedColors: "active" },
  ] as const;
  // Each state meets each scheme, and over the four schemes each width in each direction. All of the
  // combinations are run with SIRA_EVERY_LOOK=1, which takes four times as long.
  const SETTINGS = [320, 1_280].flatMap((width) =>
    ["en", "ar"].map((language) => ({ width, language })),
  );
  test.each(SCHEMES.map((scheme, turn) => ({ scheme, turn })))(
    "holds no barrier in any state, in both directions and widths: $scheme",
    async ({ scheme, turn }) => {
      const { page, context } = await openPreview({ locale: "en-GB", ...scheme });
      const faults: string[] = [];
      for (const [at, { width, language }] of SETTINGS.entries()) {
        await page.setViewportSize({ width, height: 800 });
        for (const [number, state] of STATES.entries()) {
          const isDue = (number + turn) % SETTINGS.length === at;
          if (!isDue && process.env["SIRA_EVERY_LOOK"] === undefined) continue;
          await lookAtAll(page, [{ state, language }]);
          const found = await findBarriers(page);
          faults.push(...found.map((fault) => `${width} ${language} ${state}: ${fault}`));
        }
      }
      expect(faults).toEqual([]);
      await context.close();
    },
    180_000,
  );

  test("opens its further parts without a barrier, in a language that runs either way", async () => {
    const { page, context } = await openPreview({ locale: "en-GB" });
    for (const language of ["en", "ar"]) {
      await lookAtAll(page, [{ state: "waiting", language }]);
      for (const part of ["wake", "places", "howReal", "takeAlong"]) {
        await page.locator(`#${part}`).click();
        await page.locator("dialog.more").waitFor();
        expect(await findBarriers(page), `${language} ${part}`).toEqual([]);
        expect((await page.evaluate(lookAround)).overflow, `${language} ${part}`).toEqual([]);
        await page.keyboard.press("Escape");
        await page.locator("dialog.more").waitFor({ state: "detached" });
      }
    }
    await context.close();
  });
});
