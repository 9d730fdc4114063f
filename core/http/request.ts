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
