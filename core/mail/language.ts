import { WORDS } from "./words.ts";

export type Language = "tr" | "en" | "de" | "fr" | "es" | "ar" | "ru";

export type Words = {
  direction: "ltr" | "rtl";
  /** {event} */
  ticketsSubject: string;
  /** {name} */
  greeting: string;
  /** {event} */
  ticketsIntro: string;
  /** {section} {row} {number} */
  seat: string;
  /** {zone} */
  standing: string;
  void: string;
  total: string;
  openOrder: string;
  showAtDoor: string;
  personalLink: string;
  reseated: string;
  /** {event} */
  refundSubject: string;
  /** {amount} {event} */
  refundIntro: string;
  refundDuplicate: string;
  refundLost: string;
  refundVoid: string;
  refundTime: string;
  /** {event} */
  incidentSubject: string;
  /** {amount} {event} */
  incidentIntro: string;
  /** {code} */
  incidentVoucher: string;
  order: string;
  codeSubject: string;
  codeIntro: string;
  /** {minutes} */
  codeTime: string;
  codeIgnore: string;
  /** {event} */
  transferSubject: string;
  /** {event} */
  transferIntro: string;
  openTicket: string;
  linksSubject: string;
  linksIntro: string;
  /** {event} */
  nearlySubject: string;
  /** {event} {number} */
  nearlyIntro: string;
  nearlyOpen: string;
  nearlyOnce: string;
};

const isLanguage = (text: string): text is Language => Object.hasOwn(WORDS, text);

/** `de-AT` → `de`; a language we do not write gets English. */
export function languageOf(locale: string | null | undefined): Language {
  const base = (locale ?? "").split("-")[0]?.toLowerCase() ?? "";
  return isLanguage(base) ? base : "en";
}

/** Fills `{name}` marks once each; what is filled in is not looked at again. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (mark, name: string) => values[name] ?? mark);
