// Every language says everything, with the same blanks to fill and the plural forms that it needs.
import { describe, expect, test } from "vitest";
import { TEXTS as events } from "../../edge/pages/events/texts.ts";
import { fill, formatFor, LANGUAGES, type Language } from "../../edge/pages/kit/i18n.ts";
import { ERRORS } from "../../shared/errors.ts";

const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
const TABLES = [
  ["the queue page", "../../edge/pages/queue/texts", "texts"],
  ["the shop", "../../edge/pages/shop/texts", "texts"],
  ["the draw", "../../edge/pages/verify/texts", "texts"],
  ["the desk of the console", "../../edge/pages/console/texts/desk", "texts"],
  ["the planning of the console", "../../edge/pages/console/texts/plan", "texts"],
  ["the account", "../../edge/pages/account/texts", "texts"],
  ["the scanner", "../../edge/pages/scan/texts", "texts"],
  ["the refusals", "../../edge/pages/kit/problems", "problems"],
] as const;

/** Plural forms count as one text: what matters is that each of them has the blanks. */
type Leaf = { path: string; texts: string[]; isPlural: boolean };

function leavesOf(value: unknown, path = ""): Leaf[] {
  if (typeof value === "string") return [{ path, texts: [value], isPlural: false }];
  if (typeof value !== "object" || value === null) return [];
  if ("other" in value) return [{ path, texts: Object.values(value).map(String), isPlural: true }];
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, each]) => leavesOf(each, `${path}.${key}`));
}

const blanksOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").sort();

async function tableOf(folder: string, name: string, language: Language): Promise<unknown> {
  const module: unknown = await import(`${folder}/${language}.ts`);
  return typeof module === "object" && module !== null ? Reflect.get(module, name) : undefined;
}

describe.each(TABLES)("%s", (_, folder, name) => {
  test("says everything in every language, with the same blanks", async () => {
    const english = leavesOf(await tableOf(folder, name, "en"));
    expect(english.length).toBeGreaterThan(20);
    for (const language of LANGUAGE_CODES) {
      const leaves = leavesOf(await tableOf(folder, name, language));
      expect(
        leaves.map(({ path }) => path),
        language,
      ).toEqual(english.map(({ path }) => path));
      leaves.forEach(({ path, texts, isPlural }, i) => {
        for (const text of texts) expect(text.trim(), `${language}${path}`).not.toBe("");
        // Arabic and others write one and two as words, without a figure.
        const blanks = isPlural ? texts.at(-1) : texts[0];
        const wanted = english[i]?.isPlural ? english[i]?.texts.at(-1) : english[i]?.texts[0];
        expect(blanksOf(blanks ?? ""), `${language}${path}`).toEqual(blanksOf(wanted ?? ""));
      });
    }
  });

  test("leaves nothing in English", async () => {
    const english = leavesOf(await tableOf(folder, name, "en"));
    for (const language of LANGUAGE_CODES) {
      if (language === "en") continue;
      const leaves = leavesOf(await tableOf(folder, name, language));
      const same = leaves.filter(
        ({ texts }, i) => texts[0] === english[i]?.texts[0] && /[a-z]{4}.* /i.test(texts[0] ?? ""),
      );
      expect(
        same.map(({ path }) => path),
        language,
      ).toEqual([]);
    }
  });
});

test("the refusals have a sentence for each code of the API and for a lost connection", async () => {
  const codes = [...Object.keys(ERRORS), "network"].sort();
  for (const language of LANGUAGE_CODES) {
    const table = await tableOf("../../edge/pages/kit/problems", "problems", language);
    expect(Object.keys(table ?? {}).sort(), language).toEqual(codes);
  }
});

test("the list of events speaks all languages", () => {
  const english = Object.keys(events.en);
  for (const language of LANGUAGE_CODES) expect(Object.keys(events[language])).toEqual(english);
});

test("plural forms fit 0, 1, 2, 3, 5, 11, 21 and 101 in every language", async () => {
  for (const language of LANGUAGE_CODES) {
    const { plural, number } = formatFor(language);
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const table = await tableOf("../../edge/pages/queue/texts", "texts", language);
    const ahead: unknown =
      table && typeof table === "object" ? Reflect.get(table, "ahead") : undefined;
    const forms = ahead as Parameters<typeof plural>[0];
    const named = new Set(Object.keys(forms));
    // "many" in Spanish and French is for whole millions, where the general form reads well.
    const needed = categories.filter(
      (each) => each !== "many" || language === "ar" || language === "ru",
    );
    if (language !== "tr")
      for (const category of needed) expect(named, language).toContain(category);
    for (const n of [0, 1, 2, 3, 5, 11, 21, 101]) {
      const text = plural(forms, n);
      expect(text, `${language} ${n}`).not.toMatch(/[{}]/);
      const isWord = language === "ar" && n <= 2;
      if (!isWord) expect(text, `${language} ${n}`).toContain(number(n));
    }
  }
});

test("a blank that nobody fills stays visible instead of saying undefined", () => {
  expect(fill("{a} and {b}", { a: "1" })).toBe("1 and {b}");
});
