import type { Language } from "../kit/i18n.ts";

export type CheckTexts = {
  language: string;
  heading: string;
  lead: string;
  failed: string;
  unreachable: string;
  unsupported: string;
  again: string;
  back: string;
  /** Whose check it is, since its frame is somebody else's. */
  whose: string;
};

export const TEXTS: Readonly<Record<Language, CheckTexts>> = {
  tr: {
    language: "Dil",
    heading: "Küçük bir kontrol",
    lead: "Bilet almak isteyen bir insan olduğunuzu gösterin. Çoğu zaman kendiliğinden biter; sonra sıraya dönersiniz.",
    failed: "Kontrol tamamlanamadı. Bir şey kaybetmediniz: yeniden deneyin.",
    unreachable:
      "Kontrol yüklenemedi. Belki bir reklam engelleyici ya da ağınız izin vermiyor; kapatıp yeniden deneyin.",
    unsupported: "Bu tarayıcı kontrolü yapamıyor. Lütfen sayfayı başka bir tarayıcıda açın.",
    again: "Yeniden dene",
    back: "Sıraya dön",
    whose:
      "Kontrolü Cloudflare Turnstile yapar ve yalnızca bu sayfada yüklenir. Parola ya da kart bilgisi sorulmaz.",
  },
  en: {
    language: "Language",
    heading: "One short check",
    lead: "It shows that a person is asking for the place. Mostly it finishes by itself, and then you are back in the line.",
    failed: "The check did not finish. Nothing is lost by that: please try again.",
    unreachable:
      "The check could not be loaded. Perhaps an ad blocker or your network keeps it away; let it through and try again.",
    unsupported: "This browser cannot do the check. Please open the page in another one.",
    again: "Try again",
    back: "Back to the line",
    whose:
      "The check is Cloudflare Turnstile's, and only this page loads it. It never asks for a password or a card.",
  },
  de: {
    language: "Sprache",
    heading: "Eine kurze Prüfung",
    lead: "Sie zeigt, dass ein Mensch um den Platz bittet. Meist geht sie von selbst, und dann sind Sie wieder in der Schlange.",
    failed:
      "Die Prüfung wurde nicht fertig. Verloren ist nichts: Bitte versuchen Sie es noch einmal.",
    unreachable:
      "Die Prüfung konnte nicht geladen werden. Vielleicht hält ein Werbeblocker oder Ihr Netz sie zurück; lassen Sie sie zu und versuchen Sie es noch einmal.",
    unsupported:
      "Dieser Browser kann die Prüfung nicht. Bitte öffnen Sie die Seite in einem anderen.",
    again: "Noch einmal versuchen",
    back: "Zurück zur Schlange",
    whose:
      "Die Prüfung stammt von Cloudflare Turnstile, und nur diese Seite lädt sie. Sie fragt nie nach einem Passwort oder einer Karte.",
  },
  fr: {
    language: "Langue",
    heading: "Une courte vérification",
    lead: "Elle montre qu’une personne demande la place. Le plus souvent elle se fait toute seule, puis vous revenez dans la file.",
    failed: "La vérification n’a pas abouti. Rien n’est perdu : réessayez.",
    unreachable:
      "La vérification n’a pas pu être chargée. Un bloqueur de publicité ou votre réseau l’empêche peut-être ; autorisez-la et réessayez.",
    unsupported:
      "Ce navigateur ne peut pas faire la vérification. Ouvrez la page dans un autre, s’il vous plaît.",
    again: "Réessayer",
    back: "Retour à la file",
    whose:
      "La vérification est celle de Cloudflare Turnstile, et seule cette page la charge. Elle ne demande jamais de mot de passe ni de carte.",
  },
  es: {
    language: "Idioma",
    heading: "Una breve comprobación",
    lead: "Muestra que una persona pide el lugar. Casi siempre se hace sola y después vuelve usted a la fila.",
    failed: "La comprobación no terminó. No se ha perdido nada: inténtelo otra vez.",
    unreachable:
      "No se pudo cargar la comprobación. Quizá la detiene un bloqueador de anuncios o su red; permítala e inténtelo otra vez.",
    unsupported:
      "Este navegador no puede hacer la comprobación. Abra la página en otro, por favor.",
    again: "Intentar otra vez",
    back: "Volver a la fila",
    whose:
      "La comprobación es de Cloudflare Turnstile y solo esta página la carga. Nunca pide una contraseña ni una tarjeta.",
  },
  ar: {
    language: "اللغة",
    heading: "تحقق قصير",
    lead: "يبيّن أن إنسانًا يطلب المكان. غالبًا ما ينتهي من تلقاء نفسه، ثم تعود إلى الطابور.",
    failed: "لم يكتمل التحقق. لم تخسر شيئًا: حاول مرة أخرى.",
    unreachable: "تعذّر تحميل التحقق. ربما يمنعه مانع إعلانات أو شبكتك؛ اسمح به وحاول مرة أخرى.",
    unsupported: "لا يستطيع هذا المتصفح إجراء التحقق. افتح الصفحة في متصفح آخر.",
    again: "حاول مرة أخرى",
    back: "العودة إلى الطابور",
    whose:
      "التحقق من Cloudflare Turnstile، ولا تحمّله إلا هذه الصفحة. لا يطلب أبدًا كلمة مرور أو بطاقة.",
  },
  ru: {
    language: "Язык",
    heading: "Короткая проверка",
    lead: "Она показывает, что место просит человек. Чаще всего она проходит сама, и вы снова в очереди.",
    failed: "Проверка не завершилась. Ничего не потеряно: попробуйте ещё раз.",
    unreachable:
      "Проверку не удалось загрузить. Возможно, её задерживает блокировщик рекламы или ваша сеть; разрешите её и попробуйте ещё раз.",
    unsupported: "Этот браузер не может пройти проверку. Откройте страницу в другом.",
    again: "Попробовать ещё раз",
    back: "Назад в очередь",
    whose:
      "Проверка принадлежит Cloudflare Turnstile, и загружает её только эта страница. Она никогда не спрашивает пароль или карту.",
  },
};
