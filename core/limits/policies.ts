/**
 * Every rate limit of the core, in one table. Limits by address are wide, since a stadium's visitors
 * share one; those that guard a guessable secret are narrow and count what is guessed at.
 */
export const POLICIES = {
  /** Anything at all with one credential (an admission, an order's token, a session). */
  credential: { points: 1_200, windowS: 60 },
  /** Anything at all from one address, or one /64 of IPv6. */
  address: { points: 30_000, windowS: 60 },
  /** One-time codes asked for, whoever asks: mails nobody wanted, and guesses at one account. */
  "code-email": { points: 5, windowS: 3_600 },
  "code-address": { points: 300, windowS: 600 },
  /** Codes tried. Each code has its own five tries besides. */
  "verify-email": { points: 15, windowS: 3_600 },
  "verify-address": { points: 600, windowS: 600 },
  /** Tickets handed on and orders mailed again: each is a mail to somebody. */
  "mail-order": { points: 20, windowS: 3_600 },
} as const satisfies Record<string, { points: number; windowS: number }>;

export type Policy = keyof typeof POLICIES;
export type Policies = Readonly<Record<Policy, { points: number; windowS: number }>>;
