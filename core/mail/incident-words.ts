import type { Language } from "./words.ts";

/** What somebody is told who was charged by a mistake of ours; filled in as the other words are. */
export type IncidentWords = {
  /** {event} */
  subject: string;
  /** {amount} {event} */
  intro: string;
  /** {code} */
  voucher: string;
};

export const INCIDENT_WORDS: Readonly<Record<Language, IncidentWords>> = {
  tr: {
    subject: "Ödemeniz hakkında: {event}",
    intro:
      "{event} için sizden yanlışlıkla {amount} alındı. Bunun için özür dileriz: tutar, siz bir şey yapmadan iade ediliyor.",
    voucher: "Bir sonraki alışverişiniz için kodunuz: {code}",
  },
  en: {
    subject: "About your payment: {event}",
    intro:
      "we charged you {amount} for {event} by mistake. We are sorry: the money is on its way back, and you need not do anything.",
    voucher: "A code for your next purchase: {code}",
  },
  de: {
    subject: "Zu Ihrer Zahlung: {event}",
    intro:
      "für {event} haben wir Ihnen irrtümlich {amount} abgebucht. Das tut uns leid: Das Geld ist auf dem Weg zurück, Sie müssen nichts tun.",
    voucher: "Ein Code für Ihren nächsten Einkauf: {code}",
  },
  fr: {
    subject: "À propos de votre paiement : {event}",
    intro:
      "nous vous avons débité par erreur de {amount} pour {event}. Nous en sommes désolés : l’argent vous est rendu sans que vous ayez rien à faire.",
    voucher: "Un code pour votre prochain achat : {code}",
  },
  es: {
    subject: "Sobre su pago: {event}",
    intro:
      "le cobramos {amount} por {event} por error. Lo sentimos: el dinero ya está en camino de vuelta y no tiene que hacer nada.",
    voucher: "Un código para su próxima compra: {code}",
  },
  ar: {
    subject: "بخصوص دفعتك: {event}",
    intro:
      "خصمنا منك {amount} مقابل {event} عن طريق الخطأ. نعتذر عن ذلك: المبلغ في طريقه إليك ولا يلزمك فعل شيء.",
    voucher: "رمز لعملية شرائك القادمة: {code}",
  },
  ru: {
    subject: "О вашем платеже: {event}",
    intro:
      "За {event} с вас по ошибке списано {amount}. Приносим извинения: деньги возвращаются, делать ничего не нужно.",
    voucher: "Код для следующей покупки: {code}",
  },
};
