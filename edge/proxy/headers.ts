/** What of ours must never reach a proxied site, and what of the site must never reach ours. */
const OUR_COOKIE = /^(?:__Host-)?sira-/i;
/** What a client says of its own address. Whoever limits by it would limit what anybody invents. */
const ADDRESS_CLAIMS = [
  "forwarded",
  "x-forwarded-for",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "cf-connecting-ipv6",
];
const HOP_HEADERS = ["connection", "keep-alive", "proxy-connection", "te", "trailer"];

export const isOurCookie = (pair: string): boolean => OUR_COOKIE.test(pair.trim());

export function requestHeaders(
  incoming: Headers,
  more: {
    place: string | undefined;
    requestId: string;
    url: URL;
    /** Whom the request comes from, as far as that is known. */
    address: string | undefined;
  },
): Headers {
  const headers = new Headers();
  for (const [name, value] of incoming) {
    // A client's own claim to be admitted is not passed on.
    if (name.startsWith("x-sira-") || name === "dpop" || HOP_HEADERS.includes(name)) continue;
    if (ADDRESS_CLAIMS.includes(name)) continue;
    headers.set(name, value);
  }
  const cookies = (incoming.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !isOurCookie(pair));
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  else headers.delete("cookie");
  if (/^(?:Place|DPoP)\s/i.test(incoming.get("authorization") ?? ""))
    headers.delete("authorization");
  if (more.place !== undefined) headers.set("x-sira-place", more.place);
  if (more.address !== undefined) headers.set("x-forwarded-for", more.address);
  headers.set("x-request-id", more.requestId);
  headers.set("x-forwarded-host", more.url.host);
  headers.set("x-forwarded-proto", more.url.protocol.slice(0, -1));
  return headers;
}

export function replyHeaders(
  answer: Headers,
  more: { origin: string; url: URL; requestId: string },
): Headers {
  const headers = new Headers();
  for (const [name, value] of answer) {
    if (name === "set-cookie" || HOP_HEADERS.includes(name)) continue;
    headers.append(name, value);
  }
  for (const cookie of answer.getSetCookie())
    if (!isOurCookie(cookie)) headers.append("set-cookie", cookie);
  const location = answer.get("location");
  if (location?.startsWith(more.origin))
    headers.set("location", more.url.origin + location.slice(more.origin.length));
  headers.set("x-request-id", more.requestId);
  return headers;
}
