import { isIP } from "node:net";
import { isLoopback, isPublicAddress } from "./is-public.ts";

/** Pure: what may be called at all, before any name is asked for. */

export type OutboundRules = {
  port: number;
  /** Development and tests: plain http and this machine, on any port. */
  local: boolean;
};

export type UrlFault = "not_a_url" | "not_https" | "port" | "credentials" | "not_public";

const URL_CHARS_MAX = 2_000;

export const mayConnect = (address: string, rules: OutboundRules): boolean =>
  isPublicAddress(address) || (rules.local && isLoopback(address));

export function judgeUrl(text: string, rules: OutboundRules): URL | UrlFault {
  if (text.length > URL_CHARS_MAX || !URL.canParse(text)) return "not_a_url";
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isLocalPlain = rules.local && url.protocol === "http:" && isLoopback(host);
  if (url.protocol !== "https:" && !isLocalPlain) return "not_https";
  if (url.username !== "" || url.password !== "") return "credentials";
  if (isIP(host) !== 0 && !mayConnect(host, rules)) return "not_public";
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (port !== rules.port && !isLocalPlain) return "port";
  url.hash = "";
  return url;
}
