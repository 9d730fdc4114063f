/** All that the account page says; refusals have a table of their own. */
export const texts = {
  language: "Language",
  title: "My account",
  loading: "One moment …",
  signIn: "Sign in",
  signInBody:
    "With your e-mail address alone. Registrations, entry passes, orders and tickets are then all in one place.",
  signInFor: "Sign in for {event}",
  signInForBody:
    "This line is for registered people: one person, one place. Sign in, register once, and your entry pass takes you to the line.",
  email: "E-mail",
  emailHint: "We send a code there. There is no password.",
  sendCode: "Send me a code",
  codeSent: "A code is on its way to {email}. It is good for ten minutes.",
  code: "Code from the e-mail",
  codeHint: "Eight digits. Five tries, then ask for a new one.",
  goIn: "Sign in",
  codeAgain: "Send a new code",
  otherEmail: "Other address",
  signedInAs: "Signed in as {email}",
  signOut: "Sign out",
  passes: "Your entry passes",
  passesBody: "The line knows you by your pass, on whichever device you open it last.",
  registered: "You are registered",
  toLine: "To the line",
  register: "Register before the sale",
  registerBody:
    "Registering early gives no better place; it shows that you are one person, and takes a moment.",
  registerNow: "Register",
  saleOpens: "The sale opens {time}",
  onSale: "On sale now",
  orders: "Orders and tickets",
  noOrders: "Nothing bought with this account yet.",
  openTickets: "Open the tickets",
  openOrder: "Open the order",
  states: {
    pending: "Not paid yet",
    paid: "Paid",
    expired: "Expired",
    cancelled: "Cancelled",
    refunded: "Refunded",
    part_refunded: "Partly refunded",
  },
  data: "My data",
  dataBody:
    "Take a copy of everything that is kept about you, or have it forgotten. What was paid stays in the books, without your name.",
  copy: "Save a copy",
  erase: "Forget me",
  eraseWarn:
    "Name and address are deleted from all orders, and nobody can send you your tickets again. This cannot be undone.",
  eraseYes: "Forget everything about me",
  eraseNo: "Keep my account",
  erased: [
    "You are forgotten",
    "Nothing here names you any more. Tickets you have saved still open the door.",
  ],
} as const;

type Shape<T> = {
  readonly [K in keyof T]: T[K] extends readonly string[]
    ? readonly [headline: string, body: string]
    : T[K] extends string
      ? string
      : Shape<T[K]>;
};
export type AccountTexts = Shape<typeof texts>;
