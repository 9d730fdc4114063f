import { base64url } from "jose";

/** Ids are `prefix_…`, branded so that two kinds cannot be swapped. */
export type Id<Prefix extends string> = string & { readonly __id: Prefix };

export type HoldId = Id<"hold">;
export type OrderId = Id<"ord">;
export type IntentId = Id<"pi">;
export type AttemptId = Id<"att">;
export type RefundId = Id<"ref">;
export type TicketId = Id<"tkt">;
export type RequestId = Id<"req">;
export type PlaceId = Id<"plc">;

/** 128 random bits: cannot be guessed, and 22 characters long. */
export function newId<Prefix extends string>(prefix: Prefix): Id<Prefix> {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}_${base64url.encode(bytes)}` as Id<Prefix>;
}

/**
 * An event id names keys, paths and audiences, so it is kept plain: 1–64 characters of lower-case
 * letters, digits and hyphens, no hyphen at either end.
 */
export const EVENT_ID_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

export const isEventId = (text: string): boolean => EVENT_ID_PATTERN.test(text);

/** A request id from outside is taken over only when it is short and harmless in a log line. */
export const REQUEST_ID_PATTERN = /^[A-Za-z0-9_.:-]{8,128}$/;
