import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * Whether an address is one of the open internet (IANA special-purpose registries). Pure. What an
 * organizer may make us call is never a machine of our own house.
 */

const closed4 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  closed4.addSubnet(network, prefix, "ipv4");

/** Only 2000::/3 is given out at all; of it these are not the open internet. */
const open6 = new BlockList();
open6.addSubnet("2000::", 3, "ipv6");
const closed6 = new BlockList();
for (const [network, prefix] of [
  // Teredo, benchmarking, ORCHID and the like.
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 carries any IPv4 address inside.
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const)
  closed6.addSubnet(network, prefix, "ipv6");

/** The IPv4 address inside `::ffff:a.b.c.d`, however it is written. */
function mappedIpv4(address: string): string | undefined {
  const dotted = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const hex = /^(?:0*:)*:?ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (hex === null) return undefined;
  const [high, low] = [Number.parseInt(hex[1] ?? "", 16), Number.parseInt(hex[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  const inner = mappedIpv4(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}

/** This machine itself, which only a development system may call. */
export const isLoopback = (address: string): boolean =>
  address === "::1" || (isIPv4(address) && address.startsWith("127."));
