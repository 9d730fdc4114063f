import { make } from "./dom.ts";
import { applyLanguage, isLanguage, keepLanguage, LANGUAGES, type Language } from "./i18n.ts";

/** Fills the page's `<select>` with the languages, each in its own words. */
export function languageSwitch(
  select: HTMLSelectElement,
  current: Language,
  onChange: (language: Language) => void,
): void {
  select.replaceChildren(
    ...Object.entries(LANGUAGES).map(([code, name]) =>
      make("option", { text: name, attributes: { value: code, lang: code } }),
    ),
  );
  select.value = current;
  select.addEventListener("change", () => {
    if (!isLanguage(select.value)) return;
    keepLanguage(select.value);
    applyLanguage(select.value);
    onChange(select.value);
  });
}
