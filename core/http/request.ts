import { isIPv6 } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/** Facts about a request that may be lied about, and what of them is believed. */

/**
 * The client's address: the socket's, or, behind `trustedProxies` proxies of ours, the entry that
 * the outermost of them wrote. Anything further left in X-Forwarded-For is the client's own text.
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const socketAddress = bindings?.incoming?.socket.remoteAddress ?? "unknown";
  if (trustedProxies === 0) return socketAddress;
  const hops = (c.req.header("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  const claimed = hops.at(-trustedProxies);
  return claimed ? claimed.slice(0, 64) : socketAddress;
}

/** What a limit counts: an IPv4 address, or the /64 that one IPv6 customer owns. */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().replace(/%.*$/, "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = Math.max(0, 8 - left.length - right.length);
  const groups = tail === undefined ? left : [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
