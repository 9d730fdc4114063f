import { type ComponentChild, render } from "preact";
import { byId, setText } from "../kit/dom.ts";
import { applyLanguage, type Language, pickLanguage } from "../kit/i18n.ts";
import { languageSwitch } from "../kit/language-switch.ts";
import { loadWords, WordsProvider } from "./words.ts";

/** Puts an application into the page's frame and redraws it in whatever language is asked for. */
export async function startPage(app: ComponentChild): Promise<void> {
  const show = async (language: Language) => {
    const words = await loadWords(language);
    setText(byId("language-label"), words.texts.language);
    render(<WordsProvider value={words}>{app}</WordsProvider>, byId("main"));
  };
  const language = pickLanguage();
  applyLanguage(language);
  languageSwitch(byId("language") as HTMLSelectElement, language, (next) => void show(next));
  await show(language);
}
