import "./more.css";
import { make } from "../../kit/dom.ts";
import { type Format, fill, type Language } from "../../kit/i18n.ts";
import type { Facts } from "../facts.ts";
import { openDialog } from "./dialog.ts";
import { askHere, openMove } from "./move-dialog.ts";
import { openPlaces } from "./places-dialog.ts";
import type { MoreTexts } from "./texts/en.ts";
import { wakeUp } from "./wake.ts";
import { openWake } from "./wake-dialog.ts";

/** What the queue page can do beyond the first view; fetched when somebody asks for it. */

const TEXTS: Readonly<Record<Language, () => Promise<{ texts: MoreTexts }>>> = {
  tr: () => import("./texts/tr.ts"),
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  fr: () => import("./texts/fr.ts"),
  es: () => import("./texts/es.ts"),
  ar: () => import("./texts/ar.ts"),
  ru: () => import("./texts/ru.ts"),
};

export type Part = "wake" | "takeAlong" | "places" | "howReal";

function openReal(texts: MoreTexts): void {
  const lines = [fill(texts.realAddress, { host: location.host }), texts.realAsk, texts.realSell];
  const list = make("ul", { className: "can" }, ...lines.map((text) => make("li", { text })));
  openDialog(texts.realTitle, [list], { label: texts.close });
}

export async function openPart(
  part: Part,
  more: { facts: Facts; language: Language; format: Format },
): Promise<void> {
  const { facts, language, format } = more;
  const { texts } = await TEXTS[language]();
  switch (part) {
    case "wake":
      return openWake(facts, texts);
    case "takeAlong":
      return openMove(facts, texts, format);
    case "places":
      return openPlaces(texts, format);
    case "howReal":
      return openReal(texts);
  }
}

export async function askMoveHere(language: Language): Promise<boolean> {
  const { texts } = await TEXTS[language]();
  return askHere(texts);
}

export async function ring(event: string, language: Language): Promise<void> {
  const { texts } = await TEXTS[language]();
  await wakeUp(event, texts);
}
