import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Reply } from "../kit/api.ts";
import { type Format, formatFor, type Language } from "../kit/i18n.ts";
import type { ProblemTexts } from "../kit/problems/en.ts";
import { codeOf } from "../shop/parts/failure.ts";
import type { DeskTexts } from "./texts/desk/en.ts";
import type { PlanTexts } from "./texts/plan/en.ts";

/** What the console says, in the language of whoever sits at it. */
export type Words = {
  language: Language;
  texts: DeskTexts;
  plan: PlanTexts;
  problems: ProblemTexts;
  format: Format;
  percent: (share: number) => string;
};

type Desk = { texts: DeskTexts };
type Plan = { texts: PlanTexts };
type Loaded = Promise<[Desk, Plan, { problems: ProblemTexts }]>;

const TEXTS: Readonly<Record<Language, () => Loaded>> = {
  tr: () =>
    Promise.all([
      import("./texts/desk/tr.ts"),
      import("./texts/plan/tr.ts"),
      import("../kit/problems/tr.ts"),
    ]),
  en: () =>
    Promise.all([
      import("./texts/desk/en.ts"),
      import("./texts/plan/en.ts"),
      import("../kit/problems/en.ts"),
    ]),
  de: () =>
    Promise.all([
      import("./texts/desk/de.ts"),
      import("./texts/plan/de.ts"),
      import("../kit/problems/de.ts"),
    ]),
  fr: () =>
    Promise.all([
      import("./texts/desk/fr.ts"),
      import("./texts/plan/fr.ts"),
      import("../kit/problems/fr.ts"),
    ]),
  es: () =>
    Promise.all([
      import("./texts/desk/es.ts"),
      import("./texts/plan/es.ts"),
      import("../kit/problems/es.ts"),
    ]),
  ar: () =>
    Promise.all([
      import("./texts/desk/ar.ts"),
      import("./texts/plan/ar.ts"),
      import("../kit/problems/ar.ts"),
    ]),
  ru: () =>
    Promise.all([
      import("./texts/desk/ru.ts"),
      import("./texts/plan/ru.ts"),
      import("../kit/problems/ru.ts"),
    ]),
};

export async function loadWords(language: Language): Promise<Words> {
  const [desk, plan, { problems }] = await TEXTS[language]();
  const format = formatFor(language);
  const percents = new Intl.NumberFormat(format.locale, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  return {
    language,
    texts: desk.texts,
    plan: plan.texts,
    problems,
    format,
    percent: (share) => percents.format(share),
  };
}

const Context = createContext<Words | undefined>(undefined);
export const WordsProvider = Context.Provider;

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error("a part of the console is drawn without its words");
  return words;
}

type Failure = Exclude<Reply<unknown>, { kind: "ok" }>;

/** The sentence for a failed call, and what the server said about the very thing. */
export function sentenceOf(words: Words, reply: Failure): string {
  const detail = reply.kind === "problem" ? reply.problem.detail : undefined;
  return [words.problems[codeOf(reply)], detail].filter(Boolean).join(" ");
}
