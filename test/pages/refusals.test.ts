// Every refusal of the API, in every language of the pages: a sentence of its own, and its next step.
import { describe, expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../edge/pages/kit/i18n.ts";
import type { ProblemTexts } from "../../edge/pages/kit/problems/en.ts";
import { NEXT_STEPS } from "../../edge/pages/shop/parts/next-step.ts";
import { loadWords } from "../../edge/pages/shop/words.ts";
import { ERRORS } from "../../shared/errors.ts";

const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
const CODES = [...Object.keys(ERRORS), "network"].sort();
const isCode = (code: string): code is keyof ProblemTexts => Object.hasOwn(NEXT_STEPS, code);

test("each code has a next step, and there is none without a code", () => {
  expect(Object.keys(NEXT_STEPS).sort()).toEqual(CODES);
});

describe.each(LANGUAGE_CODES)("in %s", (language) => {
  test("each code says something that no other says, and has its next step in words", async () => {
    const { problems, texts } = await loadWords(language);
    const saidBy = new Map<string, string>();
    for (const code of CODES) {
      if (!isCode(code)) throw new Error(`${code} has no next step`);
      const sentence = problems[code];
      expect(sentence?.length, code).toBeGreaterThan(10);
      expect(saidBy.get(sentence), `${code} repeats another's sentence`).toBeUndefined();
      saidBy.set(sentence, code);
      expect(texts.steps[NEXT_STEPS[code]]?.trim().length, code).toBeGreaterThan(3);
    }
    expect(saidBy.size).toBe(CODES.length);
    expect(new Set(Object.values(texts.steps)).size).toBe(Object.keys(texts.steps).length);
  });
});
