/**
 * How the built pages are delivered: the response headers and rewrites of a static host, in the form
 * of Cloudflare's `_headers` and `_redirects` files. Nothing here runs in a browser.
 */

/** Each is a folder with an `index.html`. */
export const PAGES = [
  "events",
  "queue",
  "shop",
  "orders",
  "tickets",
  "account",
  "scan",
  "verify",
  "console",
] as const;

/** Everything comes from the gate itself, but for calls to the core. */
export function contentSecurityPolicy(coreOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${coreOrigin}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** @param coreOrigin where the core is reached by browsers, e.g. `https://tickets.example`. */
export function headersFile(coreOrigin: string): string {
  if (new URL(coreOrigin).origin !== coreOrigin) throw new Error(`not an origin: ${coreOrigin}`);
  return `/*
  Content-Security-Policy: ${contentSecurityPolicy(coreOrigin)}
  X-Content-Type-Options: nosniff
  Referrer-Policy: strict-origin-when-cross-origin
  Permissions-Policy: camera=(self), geolocation=(), microphone=(), payment=(self)
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin

/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;
}

/** Status 200 is a rewrite: the address stays, the page reads the event from it. */
export function redirectsFile(): string {
  return `/ /events/ 200
/e/* /queue/ 200
/preview /queue/ 200
/shop/* /shop/ 200
/orders/* /orders/ 200
/tickets/* /tickets/ 200
/account /account/ 200
/scan/* /scan/ 200
/verify/* /verify/ 200
/console /console/ 200
`;
}
