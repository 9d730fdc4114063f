import type { Plural } from "../../kit/i18n.ts";

/** All that the scanner says: to somebody at a door, in a hurry, in the dark. */
export const texts = {
  language: "Language",
  title: "Tickets at the door",
  intro:
    "This phone reads tickets with its camera. It goes on without a network and sends everything once there is one again.",
  key: "Key of this door",
  keyHint: "A scanner key from the organizer. It can read tickets and nothing else.",
  keyKept: "The key is kept on this phone.",
  strongKey:
    "This key can do more than scan, so the phone does not keep it. A scanner key is safer here.",
  otherKey: "Other key",
  gate: "Name of this door",
  gateHint: "Whoever comes a second time hears where the ticket was used first.",
  start: "Start scanning",
  starting: "Starting …",
  stop: "End",
  online: "Online",
  offline: "No network: this phone decides",
  list: "List {age} old",
  listNow: "List up to date",
  admittedHere: { one: "{n} let in here", other: "{n} let in here" } as Plural,
  waiting: { one: "{n} scan to be sent", other: "{n} scans to be sent" } as Plural,
  aim: "Hold the code in the frame",
  cameraStarting: "The camera is starting …",
  cameraRefused: "The camera is not allowed. Allow it in the browser, or enter codes by hand.",
  cameraNone: "There is no camera here. Enter codes by hand or with a hand scanner.",
  torchOn: "Light on",
  torchOff: "Light off",
  manual: "Code by hand",
  manualHint: "Type or paste the code, or use a hand scanner.",
  check: "Check",
  ready: "Ready for the first ticket",
  results: {
    admitted: "Let in",
    already: "Already inside",
    void: "Not valid any more",
    superseded: "Handed to somebody else",
    unknown: "Unknown ticket",
    invalid: "Not a ticket for this event",
  },
  first: "First at {time}, {gate}",
  firstUnknown: "It was used before; this phone does not know where.",
  voidWhy: "The ticket was refunded or cancelled.",
  supersededWhy: "It has a new holder with a new code. This one is worthless.",
  invalidWhy: "Another event, a forged code, or no ticket at all.",
  unknownWhy: "The signature is right, but there is no such ticket.",
  checkedHere: "Checked on this phone",
  seat: "Seat {seat}",
  alsoAt: "Also let in at {time}, {gate}",
  wordsTitle: "Look into these",
  wordsBody: "They were let in while there was no network; the server knows better.",
  wordAt: "read here at {time}",
  clear: "Done",
} as const;

type Shape<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends Plural
      ? Plural
      : Shape<T[K]>;
};
export type ScanTexts = Shape<typeof texts>;
