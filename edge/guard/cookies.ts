import type { GateConfig } from "../env.ts";

/** `__Host-` pins the cookie to this host, to https and to the whole path; plain http has no such. */
export const cookieName = (config: GateConfig, event: string): string =>
  config.secure ? `__Host-sira-${event}` : `sira-${event}`;

const attributes = (config: GateConfig): string =>
  `Path=/; HttpOnly; SameSite=Lax${config.secure ? "; Secure" : ""}`;

/** @param maxAgeMs until the place token's own end. */
export function setPlaceCookie(
  config: GateConfig,
  event: string,
  more: { token: string; maxAgeMs: number },
): string {
  const seconds = Math.max(0, Math.floor(more.maxAgeMs / 1000));
  return `${cookieName(config, event)}=${more.token}; Max-Age=${seconds}; ${attributes(config)}`;
}

export const clearPlaceCookie = (config: GateConfig, event: string): string =>
  `${cookieName(config, event)}=; Max-Age=0; ${attributes(config)}`;

/**
 * The value of one cookie; `undefined` when it is missing, or there twice with different values (a
 * subdomain's cookie of the same name must not decide which one counts).
 */
export function readCookie(header: string | null, name: string): string | undefined {
  if (!header) return undefined;
  const values = new Set<string>();
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    values.add(pair.slice(at + 1).trim());
  }
  const [value] = values;
  return values.size === 1 && value !== "" ? value : undefined;
}
