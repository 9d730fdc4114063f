import type { AccountTexts } from "./en.ts";

export const texts: AccountTexts = {
  language: "Sprache",
  title: "Mein Konto",
  loading: "Einen Moment …",
  signIn: "Anmelden",
  signInBody:
    "Nur mit Ihrer E-Mail-Adresse. Registrierungen, Einlasspässe, Bestellungen und Tickets sind dann an einem Ort.",
  signInFor: "Anmelden für {event}",
  signInForBody:
    "Diese Schlange ist für registrierte Menschen: eine Person, ein Platz. Melden Sie sich an, registrieren Sie sich einmal, und Ihr Einlasspass bringt Sie zur Schlange.",
  email: "E-Mail",
  emailHint: "Dorthin geht ein Code. Ein Passwort gibt es nicht.",
  sendCode: "Code senden",
  codeSent: "Ein Code ist unterwegs an {email}. Er gilt zehn Minuten.",
  code: "Code aus der E-Mail",
  codeHint: "Acht Ziffern. Fünf Versuche, danach fordern Sie einen neuen an.",
  goIn: "Anmelden",
  codeAgain: "Neuen Code senden",
  otherEmail: "Andere Adresse",
  signedInAs: "Angemeldet als {email}",
  signOut: "Abmelden",
  passes: "Ihre Einlasspässe",
  passesBody:
    "Die Schlange erkennt Sie an Ihrem Pass, auf dem Gerät, auf dem Sie ihn zuletzt öffnen.",
  registered: "Sie sind registriert",
  toLine: "Zur Schlange",
  register: "Vor dem Verkauf registrieren",
  registerBody:
    "Wer sich früh registriert, steht nicht weiter vorn; es zeigt, dass Sie eine Person sind, und dauert einen Moment.",
  registerNow: "Registrieren",
  saleOpens: "Verkaufsstart: {time}",
  onSale: "Jetzt im Verkauf",
  orders: "Bestellungen und Tickets",
  noOrders: "Mit diesem Konto wurde noch nichts gekauft.",
  openTickets: "Tickets öffnen",
  openOrder: "Bestellung öffnen",
  states: {
    pending: "Noch nicht bezahlt",
    paid: "Bezahlt",
    expired: "Abgelaufen",
    cancelled: "Storniert",
    refunded: "Erstattet",
    part_refunded: "Teilweise erstattet",
  },
  data: "Meine Daten",
  dataBody:
    "Nehmen Sie eine Kopie von allem mit, was über Sie gespeichert ist, oder lassen Sie es vergessen. Zahlungen bleiben in den Büchern, ohne Ihren Namen.",
  copy: "Kopie sichern",
  erase: "Mich vergessen",
  eraseWarn:
    "Name und Adresse werden aus allen Bestellungen gelöscht, und niemand kann Ihnen Ihre Tickets noch einmal schicken. Das lässt sich nicht rückgängig machen.",
  eraseYes: "Alles über mich vergessen",
  eraseNo: "Konto behalten",
  erased: [
    "Sie sind vergessen",
    "Hier nennt Sie nichts mehr beim Namen. Gespeicherte Tickets öffnen die Tür weiterhin.",
  ],
};
