import { domainToASCII } from "node:url";

/**
 * One person, however the address is written. Pure. Case is folded everywhere; dots and `+tags` only
 * for hosts that are known to ignore them, since elsewhere they may be two people.
 */

type Host = { dots: boolean; as?: string };

const PLUS: Host = { dots: false };
const HOSTS: Readonly<Record<string, Host>> = {
  "gmail.com": { dots: true },
  "googlemail.com": { dots: true, as: "gmail.com" },
  "outlook.com": PLUS,
  "hotmail.com": PLUS,
  "live.com": PLUS,
  "msn.com": PLUS,
  "icloud.com": PLUS,
  "me.com": { dots: false, as: "icloud.com" },
  "mac.com": { dots: false, as: "icloud.com" },
  "fastmail.com": PLUS,
  "proton.me": PLUS,
  "protonmail.com": { dots: false, as: "proton.me" },
  "pm.me": { dots: false, as: "proton.me" },
};

export function foldEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at).normalize("NFC").toLowerCase();
  const domain = domainToASCII(email.slice(at + 1).toLowerCase()).replace(/\.$/, "");
  const host = Object.hasOwn(HOSTS, domain) ? HOSTS[domain] : undefined;
  if (host === undefined) return `${local}@${domain}`;
  const [untagged = ""] = local.split("+");
  return `${host.dots ? untagged.replaceAll(".", "") : untagged}@${host.as ?? domain}`;
}
