import { makeSpeech } from "../kit/speak.tsx";
import type { ScanTexts } from "./texts/en.ts";

export const { useWords, startPage } = makeSpeech<ScanTexts>({
  tr: () => import("./texts/tr.ts"),
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  fr: () => import("./texts/fr.ts"),
  es: () => import("./texts/es.ts"),
  ar: () => import("./texts/ar.ts"),
  ru: () => import("./texts/ru.ts"),
});
