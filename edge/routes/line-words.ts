import type { Phase } from "../line/types.ts";

/** The sentences of the page without JavaScript, in the languages of the queue page. */
export type LineWords = {
  title: string;
  join: string;
  needsKey: string;
  needsAccount: string;
  needsCheck: string;
  phase: Record<Phase, string>;
  opensAt: (time: string) => string;
  number: (number: string) => string;
  called: (number: string) => string;
  ahead: (count: string) => string;
  numberFollows: string;
  yourTurn: string;
  shopNeedsScript: string;
  goOn: string;
  over: string;
  away: string;
};

const en: LineWords = {
  title: "The line",
  join: "Join the line",
  needsKey: "In this line your browser proves with a key that it is yours, which needs JavaScript.",
  needsAccount: "This line is for registered accounts, which needs JavaScript.",
  needsCheck: "This line begins with a short check, which needs JavaScript.",
  phase: {
    upcoming: "The line has not opened yet.",
    drawing: "The numbers are being drawn.",
    open: "The line is moving.",
    paused: "The line is paused. Your place is kept.",
    sold_out: "Sold out.",
    closed: "The line is closed.",
  },
  opensAt: (time) => `It opens at ${time}.`,
  number: (number) => `Your number: ${number}`,
  called: (number) => `Now called: ${number}`,
  ahead: (count) => `People ahead of you: ${count}`,
  numberFollows: "Your place is kept; its number follows.",
  yourTurn: "It is your turn.",
  shopNeedsScript: "The shop itself needs JavaScript.",
  goOn: "Go on to the shop",
  over: "This place is over.",
  away: "Your place is kept. The line cannot be asked for a moment.",
};

const tr: LineWords = {
  title: "Sıra",
  join: "Sıraya gir",
  needsKey:
    "Bu sırada tarayıcınız bir anahtarla yerin size ait olduğunu kanıtlar; bunun için JavaScript gerekir.",
  needsAccount: "Bu sıra kayıtlı hesaplar içindir; bunun için JavaScript gerekir.",
  needsCheck: "Bu sıra kısa bir denetimle başlar; bunun için JavaScript gerekir.",
  phase: {
    upcoming: "Sıra henüz açılmadı.",
    drawing: "Numaralar çekiliyor.",
    open: "Sıra ilerliyor.",
    paused: "Sıra durduruldu. Yeriniz duruyor.",
    sold_out: "Tükendi.",
    closed: "Sıra kapandı.",
  },
  opensAt: (time) => `Açılış: ${time}.`,
  number: (number) => `Numaranız: ${number}`,
  called: (number) => `Şimdi çağrılan: ${number}`,
  ahead: (count) => `Önünüzdeki kişi sayısı: ${count}`,
  numberFollows: "Yeriniz duruyor; numarası birazdan gelir.",
  yourTurn: "Sıra sizde.",
  shopNeedsScript: "Mağazanın kendisi JavaScript ister.",
  goOn: "Mağazaya geç",
  over: "Bu yer sona erdi.",
  away: "Yeriniz duruyor. Sıraya şu an sorulamıyor.",
};

const de: LineWords = {
  title: "Die Schlange",
  join: "Anstellen",
  needsKey:
    "In dieser Schlange beweist Ihr Browser mit einem Schlüssel, dass der Platz Ihnen gehört; dazu braucht es JavaScript.",
  needsAccount: "Diese Schlange ist für registrierte Konten; dazu braucht es JavaScript.",
  needsCheck: "Diese Schlange beginnt mit einer kurzen Prüfung; dazu braucht es JavaScript.",
  phase: {
    upcoming: "Die Schlange ist noch nicht geöffnet.",
    drawing: "Die Nummern werden ausgelost.",
    open: "Die Schlange rückt vor.",
    paused: "Die Schlange steht. Ihr Platz bleibt erhalten.",
    sold_out: "Ausverkauft.",
    closed: "Die Schlange ist geschlossen.",
  },
  opensAt: (time) => `Sie öffnet um ${time}.`,
  number: (number) => `Ihre Nummer: ${number}`,
  called: (number) => `Jetzt aufgerufen: ${number}`,
  ahead: (count) => `Personen vor Ihnen: ${count}`,
  numberFollows: "Ihr Platz bleibt erhalten; die Nummer folgt.",
  yourTurn: "Sie sind an der Reihe.",
  shopNeedsScript: "Der Shop selbst braucht JavaScript.",
  goOn: "Weiter zum Shop",
  over: "Dieser Platz ist zu Ende.",
  away: "Ihr Platz bleibt erhalten. Die Schlange ist gerade nicht erreichbar.",
};

const fr: LineWords = {
  title: "La file",
  join: "Entrer dans la file",
  needsKey:
    "Dans cette file, votre navigateur prouve par une clé que la place est à vous ; cela demande JavaScript.",
  needsAccount: "Cette file est réservée aux comptes inscrits ; cela demande JavaScript.",
  needsCheck: "Cette file commence par une courte vérification ; cela demande JavaScript.",
  phase: {
    upcoming: "La file n’est pas encore ouverte.",
    drawing: "Le tirage des numéros est en cours.",
    open: "La file avance.",
    paused: "La file est en pause. Votre place est gardée.",
    sold_out: "Complet.",
    closed: "La file est fermée.",
  },
  opensAt: (time) => `Elle ouvre à ${time}.`,
  number: (number) => `Votre numéro : ${number}`,
  called: (number) => `Numéro appelé : ${number}`,
  ahead: (count) => `Personnes devant vous : ${count}`,
  numberFollows: "Votre place est gardée ; son numéro va suivre.",
  yourTurn: "C’est votre tour.",
  shopNeedsScript: "La boutique elle-même demande JavaScript.",
  goOn: "Aller à la boutique",
  over: "Cette place n’est plus valable.",
  away: "Votre place est gardée. La file ne répond pas pour l’instant.",
};

const es: LineWords = {
  title: "La cola",
  join: "Entrar en la cola",
  needsKey:
    "En esta cola su navegador demuestra con una clave que el puesto es suyo; para eso hace falta JavaScript.",
  needsAccount: "Esta cola es para cuentas registradas; para eso hace falta JavaScript.",
  needsCheck: "Esta cola empieza con una breve comprobación; para eso hace falta JavaScript.",
  phase: {
    upcoming: "La cola todavía no se ha abierto.",
    drawing: "Se están sorteando los números.",
    open: "La cola avanza.",
    paused: "La cola está en pausa. Su puesto se conserva.",
    sold_out: "Agotado.",
    closed: "La cola está cerrada.",
  },
  opensAt: (time) => `Se abre a las ${time}.`,
  number: (number) => `Su número: ${number}`,
  called: (number) => `Número llamado: ${number}`,
  ahead: (count) => `Personas delante de usted: ${count}`,
  numberFollows: "Su puesto se conserva; el número llegará enseguida.",
  yourTurn: "Es su turno.",
  shopNeedsScript: "La tienda necesita JavaScript.",
  goOn: "Ir a la tienda",
  over: "Este puesto ha terminado.",
  away: "Su puesto se conserva. La cola no responde por un momento.",
};

const ar: LineWords = {
  title: "الطابور",
  join: "انضم إلى الطابور",
  needsKey: "في هذا الطابور يثبت متصفحك بمفتاح أن المكان لك، وهذا يحتاج إلى JavaScript.",
  needsAccount: "هذا الطابور للحسابات المسجلة، وهذا يحتاج إلى JavaScript.",
  needsCheck: "يبدأ هذا الطابور بتحقق قصير، وهذا يحتاج إلى JavaScript.",
  phase: {
    upcoming: "لم يُفتح الطابور بعد.",
    drawing: "يجري سحب الأرقام.",
    open: "الطابور يتحرك.",
    paused: "الطابور متوقف مؤقتًا. مكانك محفوظ.",
    sold_out: "نفدت التذاكر.",
    closed: "أُغلق الطابور.",
  },
  opensAt: (time) => `يُفتح في ${time}.`,
  number: (number) => `رقمك: ${number}`,
  called: (number) => `الرقم المنادى الآن: ${number}`,
  ahead: (count) => `عدد الأشخاص أمامك: ${count}`,
  numberFollows: "مكانك محفوظ، وسيأتي رقمه.",
  yourTurn: "حان دورك.",
  shopNeedsScript: "المتجر نفسه يحتاج إلى JavaScript.",
  goOn: "تابع إلى المتجر",
  over: "انتهى هذا المكان.",
  away: "مكانك محفوظ. لا يمكن سؤال الطابور للحظة.",
};

const ru: LineWords = {
  title: "Очередь",
  join: "Встать в очередь",
  needsKey: "В этой очереди браузер доказывает ключом, что место ваше; для этого нужен JavaScript.",
  needsAccount: "Эта очередь — для зарегистрированных; для этого нужен JavaScript.",
  needsCheck: "Эта очередь начинается с короткой проверки; для этого нужен JavaScript.",
  phase: {
    upcoming: "Очередь ещё не открыта.",
    drawing: "Идёт розыгрыш номеров.",
    open: "Очередь движется.",
    paused: "Очередь приостановлена. Ваше место сохраняется.",
    sold_out: "Всё продано.",
    closed: "Очередь закрыта.",
  },
  opensAt: (time) => `Открытие: ${time}.`,
  number: (number) => `Ваш номер: ${number}`,
  called: (number) => `Сейчас вызван: ${number}`,
  ahead: (count) => `Людей перед вами: ${count}`,
  numberFollows: "Ваше место сохраняется; номер появится.",
  yourTurn: "Ваша очередь.",
  shopNeedsScript: "Самому магазину нужен JavaScript.",
  goOn: "Перейти в магазин",
  over: "Это место больше не действует.",
  away: "Ваше место сохраняется. Очередь сейчас не отвечает.",
};

const WORDS = { tr, en, de, fr, es, ar, ru } as const;
export type LineLanguage = keyof typeof WORDS;
export const LINE_LANGUAGES = Object.keys(WORDS) as LineLanguage[];

export const wordsOf = (language: LineLanguage): LineWords => WORDS[language];

/** RFC 9110 §12.5.4: the first language that we speak, by the weights of the header. */
export function languageOf(acceptLanguage: string | null | undefined): LineLanguage {
  const wanted = (acceptLanguage ?? "")
    .split(",")
    .map((part, at) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const weight = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean);
      return { tag: tag.slice(0, 2), weight: Number(weight ?? "1"), at };
    })
    .sort((a, b) => b.weight - a.weight || a.at - b.at);
  const found = wanted.find(({ tag, weight }) => weight > 0 && Object.hasOwn(WORDS, tag));
  return LINE_LANGUAGES.find((language) => language === found?.tag) ?? "en";
}
