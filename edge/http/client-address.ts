import { addressGroup, isWithin } from "../../shared/address.ts";

/**
 * Whom a request comes from, as far as somebody we trust says so. On Cloudflare that is Cloudflare,
 * which overwrites `cf-connecting-ip`. On bare workerd it is the connection itself, and
 * `cf-connecting-ip` only when the connection comes from a proxy that the deployment names: anybody
 * else would choose a new address for each request. A named proxy that says nothing speaks for
 * everybody behind it, so its own address is nobody's. `X-Forwarded-For` is the client's own text
 * and never looked at.
 */
const ADDRESS_CHARS_MAX = 64;

/** @returns an address as it is written; `undefined`: nobody vouches for one. */
export function clientAddress(
  request: Request,
  trustedPeers: readonly string[],
): string | undefined {
  const claimed = request.headers.get("cf-connecting-ip")?.trim().slice(0, ADDRESS_CHARS_MAX);
  const peer = peerOf(request);
  if (peer === undefined) return claimed || undefined;
  if (!trustedPeers.some((network) => isWithin(peer, network))) return peer;
  return claimed || undefined;
}

/** What a limit counts: of IPv6 the /64 that is one customer's. */
export function clientGroup(request: Request, trustedPeers: readonly string[]): string | undefined {
  const address = clientAddress(request, trustedPeers);
  return address === undefined ? undefined : addressGroup(address);
}

/** Bare workerd says `address:port`; Cloudflare has no such field, and no client can write one. */
function peerOf(request: Request): string | undefined {
  const { cf } = request;
  if (typeof cf !== "object" || cf === null || !("clientIp" in cf)) return undefined;
  const { clientIp } = cf;
  if (typeof clientIp !== "string") return undefined;
  return /^\[?([^\]]*?)\]?:\d+$/.exec(clientIp)?.[1] ?? clientIp;
}
