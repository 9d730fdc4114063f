import { z } from "zod";
import { localeSchema } from "./common.ts";
import type { OrderState } from "./orders.ts";

/** Accounts: an address and a one-time code; no password anywhere. */

/** `POST /v1/accounts`: a code goes to the address, whoever it belongs to. */
export const accountRequestSchema = z.strictObject({
  email: z.email().max(254),
  locale: localeSchema.optional(),
});
export type AccountRequest = z.infer<typeof accountRequestSchema>;

export const CODE_DIGITS = 8;
export const CODE_MINUTES = 10;

/** `POST /v1/accounts/verify`: spaces in the code are forgiven. */
export const verifyRequestSchema = z.strictObject({
  email: z.email().max(254),
  code: z
    .string()
    .max(32)
    .transform((text) => text.replace(/[\s-]/g, "")),
});
export type VerifyRequest = z.infer<typeof verifyRequestSchema>;

type AccountEvent = { event: string; name: string; startsAt: string; timeZone: string };

export type AccountView = {
  id: string;
  email: string;
  registrations: (AccountEvent & { at: string })[];
  orders: (AccountEvent & { id: string; state: OrderState; createdAt: string })[];
};

/** `POST /v1/events/{event}/registrations`: the pass is for the gate's `pass` at the join. */
export type RegistrationReply = {
  event: string;
  registeredAt: string;
  pass: string;
  passExpiresAt: string;
};
