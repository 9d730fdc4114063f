import type { MoreTexts } from "./en.ts";

export const texts: MoreTexts = {
  wakeTitle: "Mich wecken",
  wakeIntro: "Wenn Ihre Nummer nahe ist und wenn sie aufgerufen wird, meldet sich dieses Gerät.",
  wakeSwitch: "Mich wecken, wenn ich an der Reihe bin",
  test: "Ton testen",
  canTitle: "Was dieses Gerät kann",
  soundYes: "Ton: ja, solange diese Seite offen und das Gerät nicht stumm ist.",
  soundNo: "Ton: erst nachdem Sie auf dieser Seite einmal „Ton testen“ gedrückt haben.",
  vibrateYes: "Vibration: ja, solange diese Seite offen ist.",
  vibrateNo: "Vibration: auf diesem Gerät nicht.",
  notifyYes: "Benachrichtigung: erlaubt.",
  notifyAsk: "Benachrichtigung: noch nicht gefragt; der Schalter fragt.",
  notifyNo: "Benachrichtigung: in den Einstellungen dieses Browsers gesperrt.",
  notifyNone: "Benachrichtigung: in diesem Browser nicht.",
  pushYes: "Bei geschlossener Seite: ja, der Browser wird benachrichtigt.",
  pushNo: "Bei geschlossener Seite: nein. Bitte offen lassen oder eine E-Mail-Adresse angeben.",
  homeScreen:
    "Auf einem iPhone legen Sie diese Seite zuerst auf den Home-Bildschirm; nur dann darf sie Sie benachrichtigen.",
  email: "Oder eine E-Mail, wenn Sie bald an der Reihe sind",
  emailKept: "Die Adresse wird einmal benutzt und mit Ihrem Platz vergessen.",
  save: "Speichern",
  saved: "Gespeichert. Wir melden uns.",
  failed: "Das hat gerade nicht geklappt. Bitte noch einmal versuchen.",
  close: "Schließen",
  slow: "Ich brauche mehr Zeit",
  slowIntro:
    "Der Aufruf wartet dann länger auf Sie, und der Shop öffnet sich erst, wenn Sie den Knopf drücken.",
  moveTitle: "Auf ein anderes Gerät",
  moveIntro:
    "Öffnen Sie dort diesen Link oder scannen Sie den Code. Er gilt einmal und nimmt Ihren Platz mit: Diese Seite zählt dann nicht mehr.",
  moveUntil: "Gültig bis {time}.",
  copy: "Link kopieren",
  copied: "Kopiert.",
  qrAlt: "Code, der diesen Link öffnet",
  hereTitle: "Platz hierher holen?",
  hereIntro:
    "Der Platz zieht in diesen Browser um, und das andere Gerät hat ihn nicht mehr. Hat dieser Browser in dieser Schlange einen eigenen Platz, wird dieser aufgegeben.",
  hereYes: "Hierher holen",
  hereNo: "Dort lassen",
  placesTitle: "Plätze dieses Browsers",
  placeLine: "Ihre Nummer: {number}. Jetzt dran: {calling}.",
  placeUnknown: "Ihr Platz bleibt erhalten.",
  realTitle: "Woran erkenne ich, dass das echt ist?",
  realAddress:
    "Die offizielle Adresse ist {host}. Vergleichen Sie sie Buchstabe für Buchstabe mit der in Ihrem Browser.",
  realAsk:
    "In der Schlange fragt niemand nach einem Passwort, einer Karte oder einem Code aus einer Nachricht.",
  realSell: "Einen Platz kann man nicht kaufen: Wer einen verkauft, betrügt.",
  pushNear: [
    "Sie sind bald an der Reihe",
    "Ihre Nummer {n} kommt in wenigen Minuten. Bitte öffnen Sie die Seite.",
  ],
  pushCalled: ["Ihre Nummer wird aufgerufen", "Bitte öffnen Sie jetzt die Seite. {n}"],
};
