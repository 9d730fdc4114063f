import { STRIPE_SCRIPT } from "../../shared/stripe-script.ts";
import { TURNSTILE_SCRIPT } from "../../shared/turnstile-script.ts";

/**
 * How the built pages are delivered: the response headers and rewrites of a static host, in the form
 * of Cloudflare's `_headers` and `_redirects` files. Nothing here runs in a browser.
 */

/** Each is a folder with an `index.html`. */
export const PAGES = [
  "events",
  "queue",
  "check",
  "shop",
  "orders",
  "pay",
  "tickets",
  "account",
  "scan",
  "verify",
  "fairness",
  "console",
] as const;

type Sources = { script: string[]; frame: string[]; connect: string[]; image: string[] };

const NONE: Sources = { script: [], frame: [], connect: [], image: [] };

/** docs.stripe.com/security/guide: what Stripe.js and the Payment Element need. */
const STRIPE: Sources = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
  image: ["https://*.stripe.com"],
};

/** developers.cloudflare.com/turnstile/reference/content-security-policy. */
const TURNSTILE: Sources = {
  script: ["https://challenges.cloudflare.com"],
  frame: ["https://challenges.cloudflare.com"],
  connect: [],
  image: [],
};

/** Other people's scripts that a deployment uses: each where it comes from; missing: not used. */
export type ForeignScripts = { readonly stripe?: string; readonly turnstile?: string };

/** A stand-in, as tests have it, is allowed by its own origin and no more. */
function sourcesOf(script: string): Sources {
  const { origin } = new URL(script);
  if (origin === new URL(STRIPE_SCRIPT).origin) return STRIPE;
  if (origin === new URL(TURNSTILE_SCRIPT).origin) return TURNSTILE;
  return { script: [origin], frame: [origin], connect: [origin], image: [] };
}

/** The console shows the queue page as it will look: two pages of our own, and no one else's. */
const PREVIEWING: Sources = { ...NONE, frame: ["'self'"] };

/** Everything comes from the gate itself, but for calls to the core. */
export function contentSecurityPolicy(
  coreOrigin: string,
  foreign: Sources = NONE,
  framedBy: "'none'" | "'self'" = "'none'",
): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...foreign.script].join(" "),
    "style-src 'self'",
    [`connect-src 'self' ${coreOrigin}`, ...foreign.connect].join(" "),
    ["img-src 'self' data:", ...foreign.image].join(" "),
    ...(foreign.frame.length > 0 ? [["frame-src", ...foreign.frame].join(" ")] : []),
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join("; ");
}

/** One page alone: the rule above is taken back, since two policies would both count. */
const ownRule = (pages: string, policy: string): string => `
${pages}
  ! Content-Security-Policy
  Content-Security-Policy: ${policy}
`;
const foreignRule = (pages: string, coreOrigin: string, script: string | undefined): string =>
  script === undefined ? "" : ownRule(pages, contentSecurityPolicy(coreOrigin, sourcesOf(script)));

/**
 * @param coreOrigin where the core is reached by browsers, e.g. `https://tickets.example`.
 * @param foreign the payment page alone may load Stripe's, and the page of the check Turnstile's.
 */
export function headersFile(coreOrigin: string, foreign: ForeignScripts = {}): string {
  // What speaks of documents says nothing of a script or a style sheet, and weighs half as much as one.
  if (new URL(coreOrigin).origin !== coreOrigin) throw new Error(`not an origin: ${coreOrigin}`);
  return `/*
  Content-Security-Policy: ${contentSecurityPolicy(coreOrigin)}
  X-Content-Type-Options: nosniff
  Referrer-Policy: strict-origin-when-cross-origin
  Permissions-Policy: camera=(self), geolocation=(), microphone=(), payment=(self)
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin
${foreignRule("/pay/*", coreOrigin, foreign.stripe)}${foreignRule("/check/*", coreOrigin, foreign.turnstile)}${ownRule("/console", contentSecurityPolicy(coreOrigin, PREVIEWING))}${ownRule("/preview", contentSecurityPolicy(coreOrigin, NONE, "'self'"))}
/assets/*
  ! Content-Security-Policy
  ! Permissions-Policy
  ! Referrer-Policy
  ! Cross-Origin-Opener-Policy
  Cache-Control: public, max-age=31536000, immutable
`;
}

/** Status 200 is a rewrite: the address stays, the page reads the event from it. */
export function redirectsFile(): string {
  return `/ /events/ 200
/e/* /queue/ 200
/preview /queue/ 200
/check/* /check/ 200
/shop/* /shop/ 200
/orders/* /orders/ 200
/pay/* /pay/ 200
/tickets/* /tickets/ 200
/account /account/ 200
/scan/* /scan/ 200
/verify/* /verify/ 200
/fairness/* /fairness/ 200
/console /console/ 200
`;
}
