// What the QR code of a ticket says: short enough for a coarse code that a cheap scanner reads in
// the rain, signed so that the door can check it without a network. The event is part of what is
// signed and not of the text: a door knows which event it guards.
//
//   1.<ticket id, 22>.<issue, base 36>.<key hint, 4>.<ES256 signature, 86>      at most 119 characters
import { createHash } from "node:crypto";
import { base64url } from "jose";
import type { KeySet } from "../../shared/token/keys.ts";

const VERSION = "1";
const ID_PREFIX = "tkt_";
const ALGORITHM = { name: "ECDSA", hash: "SHA-256" } as const;
const CODE_PATTERN = /^1\.([\w-]{22})\.([0-9a-z]{1,2})\.([\w-]{4})\.([\w-]{86})$/;

export type TicketMark = { ticket: string; event: string; issue: number };

const signedBytes = ({ ticket, event, issue }: TicketMark): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`sira-ticket:${VERSION}:${event}:${ticket}:${issue}`);

/** Four characters that tell a verifier which key to try first. */
export const keyHint = (kid: string): string =>
  createHash("sha256").update(kid).digest("base64url").slice(0, 4);

export async function signTicketCode(keys: KeySet, mark: TicketMark): Promise<string> {
  const { kid, key } = keys.signing("ticket");
  const signature = await crypto.subtle.sign(ALGORITHM, key, signedBytes(mark));
  return [
    VERSION,
    mark.ticket.slice(ID_PREFIX.length),
    mark.issue.toString(36),
    keyHint(kid),
    base64url.encode(new Uint8Array(signature)),
  ].join(".");
}

/** The mark that a code of ours carries for this event, or `undefined` for anything else. */
export async function readTicketCode(
  keys: KeySet,
  event: string,
  code: string,
): Promise<TicketMark | undefined> {
  const [, id, issue, hint, signature] = CODE_PATTERN.exec(code) ?? [];
  if (id === undefined || issue === undefined || signature === undefined) return undefined;
  const mark = { ticket: ID_PREFIX + id, event, issue: Number.parseInt(issue, 36) };
  for (const { kid } of keys.jwks.keys) {
    const key = keyHint(kid) === hint ? keys.verifying(kid, "ticket") : undefined;
    if (key === undefined) continue;
    const bytes = base64url.decode(signature);
    if (await crypto.subtle.verify(ALGORITHM, key, bytes, signedBytes(mark))) return mark;
  }
  return undefined;
}
