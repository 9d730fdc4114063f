import { z } from "zod";
import { EVENT_ID_PATTERN } from "../ids.ts";
import { REASON_CHARS_MAX } from "../limits.ts";
import { CURRENCY_PATTERN } from "../money.ts";

export const eventIdSchema = z
  .string()
  .regex(EVENT_ID_PATTERN, "1 to 64 lower-case letters, digits and hyphens");

/** The year 10000, in ms: later instants are written otherwise, and before 1970 nothing is sold. */
const INSTANT_END = 253_402_300_800_000;

/** ISO 8601 with `Z` or an offset, from 1970 to 9999 in UTC, which every part of the system can keep. */
export const instantSchema = z.iso.datetime({ offset: true }).refine((text) => {
  const ms = Date.parse(text);
  return ms >= 0 && ms < INSTANT_END;
}, "a year from 1970 to 9999");

export const currencySchema = z.string().regex(CURRENCY_PATTERN, "an ISO 4217 code like EUR");

export const moneySchema = z.strictObject({
  amount: z.int().min(0).max(1_000_000_000_000),
  currency: currencySchema,
});

/** Why somebody did something; it stands in the audit log. */
export const reasonSchema = z.string().trim().min(1).max(REASON_CHARS_MAX);

/** BCP 47, e.g. `tr`, `de-AT`, `ar-EG-u-nu-latn`. */
export const localeSchema = z.string().regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8}){0,6}$/);

/** Turns the writing of what stands beside it around, or ends a line, and is not seen itself. */
const TURNING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** Not only spaces, joiners and marks: a name that nobody can see is none. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Our mails greet by name and go to whatever address was typed: nobody's advertisement. */
const LINK = /:\/\/|\bwww\./i;

/** Of a person, as it is printed on tickets and stands in the head of mails: one line. */
export const personNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  // As code and not as a pattern: a schema's pattern has no word for the classes of Unicode.
  .refine((name) => !TURNING.test(name) && SEEN.test(name), "one line of text")
  .refine((name) => !LINK.test(name), "a name, not a link");
