import { texts as en, type PlanTexts } from "./en.ts";
export const texts: PlanTexts = en;
