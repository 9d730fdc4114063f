import { type Language, WORDS } from "./words.ts";

const isLanguage = (text: string): text is Language => Object.hasOwn(WORDS, text);

/** `de-AT` → `de`; a language we do not write gets English. */
export function languageOf(locale: string | null | undefined): Language {
  const base = (locale ?? "").split("-")[0]?.toLowerCase() ?? "";
  return isLanguage(base) ? base : "en";
}

/** Fills `{name}` marks once each; what is filled in is not looked at again. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (mark, name: string) => values[name] ?? mark);
