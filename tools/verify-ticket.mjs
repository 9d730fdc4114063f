#!/usr/bin/env node
// Checks a ticket's code without a network and without this repository: Node's own crypto, the
// event's void list (GET /v1/organizer/events/{event}/void-list, fetched beforehand), nothing else.
//
//   node tools/verify-ticket.mjs void-list.json CODE
//
// The code is 1.<ticket>.<issue, base 36>.<key hint>.<signature>; signed is the text
// `sira-ticket:1:<event>:<ticket id>:<issue>` with ES256 (r‖s). Exits 0 when it admits, 1 when not.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const CODE = /^1\.([\w-]{22})\.([0-9a-z]{1,2})\.([\w-]{4})\.([\w-]{86})$/;

/**
 * @param {{event: string, madeAt: string, keys: {kid: string}[], void: string[],
 *   issues: Record<string, number>, used: string[]}} list
 * @param {string} code
 * @returns {{admits: boolean, reason: string, ticket?: string}}
 */
export function judgeCode(list, code) {
  const [, id, issueText, hint, signature] = CODE.exec(code.trim()) ?? [];
  if (id === undefined || issueText === undefined || signature === undefined)
    return { admits: false, reason: "not a ticket code" };
  const ticket = `tkt_${id}`;
  const issue = Number.parseInt(issueText, 36);
  const signed = Buffer.from(`sira-ticket:1:${list.event}:${ticket}:${issue}`);
  const isOurs = list.keys
    .filter(({ kid }) => createHash("sha256").update(kid).digest("base64url").slice(0, 4) === hint)
    .some((jwk) =>
      verify(
        "sha256",
        signed,
        { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
        Buffer.from(signature, "base64url"),
      ),
    );
  if (!isOurs) return { admits: false, reason: "not signed for this event" };
  if (list.void.includes(ticket)) return { admits: false, reason: "void", ticket };
  if (issue < (list.issues[ticket] ?? 1))
    return { admits: false, reason: "handed to somebody else", ticket };
  if (list.used.includes(ticket)) return { admits: false, reason: "used before", ticket };
  return { admits: true, reason: "valid", ticket };
}

if (import.meta.filename === process.argv[1]) {
  const [, , listFile, code] = process.argv;
  if (listFile === undefined || code === undefined) {
    console.error("node tools/verify-ticket.mjs void-list.json CODE");
    process.exit(1);
  }
  const list = JSON.parse(readFileSync(listFile, "utf8"));
  const minutes = Math.round((Date.now() - Date.parse(list.madeAt)) / 60_000);
  const { admits, reason, ticket } = judgeCode(list, code);
  console.log(
    `${admits ? "ADMIT" : "REFUSE"}: ${reason}${ticket === undefined ? "" : ` (${ticket})`}`,
  );
  console.log(
    `The list of ${list.event} is ${minutes} minutes old; what changed since is not in it.`,
  );
  process.exitCode = admits ? 0 : 1;
}
