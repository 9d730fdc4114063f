import { z } from "zod";
import { EVENT_ID_PATTERN } from "../ids.ts";
import { REASON_CHARS_MAX } from "../limits.ts";
import { CURRENCY_PATTERN } from "../money.ts";

export const eventIdSchema = z
  .string()
  .regex(EVENT_ID_PATTERN, "1 to 64 lower-case letters, digits and hyphens");

/** ISO 8601 with `Z` or an offset. */
export const instantSchema = z.iso.datetime({ offset: true });

export const currencySchema = z.string().regex(CURRENCY_PATTERN, "an ISO 4217 code like EUR");

export const moneySchema = z.strictObject({
  amount: z.int().min(0).max(1_000_000_000_000),
  currency: currencySchema,
});

/** Why somebody did something; it stands in the audit log. */
export const reasonSchema = z.string().trim().min(1).max(REASON_CHARS_MAX);

/** BCP 47, e.g. `tr`, `de-AT`, `ar-EG-u-nu-latn`. */
export const localeSchema = z.string().regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8}){0,6}$/);
