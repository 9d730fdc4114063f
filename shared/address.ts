/** What a limit counts: an IPv4 address, or the /64 that one IPv6 customer owns. */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(":")) return address;
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

/**
 * Whether an address lies in a network written as an address or as `address/bits`. Pure; what is no
 * address lies nowhere.
 */
export function isWithin(address: string, network: string): boolean {
  const [base = "", bits] = network.split("/");
  const [left, right] = [addressBits(address), addressBits(base)];
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  const prefix = bits === undefined ? left.length : Number(bits);
  return left.slice(0, prefix) === right.slice(0, prefix);
}

const binary = (value: number, width: number): string => value.toString(2).padStart(width, "0");

function addressBits(address: string): string | undefined {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(plain)?.slice(1).map(Number);
  if (parts) {
    if (parts.some((part) => part > 255)) return undefined;
    return parts.map((part) => binary(part, 8)).join("");
  }
  if (!/^[0-9a-f:]+$/i.test(plain) || !plain.includes(":")) return undefined;
  const [head = "", tail] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = Math.max(0, 8 - left.length - right.length);
  const groups = tail === undefined ? left : [...left, ...Array<string>(zeros).fill("0"), ...right];
  if (groups.length !== 8) return undefined;
  return groups.map((group) => binary(Number.parseInt(group, 16), 16)).join("");
}
