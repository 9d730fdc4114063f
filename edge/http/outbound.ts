import type { Bindings } from "../env.ts";

/**
 * The gate's one way out to hosts that are not parts of this system: issuers' keys, beacons, the
 * verifier of challenges, browsers' push services. https on port 443, no credentials, no literal
 * address and no name of a local network, no redirect, five seconds, 64 kB. That the *connected*
 * address is a public one is the runtime's to keep: on bare workerd the OUTBOUND binding is a network
 * without private addresses, and Cloudflare has no way into one. Where the gate itself speaks plain
 * http (development, tests) so may they, on this machine.
 */
export const OUTBOUND_MS = 5_000;
export const OUTBOUND_BYTES_MAX = 65_536;
const URL_CHARS_MAX = 2_000;

export type OutboundFault =
  | "not_a_url"
  | "not_https"
  | "port"
  | "credentials"
  | "not_public"
  | "redirect"
  | "too_large";

export class OutboundError extends Error {
  readonly fault: OutboundFault;
  constructor(fault: OutboundFault) {
    super(`outbound: ${fault}`);
    this.fault = fault;
  }
}

export type Outbound = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home|corp|arpa)$/;

const isLiteral = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host);

/** Pure: what may be called at all, before any name is asked for. */
export function judgeOutbound(text: string, rules: { secure: boolean }): URL | OutboundFault {
  if (text.length > URL_CHARS_MAX || !URL.canParse(text)) return "not_a_url";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "credentials";
  const host = url.hostname.replace(/\.$/, "");
  const isLocal = host === "127.0.0.1" || host === "localhost" || host === "[::1]";
  if (!rules.secure && isLocal && url.protocol === "http:") return url;
  if (url.protocol !== "https:") return "not_https";
  if (isLiteral(host) || LOCAL_NAME.test(host) || !host.includes(".")) return "not_public";
  if (url.port !== "") return "port";
  return url;
}

/** @returns a `fetch` whose answers are read whole, within their bound, before they are given on. */
export function openOutbound(env: Partial<Bindings>, rules: { secure: boolean }): Outbound {
  return async (target, init = {}) => {
    const url = judgeOutbound(String(target), rules);
    if (typeof url === "string") throw new OutboundError(url);
    const bounded: RequestInit = {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(OUTBOUND_MS),
    };
    const answer = await (env.OUTBOUND ? env.OUTBOUND.fetch(url, bounded) : fetch(url, bounded));
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel();
      throw new OutboundError("redirect");
    }
    const bytes = await readBounded(answer);
    const hasBody = bytes.byteLength > 0;
    return new Response(hasBody ? bytes : null, { status: answer.status, headers: answer.headers });
  };
}

async function readBounded(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = answer.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > OUTBOUND_BYTES_MAX) {
      await reader.cancel();
      throw new OutboundError("too_large");
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
