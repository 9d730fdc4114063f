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

/**
 * The fan's own region where it speaks the language (`en-GB` for `en`). Ticket, board and text must
 * show the same digits to be compared at a glance: Latin ones.
 */
export function localeOf(language: Language): string {
  const own = navigator.languages.find((tag) => tag.split("-")[0]?.toLowerCase() === language);
  return `${own ?? language}-u-nu-latn`;
}

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
  const units = (unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  const clock = { hour: "numeric", minute: "2-digit" } as const;
  const time = (at: number | string, timeZone?: string) =>
    new Intl.DateTimeFormat(locale, { ...clock, ...(timeZone ? { timeZone } : {}) }).format(
      new Date(at),
    );
  return {
    locale,
    number,
    time,
    plural: (forms: Plural, n: number, values: Readonly<Record<string, string>> = {}) =>
      fill(forms[rules.select(n)] ?? forms.other, { n: number(n), ...values }),
    days: (n: number) => units("day").format(n),
    /** A length of time in words: minutes, or half hours where minutes would be pretence. */
    duration(ms: number): string {
      const { count, unit } = lengthOf(ms);
      return units(unit).format(count);
    },
    /** Exact to the second: what is left of a hold. */
    shortTime(ms: number): string {
      const minutes = ms / MINUTE_MS;
      return minutes >= 1
        ? units("minute").format(Math.round(minutes))
        : units("second").format(Math.round(ms / 1000));
    },
    /** `12–18 minutes`, or one length where both ends are the same in words. */
    durationRange(lowMs: number, highMs: number): string {
      const high = lengthOf(highMs);
      const low = lengthOf(lowMs, high.unit);
      if (low.count === high.count) return units(high.unit).format(high.count);
      return units(high.unit).formatRange(low.count, high.count);
    },
    /** To the second, in the fan's own zone: for what is due today. */
    timeOfDay: (at: number | string): string =>
      new Intl.DateTimeFormat(locale, { ...clock, second: "2-digit" }).format(new Date(at)),
    /** With the zone's name only where it is not the fan's own. */
    dateTime(at: number | string, timeZone?: string): string {
      const isForeign = timeZone !== undefined && time(at) !== time(at, timeZone);
      return new Intl.DateTimeFormat(locale, {
        weekday: "long",
        day: "numeric",
        month: "long",
        ...clock,
        ...(timeZone ? { timeZone } : {}),
        ...(isForeign ? { timeZoneName: "short" } : {}),
      }).format(new Date(at));
    },
    money(money: { amount: number; currency: string }): string {
      const style = { style: "currency", currency: money.currency } as const;
      const digits = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits;
      return new Intl.NumberFormat(locale, { ...style, currencyDisplay: "narrowSymbol" }).format(
        money.amount / 10 ** (digits ?? 2),
      );
    },
  };
}

const MINUTE_MS = 60_000;
/** Above this, minutes are more than anybody can promise. */
const MINUTES_MAX = 90;

function lengthOf(
  ms: number,
  asked?: "minute" | "hour",
): { count: number; unit: "minute" | "hour" } {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const unit = asked ?? (minutes < MINUTES_MAX ? "minute" : "hour");
  return unit === "minute"
    ? { count: minutes, unit }
    : { count: Math.max(0.5, Math.round(minutes / 30) / 2), unit };
}
