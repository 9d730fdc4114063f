import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Format, formatFor, type Language } from "../kit/i18n.ts";
import type { ProblemTexts } from "../kit/problems/en.ts";
import type { ShopTexts } from "./texts/en.ts";

/** What shop and order pages say, in the language of the fan. */
export type Words = { texts: ShopTexts; problems: ProblemTexts; format: Format };

type Loaded = { texts: ShopTexts };
type LoadedProblems = { problems: ProblemTexts };

const TEXTS: Readonly<Record<Language, () => Promise<[Loaded, LoadedProblems]>>> = {
  tr: () => Promise.all([import("./texts/tr.ts"), import("../kit/problems/tr.ts")]),
  en: () => Promise.all([import("./texts/en.ts"), import("../kit/problems/en.ts")]),
  de: () => Promise.all([import("./texts/de.ts"), import("../kit/problems/de.ts")]),
  fr: () => Promise.all([import("./texts/fr.ts"), import("../kit/problems/fr.ts")]),
  es: () => Promise.all([import("./texts/es.ts"), import("../kit/problems/es.ts")]),
  ar: () => Promise.all([import("./texts/ar.ts"), import("../kit/problems/ar.ts")]),
  ru: () => Promise.all([import("./texts/ru.ts"), import("../kit/problems/ru.ts")]),
};

export async function loadWords(language: Language): Promise<Words> {
  const [{ texts }, { problems }] = await TEXTS[language]();
  return { texts, problems, format: formatFor(language) };
}

const Context = createContext<Words | undefined>(undefined);
export const WordsProvider = Context.Provider;

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error("a part of the page is drawn without its words");
  return words;
}
