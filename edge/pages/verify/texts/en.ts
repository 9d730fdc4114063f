import type { CheckId } from "../../../../shared/draw/check.ts";

/** What the page of the draw says. The checks' own sentences stay in English under these titles. */
export const texts = {
  language: "Language",
  heading: "How the numbers were drawn",
  lead: "Your browser does the whole draw again here, from what was published. Nobody has to be believed.",
  loading: "Fetching the evidence …",
  notYet: "The draw has not taken place yet",
  notYetMore:
    "The secret is already fixed: its fingerprint stands below. After the opening it is revealed and everything is computed again here.",
  good: "The draw is right",
  bad: "Something does not fit",
  badMore: "Look at the lines marked with a cross.",
  yourNumber: "Your number {number} comes out again, from your index {index}.",
  noPlace: "This browser has no place from this draw. You can look up any number.",
  noDraw: "There was no draw for this event",
  noDrawMore: "Its numbers were given in the order of arrival, or the event is unknown.",
  unreachable: "The evidence cannot be fetched right now. Please try again in a moment.",
  askNumber: "Look up a number",
  check: "Look up",
  every: "Draw all numbers again",
  evidence: "The evidence",
  commitment: "Fingerprint of the secret, published before",
  seed: "The secret, revealed after",
  count: "People in the draw",
  root: "Fingerprint of the list of everybody",
  elsewhere:
    "You need not trust this page either: the method is written down byte by byte, and a separate program checks the same evidence.",
  download: "Download the evidence",
  back: "Back to the line",
  titles: {
    format: "The evidence is complete",
    chain: "The public randomness has the right source",
    known_chain: "The source is a known one",
    abandoned: "An earlier draw was abandoned",
    abandoned_seed: "The secret of an earlier draw",
    epochs: "No earlier draw is missing",
    drawn: "The draw has taken place",
    commitment: "The secret is the one that was fixed before",
    beacon: "Use of public randomness",
    round: "The right round of public randomness",
    signature: "The public randomness is genuine",
    published: "When the list was published",
    steering: "Could anybody have steered it?",
    empty: "Nobody was in the draw",
    every: "Every number was given exactly once",
    number: "The number comes out again",
    owner: "Whose number it is",
    late: "The number came after the draw",
    proof: "The place is in the published list",
    place: "That place is yours",
  } satisfies Record<CheckId, string>,
} as const;

type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> };
export type VerifyTexts = Shape<typeof texts>;
