import { type DeskTexts, texts as en } from "./en.ts";
export const texts: DeskTexts = en;
