/** Languages of the pages, and how numbers, times and plurals are written in them. */

export const LANGUAGES = {
  tr: "Türkçe",
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ar: "العربية",
  ru: "Русский",
} as const;
export type Language = keyof typeof LANGUAGES;

/** A sentence by plural category; `other` serves the categories that are not named. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

const CHOICE = "sira-language";

export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** The choice made by hand, else the first of the browser's languages that we speak. */
export function pickLanguage(): Language {
  try {
    const chosen = localStorage.getItem(CHOICE);
    if (chosen !== null && isLanguage(chosen)) return chosen;
  } catch {
    // Storage is kept from us; the browser's languages decide.
  }
  for (const tag of navigator.languages) {
    const base = tag.slice(0, 2).toLowerCase();
    if (isLanguage(base)) return base;
  }
  return "en";
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(CHOICE, language);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** The page's root learns language and direction before anything is drawn. */
export function applyLanguage(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
}

/** Ticket, board and text must show the same digits to be compared at a glance: Latin ones. */
export const localeOf = (language: Language): string =>
  language === "ar" ? "ar-u-nu-latn" : language;

export function fill(text: string, values: Readonly<Record<string, string>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

export type Format = ReturnType<typeof formatFor>;

/** @param language decides everything that `Intl` writes. */
export function formatFor(language: Language) {
  const locale = localeOf(language);
  const numbers = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);
  const number = (n: number) => numbers.format(n);
  const unit = (n: number, name: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "long" }).format(n);
  return {
    locale,
    number,
    plural: (forms: Plural, n: number, values: Readonly<Record<string, string>> = {}) =>
      fill(forms[rules.select(n)] ?? forms.other, { n: number(n), ...values }),
    /** A length of time in words, as exact as such an estimate can be. */
    duration(ms: number): string {
      const minutes = Math.round(ms / 60_000);
      if (ms < 60_000) return unit(Math.max(1, Math.round(ms / 1000)), "second");
      if (minutes < 90) return unit(minutes, "minute");
      const hours = Math.round(minutes / 30) / 2;
      return unit(hours, "hour");
    },
    time: (at: number | string, zone?: string) =>
      new Intl.DateTimeFormat(locale, {
        hour: "2-digit",
        minute: "2-digit",
        ...(zone === undefined ? {} : { timeZone: zone }),
      }).format(new Date(at)),
    dateTime: (at: number | string, zone?: string) =>
      new Intl.DateTimeFormat(locale, {
        weekday: "long",
        day: "numeric",
        month: "long",
        hour: "2-digit",
        minute: "2-digit",
        ...(zone === undefined ? {} : { timeZone: zone, timeZoneName: "short" as const }),
      }).format(new Date(at)),
    money(money: { amount: number; currency: string }): string {
      const style = { style: "currency", currency: money.currency } as const;
      const digits = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits;
      return new Intl.NumberFormat(locale, style).format(money.amount / 10 ** (digits ?? 2));
    },
  };
}
