import type { VoidList } from "../../../shared/contract/tickets.ts";
import { toBase64url } from "../kit/base64url.ts";

/**
 * A ticket's code, checked on the phone itself with the public keys of the void list:
 *
 *   1.<ticket, 22>.<issue, base 36>.<key hint, 4>.<ES256 signature, 86>
 *
 * The event is part of what is signed and not of the text: a door knows which event it guards.
 */

const CODE = /^1\.([\w-]{22})\.([0-9a-z]{1,2})\.([\w-]{4})\.([\w-]{86})$/;
const HINT_CHARS = 4;
const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const ALGORITHM = { name: "ECDSA", hash: "SHA-256" } as const;

export type Mark = { ticket: string; issue: number };
type DoorKey = { hint: string; key: CryptoKey };

/** Something else that has a code printed on it, and nothing to ask a server about. */
export const isTicketCode = (text: string): boolean => CODE.test(text);

const bytesOf = (text: string) => new TextEncoder().encode(text);

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

/** Which key to try first. */
async function hintOf(kid: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(kid)));
  return toBase64url(digest).slice(0, HINT_CHARS);
}

export function importKeys(keys: VoidList["keys"]): Promise<DoorKey[]> {
  return Promise.all(
    keys.map(async ({ kid, kty, crv, x, y }) => ({
      hint: await hintOf(kid),
      key: await crypto.subtle.importKey("jwk", { kty, crv, x, y }, CURVE, false, ["verify"]),
    })),
  );
}

/** The ticket that a code of this event names; `undefined` for anything we have not signed. */
export async function readCode(
  door: { event: string; keys: readonly DoorKey[] },
  code: string,
): Promise<Mark | undefined> {
  const [, id, issueText, hint, signature] = CODE.exec(code) ?? [];
  if (!id || !issueText || !hint || !signature) return undefined;
  const mark = { ticket: `tkt_${id}`, issue: Number.parseInt(issueText, 36) };
  const signed = bytesOf(`sira-ticket:1:${door.event}:${mark.ticket}:${mark.issue}`);
  for (const { hint: own, key } of door.keys) {
    if (own !== hint) continue;
    if (await crypto.subtle.verify(ALGORITHM, key, fromBase64url(signature), signed)) return mark;
  }
  return undefined;
}
