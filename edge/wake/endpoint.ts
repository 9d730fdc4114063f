/**
 * The outbound guard of Web Push: where a fan's subscription may make the gate call. A name that
 * anybody can send must not become a way into somebody's network, so only the browsers' own push
 * services count, and what the deployment adds. Pure.
 */

/** By host or, with a leading dot, by all hosts below it. */
export const PUSH_HOSTS_DEFAULT = [
  "fcm.googleapis.com",
  ".push.services.mozilla.com",
  ".push.apple.com",
  ".notify.windows.com",
] as const;

export const ENDPOINT_CHARS_MAX = 1_000;

/**
 * @param hosts a whole origin (`http://127.0.0.1:9999`) counts where the gate itself is plain http:
 *   that is a developer's machine.
 */
export function isPushEndpoint(
  endpoint: string,
  allowed: { hosts: readonly string[]; secure: boolean },
): boolean {
  if (endpoint.length > ENDPOINT_CHARS_MAX || !URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return false;
  if (!allowed.secure && allowed.hosts.includes(url.origin)) return true;
  // A literal address has no name on the list; a port of its own has no business there.
  if (url.protocol !== "https:" || url.port !== "") return false;
  return allowed.hosts.some((host) =>
    host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host,
  );
}
