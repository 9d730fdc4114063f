import type { Language } from "./language.ts";

/** What is added to the prices, as the mail with the tickets names it. */
export const ADDED_WORDS: Readonly<Record<Language, { fees: string; tax: string }>> = {
  tr: { fees: "Hizmet bedeli", tax: "Vergi" },
  en: { fees: "Fees", tax: "Tax" },
  de: { fees: "Gebühren", tax: "Steuer" },
  fr: { fees: "Frais", tax: "Taxe" },
  es: { fees: "Gastos", tax: "Impuesto" },
  ar: { fees: "الرسوم", tax: "الضريبة" },
  ru: { fees: "Сборы", tax: "Налог" },
};
