import type { QueueTexts } from "./en.ts";

export const texts: QueueTexts = {
  language: "Sprache",
  skip: "Zum Inhalt",
  title: "Ihr Platz in der Schlange",
  calledTitle: "Sie sind dran!",

  nowCalling: "Jetzt aufgerufen",
  nobodyYet: "noch niemand",
  opensIn: "Öffnet in",
  opensAt: "Öffnet {time}",
  hereTime: "bei Ihnen {time}",
  drawingLabel: "Nummern werden gelost",
  awaitingBeacon:
    "Die Ziehung wartet auf Runde {round} einer öffentlichen Zufallsquelle, fällig um {time}. Niemand kann ihren Wert vorher kennen.",
  moving: {
    one: "Es geht voran, {n} Person pro Minute",
    other: "Es geht voran, etwa {n} Personen pro Minute",
  },
  standing: "Gerade wird niemand eingelassen",
  held: "Für einen Moment kann niemand eingelassen werden; es geht von selbst weiter.",
  pausedLine: "Die Schlange ist angehalten",
  soldOutLine: "Der Verkauf ist vorbei",
  closedLine: "Die Schlange ist geschlossen",

  yourNumber: "Ihre Nummer",
  noNumberYet: "noch nicht gelost",
  numberFollows: "Ihre Nummer folgt",
  drawnAt: "Verlosung: {time}",
  inLineSince: "In der Schlange seit {time}",
  stampCalled: "Sie sind dran",
  stampLeft: "Verlassen",
  stampEnded: "Beendet",
  stampMoved: "Umgezogen",
  stampSoldOut: "Ausverkauft",
  stampClosed: "Geschlossen",

  aheadLabel: "Vor Ihnen",
  ahead: { one: "{n} Person", other: "{n} Personen" },
  nobody: "niemand",
  waitLabel: "Ihre Wartezeit",
  waitAbout: "etwa {time}",
  waitRough: "grob geschätzt",
  waitSure: "gut geschätzt",
  waitUnknown: "noch nicht absehbar",
  seatsLabel: "Noch da",
  seats: { one: "{n} Ticket", other: "{n} Tickets" },
  seatsHeld: { one: "und {n} in einem Warenkorb", other: "und {n} in Warenkörben" },
  poolLabel: "Mit Ihnen in der Verlosung",
  pool: { one: "{n} Person", other: "{n} Personen" },
  soldOut: "ausverkauft",
  progress: "Ihr Weg nach vorn",

  loading: ["Einen Moment", "Wir fragen nach Ihrem Platz in der Schlange."],
  early: [
    "Sie haben einen Platz",
    "Wenn der Verkauf öffnet, wird in der Reihenfolge der Ankunft aufgerufen. Sie können diese Seite schließen und wiederkommen.",
  ],
  pool_: [
    "Sie sind in der Verlosung",
    "Wer vor der Öffnung hier ist, bekommt eine Nummer per Los. Früher zu kommen bringt keinen Vorteil, ein zweiter Tab auch nicht. Sie können diese Seite schließen und wiederkommen.",
  ],
  drawing: [
    "Die Nummern werden gelost",
    "Das dauert einen Moment. Ihr Platz ist sicher; Sie müssen nichts tun.",
  ],
  kept: ["Ihr Platz ist Ihnen sicher", "Ihre Nummer folgt gleich. Sie müssen nichts tun."],
  waiting: [
    "Sie stehen in der Schlange",
    "Ihr Platz gehört Ihnen, was auch immer mit dieser Seite passiert. Wir rufen Sie hier auf, wenn Sie dran sind.",
  ],
  near: [
    "Gleich sind Sie dran",
    "Bitte lassen Sie diese Seite jetzt offen, damit Sie da sind, wenn Ihre Nummer kommt.",
  ],
  ready: [
    "Ihre Nummer wird aufgerufen",
    "Sie sind als Nächstes an der Tür. Bitte bleiben Sie auf dieser Seite.",
  ],
  going: [
    "Kommen Sie herein, Sie sind dran",
    "Der Shop öffnet sich von selbst. Falls nicht, drücken Sie den Knopf.",
  ],
  missed: [
    "Sie wurden aufgerufen, waren aber nicht da",
    "Kein Schaden: Sie behalten Ihre Nummer und werden wieder aufgerufen, sobald Sie hier sind. Bitte lassen Sie diese Seite offen.",
  ],
  paused: [
    "Die Schlange ist angehalten",
    "Im Moment wird niemand eingelassen. Sie behalten Ihren Platz; es geht von selbst weiter.",
  ],
  baskets: [
    "Alle Tickets sind in Warenkörben",
    "Manche kommen zurück, wenn nicht gekauft wird. Sie behalten so lange Ihren Platz.",
  ],
  sold_out: [
    "Ausverkauft",
    "Alle Tickets sind verkauft. Kommen welche zurück, steht es hier, und Ihr Platz zählt dann.",
  ],
  closed: [
    "Diese Schlange ist geschlossen",
    "Der Verkauf ist beendet. Danke, dass Sie gewartet haben.",
  ],
  gone: [
    "Ihr Platz ist abgelaufen",
    "Ihre Zeit im Shop ist vorbei, oder Sie wurden mehrmals aufgerufen und kamen nicht. Gekaufte Tickets sind sicher.",
  ],
  left: [
    "Sie haben die Schlange verlassen",
    "Ihre Nummer ist aufgegeben. Sie können sich hinten neu anstellen.",
  ],
  moved: [
    "Ihr Platz ist auf einem anderen Gerät",
    "Er wurde dorthin mitgenommen; diese Seite zählt nicht mehr.",
  ],
  unknown: [
    "Diese Veranstaltung kennen wir nicht",
    "Vielleicht ist die Adresse falsch geschrieben, oder die Veranstaltung ist vorbei.",
  ],
  toAccount: "Anmelden und registrieren",
  pass: [
    "Für diese Schlange brauchen Sie einen Einlasspass",
    "Bitte öffnen Sie sie über den Link in Ihrer Einladung oder aus Ihrem Konto.",
  ],
  toCheck: "Zur Prüfung",
  challenge: [
    "Erst eine kurze Prüfung",
    "Diese Veranstaltung verlangt von jedem Browser eine kleine Prüfung, bevor er sich anstellt.",
  ],
  conflict: [
    "Zwei verschiedene Plätze",
    "Dieser Browser hat noch einen früheren Platz, den er nicht mehr belegen kann. Wenn Sie weitermachen, wird der alte aufgegeben.",
  ],
  too_late: [
    "Ausverkauft",
    "Alle Tickets sind verkauft, und niemand kann sich mehr anstellen. Falls welche zurückkommen, geht es hier wieder.",
  ],
  insecure: [
    "Dieser Browser kann keinen Platz behalten",
    "Bitte öffnen Sie die Seite im eigenen Browser Ihres Telefons, unter der https-Adresse.",
  ],

  offline:
    "Sie sind offline. Ihr Platz bleibt Ihnen; die Seite macht von selbst weiter, sobald das Netz zurück ist.",
  server:
    "Wir sind gerade nicht erreichbar. Ihr Platz bleibt Ihnen; die Seite versucht es von selbst weiter.",
  restoring:
    "Die Schlange wird wiederhergestellt. Ihr Platz bleibt Ihnen; bitte warten Sie einfach.",
  busy: "Gerade sind sehr viele hier. Ihr Platz bleibt Ihnen; die Seite versucht es von selbst weiter.",
  noStorage:
    "Dieser Browser lässt uns Ihren Platz nicht merken. Bitte lassen Sie die Seite offen oder nehmen Sie einen anderen Browser.",
  keptUntil: "Ihr Platz bleibt Ihnen bis {time}, auch wenn Sie diese Seite schließen.",
  heard: "Zuletzt von der Schlange gehört: {ago}.",
  real: "Sie sind auf {host}. In der Schlange fragen wir nie nach Passwort oder Karte.",
  goOn: "Zum Shop",
  again: "Hinten neu anstellen",
  replace: "Alten Platz aufgeben und weiter",
  tryAgain: "Noch einmal versuchen",
  home: "Alle Veranstaltungen",
  myOrder: "Ihre Bestellung und Tickets",
  howDrawn: "Wie Ihre Nummer gelost wurde",
  leave: "Schlange verlassen",
  leaveAsk: "Schlange verlassen?",
  leaveWarn: "Ihre Nummer ist dann endgültig weg. Wenn Sie wiederkommen, beginnen Sie ganz hinten.",
  leaveYes: "Verlassen",
  leaveNo: "In der Schlange bleiben",
  wake: "Mich wecken",
  takeAlong: "Auf ein anderes Gerät",
  places: "Meine Plätze",
  howReal: "Ist das echt?",
  inApp:
    "Sie sind im Browser einer anderen App, der Ihren Platz beim Schließen vergisst. Nehmen Sie ihn jetzt in Ihren eigenen Browser mit.",
  oddsGood: "nach jetzigem Stand genug für Sie",
  oddsEven: "es könnte knapp werden",
  oddsSlim: "wahrscheinlich weg, bevor Sie an der Reihe sind",
  link: [
    "Dieser Link gilt nicht mehr",
    "Er wurde schon benutzt oder ist zu alt. Machen Sie auf dem Gerät mit dem Platz einen neuen, oder stellen Sie sich hier an.",
  ],
};
