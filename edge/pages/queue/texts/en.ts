import type { Plural } from "../../kit/i18n.ts";

/** All that the queue page says. The other languages have the same shape, checked by the compiler. */
export const texts = {
  language: "Language",
  skip: "To the content",
  title: "Your place in the line",
  calledTitle: "It is your turn!",

  nowCalling: "Now calling",
  nobodyYet: "nobody yet",
  opensIn: "Opens in",
  opensAt: "Opens {time}",
  hereTime: "{time} where you are",
  drawingLabel: "Drawing the numbers",
  awaitingBeacon:
    "The draw waits for round {round} of a public beacon, due at {time}. Nobody can know its value before.",
  moving: {
    one: "Moving, {n} person a minute",
    other: "Moving, about {n} people a minute",
  } as Plural,
  standing: "Nobody is being let in right now",
  held: "Nobody new can be let in for a moment; it goes on by itself.",
  pausedLine: "The line is paused",
  soldOutLine: "The sale is over",
  closedLine: "The line is closed",

  yourNumber: "Your number",
  noNumberYet: "not drawn yet",
  numberFollows: "Your number follows",
  drawnAt: "Drawn {time}",
  inLineSince: "In the line since {time}",
  stampCalled: "Your turn",
  stampLeft: "Left",
  stampEnded: "Ended",
  stampMoved: "Moved",
  stampSoldOut: "Sold out",
  stampClosed: "Closed",

  aheadLabel: "Ahead of you",
  ahead: { one: "{n} person", other: "{n} people" } as Plural,
  nobody: "nobody",
  waitLabel: "Your wait",
  waitAbout: "about {time}",
  waitRough: "a rough estimate",
  waitSure: "a good estimate",
  waitUnknown: "we cannot say yet",
  seatsLabel: "Tickets left",
  seats: { one: "{n} ticket", other: "{n} tickets" } as Plural,
  seatsHeld: { one: "and {n} in a basket", other: "and {n} in baskets" } as Plural,
  poolLabel: "In the draw with you",
  pool: { one: "{n} person", other: "{n} people" } as Plural,
  soldOut: "sold out",
  progress: "Your way to the front",

  loading: ["One moment", "We are asking for your place in the line."],
  early: [
    "You have a place",
    "When the sale opens, people are called in the order in which they came. You may close this page and come back.",
  ],
  pool_: [
    "You are in the draw",
    "Everybody who is here before the opening gets a number by lot. Arriving earlier gives no advantage, and neither does a second tab. You may close this page and come back.",
  ],
  drawing: [
    "The numbers are being drawn",
    "This takes a moment. Your place is safe; you need not do anything.",
  ],
  kept: ["Your place is kept", "Your number follows in a moment. You need not do anything."],
  waiting: [
    "You are in the line",
    "Your place is yours whatever happens to this page. We call you here when it is your turn.",
  ],
  near: [
    "You are nearly there",
    "Please keep this page open now, so that you are here when your number comes up.",
  ],
  ready: ["Your number is being called", "You are next at the door. Please stay on this page."],
  going: [
    "Come in, it is your turn",
    "The shop opens by itself. If it does not, press the button.",
  ],
  missed: [
    "You were called, but did not come in",
    "No harm done: you keep your number and are called again as soon as you are here. Please keep this page open.",
  ],
  paused: [
    "The line is paused",
    "Nobody is let in at the moment. You keep your place; it goes on by itself.",
  ],
  baskets: [
    "All tickets are in baskets",
    "Some may come back if people do not buy. You keep your place in the line meanwhile.",
  ],
  sold_out: [
    "Sold out",
    "All tickets have been sold. If some come back, this page says so, and your place counts then.",
  ],
  closed: ["This line is closed", "The sale has ended. Thank you for waiting with us."],
  gone: [
    "Your place has ended",
    "Your time in the shop is over, or you were called several times without coming in. If you bought tickets, they are safe.",
  ],
  left: ["You have left the line", "Your number was given up. You can join again at the end."],
  moved: [
    "Your place is on another device",
    "It was taken along there, and this page no longer counts.",
  ],
  unknown: ["We do not know this event", "Perhaps the address is misspelt, or the event is over."],
  toAccount: "Sign in and register",
  pass: [
    "This line needs an entry pass",
    "Please open it by the link in your invitation or from your account.",
  ],
  toCheck: "Do the check",
  challenge: [
    "One short check first",
    "This event asks every browser for a small check before it joins the line.",
  ],
  conflict: [
    "Two different places",
    "This browser also holds a place from earlier that it can no longer prove. If you go on, that old one is given up.",
  ],
  too_late: [
    "Sold out",
    "All tickets have been sold, and nobody new can join the line. Should some come back, you can join here again.",
  ],
  insecure: [
    "This browser cannot keep a place",
    "Please open the page in your phone's own browser, at its https address.",
  ],

  offline:
    "You are offline. Your place is kept; this page goes on by itself when the network is back.",
  server:
    "We cannot be reached at the moment. Your place is kept; this page keeps trying by itself.",
  restoring: "The line is being restored. Your place is kept; please just wait.",
  busy: "Very many people are here right now. Your place is kept; this page keeps trying by itself.",
  noStorage:
    "This browser does not let us remember your place. Please keep this page open, or use another browser.",
  keptUntil: "Your place is kept until {time}, also when you close this page.",
  heard: "Last heard from the line {ago}.",
  real: "You are at {host}. We never ask for a password or a card in the line.",
  goOn: "Go to the shop",
  again: "Join again at the end",
  replace: "Give up the old place and go on",
  tryAgain: "Try again",
  home: "All events",
  myOrder: "Your order and tickets",
  howDrawn: "How your number was drawn",
  leave: "Leave the line",
  leaveAsk: "Leave the line?",
  leaveWarn: "Your number is given up for good. To come back you would start at the end.",
  leaveYes: "Leave",
  leaveNo: "Stay in the line",
  wake: "Wake me",
  takeAlong: "To another device",
  places: "My places",
  howReal: "How do I know this is real?",
  inApp:
    "You are in the browser of another app, which forgets your place when you close it. Take it along to your own browser now.",
  oddsGood: "enough for you, as things stand",
  oddsEven: "it could be close",
  oddsSlim: "they will probably be gone before your turn",
  link: [
    "This link no longer works",
    "It was used before or is too old. Make a new one on the device that holds the place, or join here.",
  ],
} as const satisfies Record<string, string | Plural | readonly [string, string]>;

type Shape<T> = {
  readonly [K in keyof T]: T[K] extends readonly string[]
    ? readonly [headline: string, body: string]
    : T[K] extends string
      ? string
      : Plural;
};
export type QueueTexts = Shape<typeof texts>;
