/**
 * Turnstile's script. Only where a deployment has a site key may the page of the check, and no other,
 * load it: the gate tells the page, and the page's own policy allows it.
 */
export const TURNSTILE_SCRIPT =
  "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

const ACTION_CHARS_MAX = 32;

/** The event, as far as Turnstile takes an action; the place beside it names event and fan alone. */
export const turnstileAction = (event: string): string => event.slice(0, ACTION_CHARS_MAX);
