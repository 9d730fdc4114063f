/** All that the queue page's further parts say: fetched only by those who open them. */
export const texts = {
  wakeTitle: "Wake me",
  wakeIntro: "When your number is near and when it is called, this device calls you.",
  wakeSwitch: "Wake me when it is my turn",
  test: "Test the sound",
  canTitle: "What this device can do",
  soundYes: "Sound: yes, while this page is open and the device is not muted.",
  soundNo: "Sound: only after you press “Test the sound” on this page once.",
  vibrateYes: "Vibration: yes, while this page is open.",
  vibrateNo: "Vibration: not on this device.",
  notifyYes: "Notification: allowed.",
  notifyAsk: "Notification: not asked yet; the switch asks.",
  notifyNo: "Notification: blocked in this browser’s settings.",
  notifyNone: "Notification: not in this browser.",
  pushYes: "With the page closed: yes, the browser is told.",
  pushNo: "With the page closed: no. Please keep it open, or leave an e-mail address.",
  homeScreen: "On an iPhone, add this page to the home screen first; only then may it notify you.",
  email: "Or one e-mail when it is nearly your turn",
  emailKept: "The address is used once and forgotten with your place.",
  save: "Save",
  saved: "Saved. We will call you.",
  failed: "That did not work just now. Please try again.",
  close: "Close",
  slow: "I need more time",
  slowIntro:
    "The call then waits for you longer, and the shop opens only when you press the button.",
  moveTitle: "To another device",
  moveIntro:
    "Open this link there, or scan the code. It works once and moves your place: this page then no longer counts.",
  moveUntil: "Good until {time}.",
  copy: "Copy the link",
  copied: "Copied.",
  qrAlt: "Code that opens this link",
  hereTitle: "Take your place here?",
  hereIntro:
    "The place moves to this browser, and the other device no longer holds it. If this browser has a place of its own in this line, that one is given up.",
  hereYes: "Take it here",
  hereNo: "Leave it there",
  placesTitle: "Places of this browser",
  placeLine: "Your number: {number}. Now calling: {calling}.",
  placeUnknown: "Your place is kept.",
  realTitle: "How do I know this is real?",
  realAddress:
    "The official address is {host}. Compare it with the one in your browser, letter by letter.",
  realAsk: "In the line nobody asks for a password, a card or a code from a message.",
  realSell: "A place cannot be bought: whoever sells one is cheating.",
  pushNear: [
    "Nearly your turn",
    "Your number {n} comes up in a few minutes. Please open the page.",
  ],
  pushCalled: ["Your number is being called", "Please open the page now. {n}"],
} as const satisfies Record<string, string | readonly [string, string]>;

export type MoreTexts = {
  readonly [K in keyof typeof texts]: (typeof texts)[K] extends readonly string[]
    ? readonly [title: string, body: string]
    : string;
};
