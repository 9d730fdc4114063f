import type { Language } from "./language.ts";

/** What a buyer reads when an event is called off or moved, in every language. */
export type EventActWords = {
  /** {event} */
  cancelledSubject: string;
  /** {event} */
  cancelledIntro: string;
  /** {amount} */
  cancelledMoney: string;
  /** {event} */
  postponedSubject: string;
  /** {event} {when} */
  postponedIntro: string;
  postponedTickets: string;
};

export const EVENT_ACT_WORDS: Readonly<Record<Language, EventActWords>> = {
  tr: {
    cancelledSubject: "İptal edildi: {event}",
    cancelledIntro: "{event} iptal edildi; biletleriniz artık geçersiz.",
    cancelledMoney: "Ödediğiniz {amount}, siz bir şey yapmadan iade ediliyor.",
    postponedSubject: "Yeni tarih: {event}",
    postponedIntro: "{event} ertelendi. Yeni zamanı: {when}.",
    postponedTickets: "Biletleriniz yeni tarih için geçerlidir; yapmanız gereken bir şey yok.",
  },
  en: {
    cancelledSubject: "Cancelled: {event}",
    cancelledIntro: "{event} has been called off; your tickets are void.",
    cancelledMoney: "{amount} that you paid is on its way back, and you need not do anything.",
    postponedSubject: "A new date: {event}",
    postponedIntro: "{event} has been moved. It now takes place on {when}.",
    postponedTickets: "Your tickets are good for the new date; you need not do anything.",
  },
  de: {
    cancelledSubject: "Abgesagt: {event}",
    cancelledIntro: "{event} ist abgesagt; Ihre Karten sind ungültig.",
    cancelledMoney: "Die bezahlten {amount} werden erstattet, ohne dass Sie etwas tun müssen.",
    postponedSubject: "Neuer Termin: {event}",
    postponedIntro: "{event} ist verlegt. Der neue Termin: {when}.",
    postponedTickets: "Ihre Karten gelten für den neuen Termin; Sie müssen nichts tun.",
  },
  fr: {
    cancelledSubject: "Annulé : {event}",
    cancelledIntro: "{event} est annulé ; vos billets ne sont plus valables.",
    cancelledMoney:
      "Les {amount} que vous avez payés vous sont remboursés, sans démarche de votre part.",
    postponedSubject: "Nouvelle date : {event}",
    postponedIntro: "{event} est reporté. Nouvelle date : {when}.",
    postponedTickets: "Vos billets sont valables pour la nouvelle date ; vous n’avez rien à faire.",
  },
  es: {
    cancelledSubject: "Cancelado: {event}",
    cancelledIntro: "{event} se ha cancelado; sus entradas ya no son válidas.",
    cancelledMoney: "Los {amount} que pagó se le devuelven sin que tenga que hacer nada.",
    postponedSubject: "Nueva fecha: {event}",
    postponedIntro: "{event} se ha aplazado. Nueva fecha: {when}.",
    postponedTickets: "Sus entradas valen para la nueva fecha; no tiene que hacer nada.",
  },
  ar: {
    cancelledSubject: "أُلغيت: {event}",
    cancelledIntro: "أُلغيت {event} ولم تعد تذاكرك صالحة.",
    cancelledMoney: "سيعود إليك المبلغ الذي دفعته {amount} دون أن تفعل شيئًا.",
    postponedSubject: "موعد جديد: {event}",
    postponedIntro: "أُجّلت {event}. الموعد الجديد: {when}.",
    postponedTickets: "تذاكرك صالحة للموعد الجديد ولا حاجة إلى أي إجراء.",
  },
  ru: {
    cancelledSubject: "Отменено: {event}",
    cancelledIntro: "{event}: мероприятие отменено, ваши билеты недействительны.",
    cancelledMoney: "Уплаченные {amount} возвращаются; от вас ничего не требуется.",
    postponedSubject: "Новая дата: {event}",
    postponedIntro: "{event}: мероприятие перенесено. Новая дата: {when}.",
    postponedTickets: "Ваши билеты действительны на новую дату; от вас ничего не требуется.",
  },
};
