import type { Plural } from "../../kit/i18n.ts";

/** All that the shop and the order's page say; refusals have a table of their own. */
export const texts = {
  language: "Language",
  home: "All events",
  loading: ["One moment", "We are fetching the house."],
  noAdmission: [
    "First the line, then the shop",
    "The shop opens for people whose number has been called. Your place in the line is kept for you.",
  ],
  ended: [
    "Your time in the shop is over",
    "The seats you had not held are free for the next ones. You may join the line again at its end.",
  ],
  unknown: ["We do not know this event", "Perhaps the address is misspelt, or the event is over."],
  down: [
    "The shop cannot be reached",
    "Nothing of yours is lost: what you hold stays held. This page tries again by itself.",
  ],
  holdLost: [
    "Your seats are free again",
    "The time to pay for them has run out. Nothing was charged.",
  ],
  toLine: "To the line",
  chooseAgain: "Choose again",
  timeLeft: "Your time in the shop {time}",

  tabs: "How to choose",
  tabMap: "Map",
  tabBest: "Best seats",
  tabList: "List",
  tabStanding: "Standing",
  stage: "Stage",
  mapLabel: "Map of the house",
  mapHelp:
    "Arrow keys go from seat to seat, Enter takes a seat or gives it back, plus and minus zoom, 0 shows all. The list has the same seats.",
  zoomIn: "Closer",
  zoomOut: "Farther",
  zoomFit: "Whole house",
  prices: "Prices",
  section: "Block",
  zone: "Price",
  anyZone: "Any price",
  anySection: "Anywhere",
  row: "row {row}",
  seatNumber: "seat {number}",
  rowLabel: "Row",
  seatLabel: "Seat",
  zoneLabel: "Area",
  state_available: "free",
  state_held: "in a basket",
  state_sold: "sold",
  state_blocked: "not for sale",
  stateChosen: "your choice",
  accessible: "wheelchair place",
  companion: "companion seat",
  soldOut: "sold out",
  left: { one: "{n} left", other: "{n} left" } as Plural,
  quantity: "How many",
  more: "One more",
  fewer: "One fewer",
  together: "Only side by side",
  find: "Find the best seats",
  holdStanding: { one: "Hold {n} place", other: "Hold {n} places" } as Plural,
  chosen: { one: "{n} seat", other: "{n} seats" } as Plural,
  dropSeat: "Give back {seat}",
  clear: "Clear",
  hold: "Hold these seats",
  holding: "Holding …",
  limitReached: {
    one: "One person may buy {n} seat here.",
    other: "One person may buy {n} seats here.",
  } as Plural,
  justTaken: "Just taken by somebody else: {seats}. Nothing is held yet.",
  tryInstead: "Free close by:",

  heldFor: "Held for you",
  heldUntil: "until {time}",
  timeWarning: "Your seats are held for {time} more.",
  notAdjacent: "There were not that many free seats side by side; these are close together.",
  yourSeats: "Your seats",
  fees: "Fees",
  total: "Total with all fees",
  buyer: "Who is buying?",
  email: "E-mail",
  emailHint: "Your tickets go there as well.",
  name: "Name",
  acceptEqual: "If my seats should be lost while I pay, equal ones at the same price are fine.",
  toPayment: "Continue to payment · {total}",
  giveBack: "Give the seats back",

  howToPay: "How would you like to pay?",
  testNote: "This is the payment simulator: no money moves.",
  moreMethods: "More test cards",
  methods: {
    pm_ok: ["Card that works", "is charged at once"],
    pm_declined: ["Card that is refused", "nothing is charged"],
    pm_slow: ["Slow card", "the answer comes after half a minute"],
    pm_lost: ["Lost answer", "charged, and the answer never arrives"],
    pm_late: ["Late card", "is charged 40 seconds later"],
    pm_error: ["Failing provider", "nothing is charged"],
    pm_lagging: ["Lagging provider", "charged, but not known for a minute"],
    pm_only_webhook: ["Message only", "the answer comes by a separate message"],
    pm_dup_webhook: ["Message twice", "charged once, told twice"],
    pm_late_webhook: ["Late message", "charged, told later"],
    pm_wrong_amount: ["Wrong amount", "is looked at by a person"],
  },
  pay: "Pay {total}",
  paying: "Paying …",
  cancel: "Cancel the order",
  checking: [
    "We are checking your payment",
    "Please do not pay again. You may close this page: it resolves by itself, and your seats stay yours meanwhile.",
  ],
  failed: [
    "The payment was refused",
    "Nothing was charged. Your seats are still held: try another card, or the same one again.",
  ],
  paid: ["Here are your tickets", "They are also on their way by e-mail. Have a good evening!"],
  expired: [
    "This order has expired",
    "The time to pay ran out and the seats are free again. Nothing was charged.",
  ],
  cancelled: ["This order is cancelled", "The seats are free again. Nothing was charged."],
  refunded: ["This order is refunded", "The money is on its way back to you."],
  part_refunded: [
    "Part of it is refunded",
    "Part of this order has been refunded; the other tickets are valid.",
  ],
  lostRefunded:
    "The seats were lost while the payment was under way. Your money is on its way back by itself.",
  refundOf: "Refund: {amount}",
  foreign: [
    "This order is not in this browser",
    "Open it where you bought it, or use the link in your e-mail.",
  ],
  orderNumber: "Order {id}",
  receipt: "Receipt",
  print: "Print",
  calendar: "Add to calendar",
  qrAlt: "QR code of ticket {code}",
  ticketVoid: "Void",
  ticketUsed: "Used",

  ticket: {
    title: "Your ticket",
    show: "Show this code at the door, with a bright screen.",
    open: "Open or hand on",
    holder: "For {name}",
    pdf: "Ticket on paper (PDF)",
    handedOn: "Handed on",
    handOn: "Hand this ticket on",
    handOnHint:
      "Whoever you give it to gets a new code by e-mail, and yours stops working at once.",
    theirName: "Their name",
    theirEmail: "Their e-mail",
    next: "Continue",
    ask: "Hand the ticket to {name}, {email}?",
    warn: "Your code stops working at once. Only the new holder can give it back.",
    yes: "Hand it on",
    no: "Keep it",
    done: [
      "The ticket is handed on",
      "Its new code goes to {email}. The code that you had does not open the door any more.",
    ],
    notYours: [
      "This ticket is not with you",
      "It has been handed on, or the link is incomplete. Please use the link in the newest e-mail.",
    ],
  },
} as const;

type Shape<T> = {
  readonly [K in keyof T]: T[K] extends readonly string[]
    ? readonly [headline: string, body: string]
    : T[K] extends string
      ? string
      : T[K] extends Plural
        ? Plural
        : Shape<T[K]>;
};
export type ShopTexts = Shape<typeof texts>;
