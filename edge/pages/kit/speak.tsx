import { type ComponentChild, createContext, render } from "preact";
import { useContext } from "preact/hooks";
import { byId, setText } from "./dom.ts";
import { applyLanguage, type Format, formatFor, type Language, pickLanguage } from "./i18n.ts";
import { languageSwitch } from "./language-switch.ts";
import type { ProblemTexts } from "./problems/en.ts";

/** What a page's parts say, in the language of whoever reads it; each page brings its own texts. */

export type Said<Texts> = { texts: Texts; problems: ProblemTexts; format: Format };

const PROBLEMS: Readonly<Record<Language, () => Promise<{ problems: ProblemTexts }>>> = {
  tr: () => import("./problems/tr.ts"),
  en: () => import("./problems/en.ts"),
  de: () => import("./problems/de.ts"),
  fr: () => import("./problems/fr.ts"),
  es: () => import("./problems/es.ts"),
  ar: () => import("./problems/ar.ts"),
  ru: () => import("./problems/ru.ts"),
};

export type Loaders<Texts> = Readonly<Record<Language, () => Promise<{ texts: Texts }>>>;

export function makeSpeech<Texts extends { language: string }>(loaders: Loaders<Texts>) {
  const Spoken = createContext<Said<Texts> | undefined>(undefined);

  function useWords(): Said<Texts> {
    const said = useContext(Spoken);
    if (!said) throw new Error("a part of the page is drawn without its words");
    return said;
  }

  /** Puts the application into the page's frame and redraws it in whatever language is asked for. */
  async function startPage(app: ComponentChild): Promise<void> {
    const show = async (language: Language) => {
      const [{ texts }, { problems }] = await Promise.all([
        loaders[language](),
        PROBLEMS[language](),
      ]);
      setText(byId("language-label"), texts.language);
      const said = { texts, problems, format: formatFor(language) };
      render(<Spoken.Provider value={said}>{app}</Spoken.Provider>, byId("main"));
    };
    const language = pickLanguage();
    applyLanguage(language);
    languageSwitch(byId("language") as HTMLSelectElement, language, (next) => void show(next));
    await show(language);
  }
  return { useWords, startPage };
}
