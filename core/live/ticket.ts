import { base64url } from "jose";
import { constantTimeEqual } from "../../shared/token/nonce.ts";

/**
 * An EventSource can send no headers, so an admitted page gets a ticket for the stream's address. It
 * opens one event's public availability until it ends, and nothing else, which is why it may stand
 * in a URL.
 */
export type StreamTickets = {
  issue(input: { event: string; expiresAtMs: number }): Promise<string>;
  opens(ticket: string, expected: { event: string; nowMs: number }): Promise<boolean>;
};

const LABEL = "sira:stream-ticket";
const TICKET_CHARS_MAX = 100;

export async function createStreamTickets(secret: Uint8Array<ArrayBuffer>): Promise<StreamTickets> {
  const key = await crypto.subtle.importKey(
    "raw",
    secret,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const seal = async (event: string, expiresAtMs: number): Promise<string> => {
    const text = new TextEncoder().encode(`${LABEL}\n${event}\n${expiresAtMs}`);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, text));
    return `${expiresAtMs}.${base64url.encode(mac)}`;
  };
  return {
    issue: ({ event, expiresAtMs }) => seal(event, expiresAtMs),
    async opens(ticket, { event, nowMs }) {
      if (ticket.length > TICKET_CHARS_MAX) return false;
      const expiresAtMs = Number(ticket.split(".")[0]);
      if (!Number.isSafeInteger(expiresAtMs) || expiresAtMs <= nowMs) return false;
      return constantTimeEqual(ticket, await seal(event, expiresAtMs));
    },
  };
}
